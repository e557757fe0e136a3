import { describe, expect, it } from '@jest/globals';
import {
  type Graph,
  type GraphEdge,
  addNode,
  changeEdge,
  connect,
  disconnect,
  insertNode,
  toGraph,
  nodesBefore,
  removeNode,
  removeParts,
} from './graph.js';

const chain: Graph = {
  nodes: [
    { id: 'a', type: 'lens', retry: { attempts: 2 } },
    { id: 'b', type: 'delay' },
    { id: 'c', type: 'delay' },
  ],
  edges: [
    { from: 'a', to: 'b', when: 'true' },
    { from: 'b', to: 'c' },
  ],
  outputs: { text: 'nodes.a.output.text' },
};

describe('toGraph', () => {
  it('keeps members that the editor does not know, and makes a graph of anything', () => {
    expect(toGraph(chain)).toEqual(chain);
    expect(toGraph(null)).toEqual({ nodes: [], edges: [] });
    expect(toGraph({ nodes: 'x' })).toEqual({ nodes: [], edges: [] });
  });
});

describe('changes of a graph', () => {
  it('puts a node onto an edge: the condition stays before it, the name of the value after it', () => {
    const [first, second] = chain.edges;
    const named: Graph = {
      ...chain,
      edges: [{ ...first, input: 'text', output: 'x' } as GraphEdge, second as GraphEdge],
    };
    const [graph, id] = insertNode(named, 0, 'delay');
    expect(id).toBe('delay1');
    expect(graph.nodes.at(-1)).toEqual({ id: 'delay1', type: 'delay', settings: { seconds: 60 } });
    expect(graph.edges).toEqual([
      { from: 'a', to: 'delay1', when: 'true' },
      { from: 'delay1', to: 'b', input: 'text' },
      { from: 'b', to: 'c' },
    ]);
    expect(insertNode(chain, 7, 'delay')).toEqual([chain, undefined]);
  });

  it('adds nodes with ids that are free, after the chosen one', () => {
    const [once, first] = addNode(chain, 'delay', 'c');
    const [twice, second] = addNode(once, 'delay');
    expect([first, second]).toEqual(['delay1', 'delay2']);
    expect(twice.edges.at(-1)).toEqual({ from: 'c', to: 'delay1' });
    expect(twice.nodes.at(-1)).toEqual({ id: 'delay2', type: 'delay', settings: { seconds: 60 } });
    expect(twice['outputs']).toEqual(chain['outputs']);
  });

  it('removes a node with its edges', () => {
    expect(removeNode(chain, 'b')).toMatchObject({ nodes: [{ id: 'a' }, { id: 'c' }], edges: [] });
  });

  it('removes nodes and edges at once', () => {
    const after = removeParts(chain, { nodes: new Set(['c']), edges: new Set([0]) });
    expect([after.nodes.map(({ id }) => id), after.edges]).toEqual([['a', 'b'], []]);
    expect(removeParts(chain, { nodes: new Set() })).toBe(chain);
  });

  it('changes one edge, and removes members that are empty', () => {
    expect(changeEdge(chain, 0, { when: '', input: 'text' }).edges).toEqual([
      { from: 'a', to: 'b', input: 'text' },
      { from: 'b', to: 'c' },
    ]);
  });

  it('knows which nodes run before another', () => {
    expect([...nodesBefore(chain, 'c')].sort()).toEqual(['a', 'b']);
    expect([...nodesBefore(chain, 'a')]).toEqual([]);
  });

  it('connects nodes once, and never in a circle', () => {
    expect(connect(chain, 'a', 'c').edges.at(-1)).toEqual({ from: 'a', to: 'c' });
    expect(connect(chain, 'a', 'b')).toBe(chain);
    expect(connect(chain, 'c', 'a')).toBe(chain);
    expect(connect(chain, 'a', 'a')).toBe(chain);
    expect(disconnect(chain, 'a', 'b').edges).toEqual([{ from: 'b', to: 'c' }]);
  });
});
