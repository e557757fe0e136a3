import type { RunEvent, RunEventType } from '@lensforge/contracts';
import { describe, expect, it } from '@jest/globals';
import { AnswerFold, type AnswerPart } from './answer-fold.js';

const event = (eventType: RunEventType, payload: object = {}) => {
  const stored: object = { eventType, payload, runId: 'run', sequence: 0, occurredAt: '' };
  return stored as RunEvent;
};
const text = (piece: string): RunEvent => event('node.output.delta', { nodeId: 'lens', text: piece });
const calls = (...ids: string[]): RunEvent =>
  event('run.requires_action', { calls: ids.map((callId) => ({ callId, name: 'add', input: {} })) });
const step = event('agent.step', { tokenInput: 3, tokenOutput: 2 });

function fold(events: readonly RunEvent[], { isWorkflow = false, after = [] as string[] } = {}) {
  const reader = new AnswerFold(isWorkflow, after);
  const parts = events.flatMap((each): AnswerPart[] => {
    const part = reader.take(each);
    return part ? [part] : [];
  });
  return { reader, parts };
}

const started = event('run.started', { attempt: 1 });
const again = event('run.started', { attempt: 2 });

describe('an answer from events', () => {
  it('is the text, up to the end of the run', () => {
    const { parts, reader } = fold([event('run.queued'), started, text('a'), text('b'), event('run.succeeded')]);
    expect(parts).toEqual([{ text: 'a' }, { text: 'b' }, { ended: 'succeeded' }]);
    expect(reader.text).toBe('ab');
  });

  it.each([
    ['in one piece', ['abcd'], ['d']],
    ['in smaller pieces', ['a', 'b', 'cd'], ['d']],
    ['to the same place', ['abc', 'd'], ['d']],
  ])('leaves out text that a new attempt repeats %s', (_, repeated, added) => {
    const { parts, reader } = fold([started, text('ab'), text('c'), again, ...repeated.map(text)]);
    expect(parts).toEqual(['ab', 'c', ...added].map((piece) => ({ text: piece })));
    expect(reader.text).toBe('abcd');
  });

  it.each([
    ['at once', ['x']],
    ['later', ['ab', 'x']],
    ['behind the repeated text', ['abx']],
  ])('says that a new attempt answers with another text %s', (_, repeated) => {
    const { parts } = fold([started, text('abc'), again, ...repeated.map(text)]);
    expect(parts.at(-1)).toEqual({ diverged: true });
  });

  it('begins again with each step, and counts the use of all', () => {
    const node = event('node.started', { attempt: 1 });
    const { parts, reader } = fold([node, text('one'), step, calls('1'), node, text('one'), step]);
    expect(parts).toEqual([{ text: 'one' }, { calls: [expect.objectContaining({ callId: '1' })] }, { text: 'one' }]);
    expect(reader.used).toEqual({ tokenInput: 6, tokenOutput: 4 });
  });

  it('is what follows the results of calls', () => {
    const { parts } = fold([started, text('one'), step, calls('1', '2'), text('two'), calls('3')], { after: ['2'] });
    expect(parts).toEqual([{ text: 'two' }, { calls: [expect.objectContaining({ callId: '3' })] }]);
  });

  it('is the output alone for a workflow', () => {
    const { parts } = fold([started, text('inner'), calls('1'), event('run.timed_out')], { isWorkflow: true });
    expect(parts).toEqual([{ ended: 'timed_out' }]);
  });
});
