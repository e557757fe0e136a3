import { describe, expect, it } from '@jest/globals';
import { computeBounds, getDepth, placeNode, sumCosts } from './node-figures.js';

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

describe('the places of nodes over the time of their run', () => {
  const at = (second: number): string => new Date(second * 1000).toISOString();

  it('are shares of the time from the first start to the last end', () => {
    const nodes = [
      node('a', { startedAt: at(10), completedAt: at(15) }),
      node('b', { startedAt: at(15), completedAt: null }),
      node('c', {}),
    ];
    const bounds = computeBounds(nodes, 20_000);
    expect(bounds).toEqual({ from: 10_000, to: 20_000 });
    expect(nodes.map((each) => placeNode(each, bounds))).toEqual([
      { x: 0, width: 50 },
      { x: 50, width: 50 },
      undefined,
    ]);
    expect(computeBounds([node('c', {})], 5)).toEqual({ from: 5, to: 6 });
  });

  it('have a depth by the maps around them', () => {
    expect(['each', 'each[3]', 'each[3].a', 'each[3].b[0].c'].map(getDepth)).toEqual([0, 0, 1, 2]);
  });
});
