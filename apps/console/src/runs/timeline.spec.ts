import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@lensforge/sdk';
import { addEvents, emptyTimeline, measureFirstText } from './timeline.js';

const event = (sequence: number, eventType: string, payload: object = {}): RunEvent =>
  ({
    id: `${sequence}`,
    sequence,
    eventType,
    payload,
    runId: 'r',
    occurredAt: new Date(sequence * 1000).toISOString(),
  }) as RunEvent;

it('measures the first text of the last attempt', () => {
  const delta = (sequence: number) => event(sequence, 'node.output.delta', { nodeId: 'lens', text: 'Hi' });
  expect(measureFirstText([event(1, 'run.started'), event(2, 'node.started')])).toBeUndefined();
  expect(measureFirstText([event(1, 'run.started'), delta(3), delta(4)])).toBe(2000);
  const again = [event(1, 'run.started'), delta(3), event(4, 'run.retrying'), delta(5)];
  expect(measureFirstText(again)).toBe(1000);
});

describe('addEvents', () => {
  it('joins output, and begins again after a retry', () => {
    const first = addEvents(emptyTimeline, [
      event(1, 'run.started'),
      event(2, 'node.output.delta', { nodeId: 'lens', text: 'Hel' }),
      event(3, 'run.retrying'),
      event(4, 'node.output.delta', { nodeId: 'lens', text: 'Hi' }),
    ]);
    expect([first.output, first.isEnded]).toEqual(['Hi', false]);
    expect(addEvents(first, [event(5, 'run.succeeded')]).isEnded).toBe(true);
  });

  it('leaves out events that came before', () => {
    const once = addEvents(emptyTimeline, [event(1, 'node.output.delta', { nodeId: 'a', text: 'x' })]);
    expect(addEvents(once, [event(1, 'node.output.delta', { nodeId: 'a', text: 'x' })])).toBe(once);
  });

  it('keeps the span of a node from its first start to its end', () => {
    const { spans } = addEvents(emptyTimeline, [
      event(1, 'node.started', { nodeId: 'a' }),
      event(2, 'node.waiting', { nodeId: 'a' }),
      event(3, 'node.started', { nodeId: 'a' }),
      event(4, 'node.succeeded', { nodeId: 'a' }),
      event(5, 'node.started', { nodeId: 'each', nodeKey: 'each[1]' }),
    ]);
    expect([...spans.values()]).toEqual([
      { key: 'a', from: 1000, to: 4000, status: 'succeeded' },
      { key: 'each[1]', from: 5000, to: undefined, status: 'running' },
    ]);
  });

  it('has the lines of the log, with failures and retries of nodes', () => {
    const { log, changes } = addEvents(emptyTimeline, [
      event(1, 'run.started'),
      event(2, 'log', { level: 'info', message: 'reads a file', members: { bytes: 3 } }),
      event(3, 'node.retrying', { nodeId: 'a', reason: 'PROVIDER_FAILED', delayMs: 5 }),
      event(4, 'node.failed', { nodeId: 'a', nodeKey: 'each[2].a', errorCode: 'TIMEOUT', errorMessage: 'too slow' }),
      event(5, 'approval.requested', { nodeId: 'b' }),
    ]);
    expect(log.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'info reads a file {"bytes":3}',
      'warn a: PROVIDER_FAILED',
      'error each[2].a: TIMEOUT too slow',
    ]);
    expect(changes).toEqual({ run: 1, approvals: 1 });
  });

  it('takes the events of ten thousand nodes', () => {
    const nodes = Array.from({ length: 10_000 }, (_, at) => [
      event(2 * at + 1, 'node.started', { nodeId: 'each', nodeKey: `each[${at}]` }),
      event(2 * at + 2, 'node.succeeded', { nodeId: 'each', nodeKey: `each[${at}]` }),
    ]).flat();
    const half = addEvents(emptyTimeline, nodes.slice(0, 10_001));
    expect([half.events.length, half.spans.size]).toEqual([10_001, 5001]);
    const whole = addEvents(half, nodes);
    expect([whole.events.length, whole.spans.size]).toEqual([20_000, 10_000]);
  });
});
