import { describe, expect, it } from '@jest/globals';
import { unitedGraph } from './version-diff.js';

const node = (id: string) => ({ id, type: 'delay' });

describe('unitedGraph', () => {
  it('has the nodes and edges of both versions, with a mark for each difference', () => {
    const before = {
      nodes: [node('a'), node('b'), node('gone')],
      edges: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'gone' },
      ],
    };
    const after = {
      nodes: [node('a'), node('b'), node('new')],
      edges: [
        { to: 'b', from: 'a', when: 'true' },
        { from: 'b', to: 'new' },
      ],
    };
    const { graph, marks } = unitedGraph(before, after, {
      nodes: { added: ['new'], removed: ['gone'], changed: [{ id: 'a' }] },
      edges: { added: after.edges.map((edge) => ({ ...edge })), removed: before.edges },
    });
    expect(graph.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'new', 'gone']);
    expect(graph.edges).toEqual([...after.edges, ...before.edges]);
    expect([...marks.nodes]).toEqual([
      ['a', 'changed'],
      ['new', 'added'],
      ['gone', 'removed'],
    ]);
    expect([...marks.edges]).toEqual([
      [0, 'added'],
      [1, 'added'],
      [2, 'removed'],
      [3, 'removed'],
    ]);
  });

  it('marks nothing in equal versions', () => {
    const graph = { nodes: [node('a')], edges: [] };
    const none = { nodes: { added: [], removed: [], changed: [] }, edges: { added: [], removed: [] } };
    const { marks } = unitedGraph(graph, graph, none);
    expect([marks.nodes.size, marks.edges.size]).toEqual([0, 0]);
  });
});
