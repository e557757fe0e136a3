import { describe, expect, it } from '@jest/globals';
import { copiedNodes, pasteNodes } from './clipboard.js';

const graph = {
  nodes: [
    { id: 'a', type: 'delay', settings: { seconds: 1 } },
    { id: 'b1', type: 'delay', title: 'Pause' },
    { id: 'c', type: 'delay' },
  ],
  edges: [
    { from: 'a', to: 'b1', when: 'true' },
    { from: 'b1', to: 'c' },
  ],
};

describe('copied nodes', () => {
  const text = copiedNodes(graph, new Set(['a', 'b1']));

  it('are pasted with their settings and the edges among them, under free ids', () => {
    const { graph: after, ids } = pasteNodes(graph, text);
    expect(ids).toEqual(['a1', 'b2']);
    expect(after.nodes.slice(3)).toEqual([
      { id: 'a1', type: 'delay', settings: { seconds: 1 } },
      { id: 'b2', type: 'delay', title: 'Pause' },
    ]);
    expect(after.edges.slice(2)).toEqual([{ from: 'a1', to: 'b2', when: 'true' }]);
  });

  it('keep their ids in a workflow that does not have them', () => {
    expect(pasteNodes({ nodes: [], edges: [] }, text).ids).toEqual(['a', 'b1']);
  });

  it('are not made of any other text', () => {
    for (const other of ['', 'x', 'null', '[]', '{"nodes":[]}', '{"format":"lensforge.nodes","nodes":[{}],"edges":[]}'])
      expect(pasteNodes(graph, other)).toEqual({ graph, ids: [] });
  });
});
