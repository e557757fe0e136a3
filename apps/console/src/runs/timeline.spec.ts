import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@lensforge/sdk';
import { addEvents, emptyTimeline } from './timeline.js';

const event = (sequence: number, eventType: string, payload: object = {}): RunEvent =>
  ({
    id: `${sequence}`,
    sequence,
    eventType,
    payload,
    runId: 'r',
    occurredAt: new Date(sequence * 1000).toISOString(),
  }) as RunEvent;

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
});
