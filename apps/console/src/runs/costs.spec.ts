import { describe, expect, it } from '@jest/globals';
import { sumCosts } from './costs.js';

type Node = Parameters<typeof sumCosts>[0][number];
const node = (nodeId: string, more: Partial<Node>): Node => ({
  nodeId,
  nodeKey: nodeId,
  type: 'lens',
  status: 'succeeded',
  attempt: 1,
  input: null,
  output: null,
  error: null,
  tokensUsed: 0,
  costCredits: 0,
  startedAt: null,
  completedAt: null,
  ...more,
});

describe('sumCosts', () => {
  it('adds the items of a node, the dearest node first', () => {
    const times = { startedAt: '2026-11-24T12:00:00Z', completedAt: '2026-11-24T12:00:02Z' };
    expect(
      sumCosts([
        node('cheap', { costCredits: 1 }),
        node('each', { nodeKey: 'each[0]', costCredits: 2, tokensUsed: 10, ...times }),
        node('each', { nodeKey: 'each[1]', costCredits: 3, tokensUsed: 5 }),
      ]),
    ).toEqual([
      { nodeId: 'each', type: 'lens', count: 2, tokens: 15, credits: 5, ms: 2000 },
      { nodeId: 'cheap', type: 'lens', count: 1, tokens: 0, credits: 1, ms: 0 },
    ]);
  });
});
