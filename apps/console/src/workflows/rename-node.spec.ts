import { describe, expect, it } from '@jest/globals';
import type { Graph } from './graph.js';
import { idFault, renameNode } from './rename-node.js';

const inner: Graph = {
  nodes: [
    { id: 'draft', type: 'delay', settings: { seconds: 1 } },
    { id: 'use', type: 'transform', settings: { expression: 'nodes.draft.output' } },
  ],
  edges: [{ from: 'draft', to: 'use', when: 'nodes.draft.status == "succeeded"' }],
};
const graph: Graph = {
  nodes: [
    { id: 'draft', type: 'lens', settings: { lensId: 'x', params: {} } },
    { id: 'draft2', type: 'delay', settings: { seconds: { $: 'nodes.draft.output.seconds' } } },
    {
      id: 'call',
      type: 'http',
      settings: {
        url: 'https://example.com/nodes.draft',
        body: {
          texts: ['nodes.draft', { $: 'nodes.draft.output.text' }],
          deep: { also: { $: 'nodes["draft"].error' } },
        },
        headers: { two: { $: 'nodes.draft', other: 1 } },
      },
    },
    { id: 'each', type: 'map', settings: { items: 'nodes.draft.output.items', graph: inner } },
    { id: 'last', type: 'transform', title: 'nodes.draft', settings: { expression: 'nodes.draft2.output' } },
  ],
  edges: [
    { from: 'draft', to: 'draft2', when: 'size(nodes.draft.output.text) > 1', output: 'draft' },
    { from: 'draft2', to: 'last' },
    { from: 'draft', to: 'each' },
  ],
  outputs: { draft: 'nodes.draft.output', other: 'nodes.draft2.output' },
};

describe('renameNode', () => {
  const after = renameNode(graph, 'draft', 'text');
  const settingsOf = (id: string): unknown => after.nodes.find((node) => node.id === id)?.settings;

  it('renames the node, its edges and their conditions', () => {
    expect(after.nodes.map(({ id }) => id)).toEqual(['text', 'draft2', 'call', 'each', 'last']);
    expect(after.edges).toEqual([
      { from: 'text', to: 'draft2', when: 'size(nodes.text.output.text) > 1', output: 'draft' },
      { from: 'draft2', to: 'last' },
      { from: 'text', to: 'each' },
    ]);
  });

  it('follows in expressions at any depth, and not in literals', () => {
    expect(settingsOf('draft2')).toEqual({ seconds: { $: 'nodes.text.output.seconds' } });
    expect(settingsOf('call')).toEqual({
      url: 'https://example.com/nodes.draft',
      body: { texts: ['nodes.draft', { $: 'nodes.text.output.text' }], deep: { also: { $: 'nodes["text"].error' } } },
      headers: { two: { $: 'nodes.draft', other: 1 } },
    });
    expect(after.nodes.at(-1)?.title).toBe('nodes.draft');
    expect(after['outputs']).toEqual({ draft: 'nodes.text.output', other: 'nodes.draft2.output' });
  });

  it('follows in the items of a map, and not in its graph, which has its own nodes', () => {
    expect(settingsOf('each')).toEqual({ items: 'nodes.text.output.items', graph: inner });
  });

  it('leaves a node alone whose id begins with that id', () => {
    expect(settingsOf('last')).toEqual({ expression: 'nodes.draft2.output' });
    expect(renameNode(graph, 'draft2', 'wait').nodes.at(-1)?.settings).toEqual({ expression: 'nodes.wait.output' });
  });

  it('gives the graph back when the id is renamed back', () => {
    expect(renameNode(after, 'text', 'draft')).toEqual(graph);
  });
});

describe('idFault', () => {
  it('refuses ids that are taken or have another form, with the reason', () => {
    expect(idFault(graph, 'draft', 'call')).toMatch(/call is the id of another node/);
    for (const id of ['', '1st', 'two words', 'ä', 'x'.repeat(65)])
      expect(idFault(graph, 'draft', id)).toMatch(/begins with a letter/);
    for (const id of ['draft', 'Text', 'first-draft', 'a_1']) expect(idFault(graph, 'draft', id)).toBeUndefined();
  });

  it('refuses an id that needs brackets where has() names the node', () => {
    const checked = { ...graph, outputs: { text: 'has(nodes.draft.output)' } };
    expect(idFault(checked, 'draft', 'first-draft')).toMatch(/has\(nodes\.draft/);
    expect(idFault(checked, 'draft', 'text')).toBeUndefined();
    expect(idFault(checked, 'draft2', 'first-draft')).toBeUndefined();
  });
});
