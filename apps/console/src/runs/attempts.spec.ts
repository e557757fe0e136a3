import { describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@lensforge/sdk';
import { listRepeatedAttempts } from './attempts.js';

const start = Date.parse('2026-01-01T00:00:00Z');
const toEvents = (given: readonly [eventType: string, payload?: object][]): RunEvent[] =>
  given.map(
    ([eventType, payload = {}], at) =>
      ({ sequence: at + 1, eventType, occurredAt: new Date(start + at * 1000).toISOString(), payload }) as RunEvent,
  );
const read = (events: RunEvent[]) =>
  listRepeatedAttempts(events).map(({ node, number, from, to, end, reason }) => [
    node,
    number,
    (from - start) / 1000,
    to === undefined ? undefined : (to - start) / 1000,
    end,
    reason,
  ]);

describe('listRepeatedAttempts', () => {
  it('tells how each attempt at a run ended', () => {
    const events = toEvents([
      ['run.queued'],
      ['run.started', { attempt: 1 }],
      ['run.retrying', { reason: 'the provider is busy', delayMs: 100 }],
      ['run.started', { attempt: 2 }],
      ['run.started', { attempt: 3 }],
      ['run.failed', { errorCode: 'PROVIDER_FAILED', errorMessage: 'no' }],
    ]);
    expect(read(events)).toEqual([
      [undefined, 1, 1, 2, 'retried', 'the provider is busy'],
      [undefined, 2, 3, 4, 'lost', undefined],
      [undefined, 3, 4, 5, 'failed', 'PROVIDER_FAILED'],
    ]);
  });

  it('has nodes that were tried again, and leaves out what was tried once', () => {
    const events = toEvents([
      ['run.started', { attempt: 1 }],
      ['node.started', { nodeId: 'a', attempt: 1 }],
      ['node.started', { nodeId: 'b', attempt: 1 }],
      ['node.retrying', { nodeId: 'b', reason: 'busy', delayMs: 1 }],
      ['node.succeeded', { nodeId: 'a' }],
      ['node.started', { nodeId: 'b', attempt: 2 }],
    ]);
    expect(read(events)).toEqual([
      ['b', 1, 2, 3, 'retried', 'busy'],
      ['b', 2, 5, undefined, 'running', undefined],
    ]);
  });
});
