import { describe, expect, it } from '@jest/globals';
import { addGiven, graphOfNode, lastResults } from './try-graph.js';

const node = (id: string) => ({ id, type: 'lens', settings: { lensId: id } });
const graph = {
  nodes: ['a', 'b', 'c', 'd'].map(node),
  edges: [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c', when: 'nodes.b.ok', input: 'Text' },
    { from: 'c', to: 'd' },
  ],
  outputs: { said: 'nodes.d' },
};
const fixed = (id: string) => ({
  id,
  type: 'transform',
  settings: { expression: `inputs.__given.nodes["${id}"]` },
});

describe('graphOfNode', () => {
  it('has the node as it is, after those before it with given results and without their conditions', () => {
    const { nodes, edges, ...rest } = graphOfNode(graph, { id: 'c', isInMap: false });
    expect(nodes.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c']);
    expect(nodes).toEqual(expect.arrayContaining([fixed('a'), fixed('b'), node('c')]));
    expect(edges).toEqual([
      { from: 'b', to: 'c', input: 'Text' },
      { from: 'a', to: 'c' },
    ]);
    expect(rest).toEqual({});
  });

  it('takes the results beside the inputs that the schema has', () => {
    const inputs = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };
    const one = graphOfNode({ ...graph, inputs }, { id: 'a', isInMap: false });
    expect(one['inputs']).toEqual({ ...inputs, properties: { ...inputs.properties, __given: {} } });
    expect(addGiven({ name: 'x' }, { nodes: { a: 1 } })).toEqual({ name: 'x', __given: { nodes: { a: 1 } } });
  });

  it('runs a node of a map for one item', () => {
    const { nodes, edges } = graphOfNode(graph, { id: 'b', isInMap: true });
    const inner = { nodes: [fixed('a'), node('b')], edges: [{ from: 'a', to: 'b' }] };
    expect(nodes).toEqual([{ id: 'map1', type: 'map', settings: { items: '[inputs.__given.item]', graph: inner } }]);
    expect(edges).toEqual([]);
  });
});

it('lastResults are those of the nodes before, or null', () => {
  expect(lastResults(graph, 'c', new Map([['b', { ok: true }]]))).toEqual({ a: null, b: { ok: true } });
});
