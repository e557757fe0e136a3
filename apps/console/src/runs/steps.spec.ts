import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@lensforge/sdk';
import { groupSteps } from './steps.js';

const event = (eventType: string, payload: object): RunEvent =>
  ({ eventType, payload, occurredAt: '2026-11-26T12:00:00Z' }) as unknown as RunEvent;
const at = (step: number, more: object = {}) => ({ nodeId: 'answer', step, ...more });

describe('the transcript of a run', () => {
  it('collects the thoughts, calls and results of each step', () => {
    const steps = groupSteps([
      event('run.started', { attempt: 1 }),
      event('agent.thought', at(1, { text: 'I look ' })),
      event('agent.thought', at(1, { text: 'it up.' })),
      event('agent.tool_call', at(1, { call: 1, toolId: 'get_lens', input: { lens_id: 'a' } })),
      event('agent.tool_call', at(1, { call: 2, toolId: 'run_lens', input: {} })),
      event(
        'agent.tool_result',
        at(1, { call: 2, toolId: 'run_lens', status: 'done', isError: true, text: 'refused' }),
      ),
      event('agent.step', at(2, { agent: 'scribe', text: 'Done.', tokenInput: 10, tokenOutput: 5, creditCost: 2 })),
    ]);
    expect(steps.map(({ step, text }) => [step, text])).toEqual([
      [1, 'I look it up.'],
      [2, 'Done.'],
    ]);
    expect(steps[0]?.calls).toMatchObject([
      { call: 1, toolId: 'get_lens', input: { lens_id: 'a' }, result: undefined },
      { call: 2, toolId: 'run_lens', input: {}, result: { status: 'done', isError: true, text: 'refused' } },
    ]);
    expect(steps[1]).toMatchObject({ agent: 'scribe', tokens: 15, credits: 2 });
  });

  it('keeps agents below an agent, and nodes of a map, apart', () => {
    const steps = groupSteps([
      event('agent.thought', at(1, { text: 'a' })),
      event('agent.thought', at(1, { text: 'b', path: '1.1' })),
      event('agent.thought', at(1, { text: 'c', nodeKey: 'each[3].answer' })),
    ]);
    expect(steps.map(({ node, path, text }) => [node, path, text])).toEqual([
      ['answer', '', 'a'],
      ['answer', '1.1', 'b'],
      ['each[3].answer', '', 'c'],
    ]);
  });
});
