import { describe, expect, it } from '@jest/globals';
import { type Context, platformActor } from '@lensforge/core';
import fc from 'fast-check';
import { checkGraph } from './check-graph.js';
import { diffGraphs } from './diff-graphs.js';
import { allNodes, ancestors, edgeInputs, levels, predecessors, successors } from './graph.js';
import { nodeTypeNames } from './node-types.js';
import { computeOutputs } from './compute-outputs.js';
import { readGraph } from './read-graph.js';
import { aGraph } from './testing.js';

const ctx = { actor: platformActor } as Context;
const lensId = '01900000-0000-7000-8000-000000000001';
const step = (id: string, expression = '1') => ({ id, type: 'transform', settings: { expression } });
const edge = (from: string, to: string, more: object = {}) => ({ from, to, ...more });
const faultsIn = (graph: unknown): string[] =>
  checkGraph(graph).faults.map(({ path, message }) => `${path}: ${message}`);

const whole = {
  nodes: [
    { id: 'draft', type: 'lens', settings: { lensId, params: { Text: { $: 'inputs.text' } } }, retry: { attempts: 2 } },
    { id: 'each', type: 'map', settings: { items: 'inputs.docs', graph: { nodes: [step('one', 'item.title')] } } },
    { id: 'ask', type: 'approval', settings: { message: { $: 'nodes.draft.output.text' } } },
    { id: 'send', type: 'http', settings: { method: 'POST', url: 'https://x.example/in', body: { $: 'input.body' } } },
    { id: 'sub', type: 'workflow', settings: { workflowId: lensId, inputs: { n: 1 } }, onError: 'continue' },
    { id: 'pause', type: 'delay', settings: { seconds: 5 }, timeoutSeconds: 60 },
    { id: 'hook', type: 'webhook_wait' },
    { id: 'work', type: 'agent', settings: { agent: 'writer', prompt: { $: 'inputs.text' }, tools: ['get_lens'] } },
    { id: 'pick', type: 'vote', settings: { agents: ['writer', 'critic'], prompt: 'Name a city.' } },
    { id: 'good', type: 'assert', settings: { condition: 'inputs.text != ""', message: { $: 'inputs.text' } } },
  ],
  edges: [
    edge('draft', 'ask'),
    edge('ask', 'send', { when: 'nodes.ask.output.decision == "approved"', output: 'data', input: 'body' }),
    edge('each', 'sub'),
    edge('sub', 'pause'),
    edge('pause', 'hook', { when: 'nodes.sub.status == "succeeded"' }),
    edge('hook', 'work'),
    edge('work', 'pick', { output: 'text', input: 'draft' }),
  ],
  inputs: { type: 'object', properties: { text: { type: 'string' }, docs: { type: 'array' } }, required: ['text'] },
  outputs: { text: 'nodes.draft.output.text', all: 'nodes.each.output' },
};

describe('readGraph', () => {
  it('accepts a graph with all node types and fills in defaults', async () => {
    const graph = await readGraph(ctx, whole);
    expect(new Set(allNodes(graph).map(({ node }) => node.type))).toEqual(new Set(nodeTypeNames));
    expect(graph.nodes[0]).toMatchObject({ onError: 'fail', retry: { attempts: 2, delaySeconds: 1, factor: 2 } });
    expect(graph.nodes[1]).toMatchObject({ settings: { concurrency: 5, onItemError: 'fail', graph: { edges: [] } } });
    expect(graph.nodes[6]).toMatchObject({ settings: { expiresInSeconds: 86_400, onExpire: 'fail' } });
    expect(graph.nodes[7]).toMatchObject({ settings: { maxSteps: 10, maxSeconds: 600, maxTokens: 1_000_000 } });
    expect(await readGraph(ctx, JSON.parse(JSON.stringify(graph)))).toEqual(graph);
  });

  it('accepts an empty graph', async () => {
    expect(await readGraph(ctx, { nodes: [] })).toEqual({ nodes: [], edges: [] });
  });

  it.each([
    ['no list of nodes', {}, ['nodes: is required']],
    ['a list in path of a graph', [], [': must be an object']],
    ['an unknown member', { nodes: [], color: 1 }, ['color: is not a known member']],
    ['a bad id', { nodes: [step('1 a')] }, ['nodes[0].id: must match']],
    ['a duplicate id', { nodes: [step('a'), step('a')] }, ['nodes[1].id: a is the id of a node before this one']],
    ['an unknown type', { nodes: [{ id: 'a', type: 'shell' }] }, ['nodes[0].type: there is no node type shell; known']],
    ['a missing setting', { nodes: [{ id: 'a', type: 'transform' }] }, ['nodes[0].settings.expression: is required']],
    [
      'an unknown setting',
      { nodes: [{ ...step('a'), settings: { expression: '1', x: 1 } }] },
      ['nodes[0].settings.x: is not a known member'],
    ],
    [
      'too many steps and no prompt of an agent',
      { nodes: [{ id: 'a', type: 'agent', settings: { agent: 'writer', prompt: ' ', maxSteps: 51 } }] },
      ['nodes[0].settings.maxSteps: must be'],
    ],
    [
      'an agent without a prompt',
      { nodes: [{ id: 'a', type: 'agent', settings: { agent: 'writer', prompt: ' ' } }] },
      ['nodes[0].settings.prompt: must be a text'],
    ],
    [
      'a vote with the same agent twice',
      { nodes: [{ id: 'a', type: 'vote', settings: { agents: ['writer', 'writer'], prompt: 'x' } }] },
      ['nodes[0].settings.agents: must not name an AI lenser twice'],
    ],
    [
      'a bad address',
      { nodes: [{ id: 'a', type: 'http', settings: { url: 'file:///etc/passwd' } }] },
      ['nodes[0].settings.url: must be an address with http or https'],
    ],
    [
      'credentials in an address',
      { nodes: [{ id: 'a', type: 'http', settings: { url: 'https://u:p@x.example' } }] },
      ['nodes[0].settings.url: must be an address'],
    ],
    [
      'a bad header',
      { nodes: [{ id: 'a', type: 'http', settings: { url: 'https://x.example', headers: { 'a b': '1' } } }] },
      ['nodes[0].settings.headers.a b: must be a header'],
    ],
    [
      'an assertion without a condition, whose message is no text',
      {
        nodes: [
          { id: 'a', type: 'assert', settings: { message: 'x' } },
          { id: 'b', type: 'assert', settings: { condition: 'true', message: 5 } },
        ],
      },
      ['nodes[0].settings.condition: ', 'nodes[1].settings.message: must be a text'],
    ],
    [
      'a delay without a time',
      { nodes: [{ id: 'a', type: 'delay', settings: {} }] },
      ['nodes[0].settings: must have either seconds or until'],
    ],
    ['too many attempts', { nodes: [{ ...step('a'), retry: { attempts: 11 } }] }, ['nodes[0].retry.attempts: must be']],
    [
      'too many at once',
      { nodes: [{ id: 'a', type: 'map', settings: { items: '[]', concurrency: 21, graph: { nodes: [] } } }] },
      ['nodes[0].settings.concurrency: must be'],
    ],
    ['an edge to nowhere', { nodes: [step('a')], edges: [edge('a', 'b')] }, ['edges[0].to: there is no node b']],
    ['an edge from nowhere', { nodes: [step('a')], edges: [edge('b', 'a')] }, ['edges[0].from: there is no node b']],
    [
      'a duplicate edge',
      { nodes: [step('a'), step('b')], edges: [edge('a', 'b'), edge('a', 'b')] },
      ['edges[1]: is a duplicate of an edge before it'],
    ],
    [
      'a cycle',
      { nodes: [step('a'), step('b'), step('c')], edges: [edge('a', 'b'), edge('b', 'c'), edge('c', 'b')] },
      ['edges[2]: closes a cycle: b → c → b'],
    ],
    ['a loop', { nodes: [step('a')], edges: [edge('a', 'a')] }, ['edges[0]: closes a cycle: a → a']],
    [
      'an unreachable node',
      { nodes: [step('a'), step('b'), step('c')], edges: [edge('a', 'b', { when: 'false' }), edge('b', 'c')] },
      ['nodes[1]: b cannot be reached', 'nodes[2]: c cannot be reached'],
    ],
    [
      'a bad expression',
      { nodes: [step('a', '1 +')] },
      ['nodes[0].settings.expression: Unexpected token: EOF (at character 4)'],
    ],
    [
      'a bad value',
      { nodes: [{ id: 'a', type: 'approval', settings: { message: 'x', data: { deep: [{ $: 'nope' }] } } }] },
      ['nodes[0].settings.data.deep[0]: Unknown variable: nope'],
    ],
    [
      'a bad condition',
      { nodes: [step('a'), step('b')], edges: [edge('a', 'b', { when: 'nodes.a.' })] },
      ['edges[0].when: '],
    ],
    [
      'a bad output',
      { nodes: [step('a')], outputs: { x: 'nodes.b.output' } },
      ['outputs.x: refers to the node b, which is not in this graph'],
    ],
    [
      'an unknown member of an output',
      {
        nodes: [{ id: 'a', type: 'delay', settings: { seconds: 1 } }, step('b', 'nodes.a.output.time')],
        edges: [edge('a', 'b')],
      },
      ['nodes[1].settings.expression: the output of a has no time; that of a delay has until'],
    ],
    [
      'an unknown member of a node',
      { nodes: [step('a')], outputs: { x: 'nodes.a.text' } },
      ['outputs.x: a has no text; a node has output, status, error'],
    ],
    [
      'a later node',
      { nodes: [step('a', 'nodes.b.output'), step('b')], edges: [edge('a', 'b')] },
      ['nodes[0].settings.expression: refers to the node b, which does not run before it'],
    ],
    ['item outside of a map', { nodes: [step('a', 'item')] }, ['nodes[0].settings.expression: item and index']],
    [
      'a fault within a map',
      {
        nodes: [{ id: 'm', type: 'map', settings: { items: '[1]', graph: { nodes: [step('x', 'nodes.m.output')] } } }],
      },
      ['nodes[0].settings.graph.nodes[0].settings.expression: refers to the node m, which is not in this graph'],
    ],
    [
      'inputs within a map',
      {
        nodes: [{ id: 'm', type: 'map', settings: { items: '[1]', graph: { nodes: [], inputs: { type: 'object' } } } }],
      },
      ['nodes[0].settings.graph.inputs: is allowed only in the outermost graph'],
    ],
    [
      'an output without an input',
      { nodes: [step('a'), step('b')], edges: [edge('a', 'b', { output: 'x' })] },
      ['edges[0].output: needs an input'],
    ],
    [
      'an invalid input schema',
      { nodes: [], inputs: { type: 'object', properties: { a: { type: 'text' } } } },
      ['inputs: '],
    ],
    [
      'an input schema of another type than object',
      { nodes: [], inputs: { type: 'array' } },
      ['inputs: must have the type object'],
    ],
    [
      'an input schema with an unknown keyword',
      { nodes: [], inputs: { type: 'object', requird: [] } },
      ['inputs: strict mode'],
    ],
    [
      'an input schema with an external reference',
      { nodes: [], inputs: { type: 'object', properties: { a: { $ref: 'https://x.example' } } } },
      ['inputs: properties.a.$ref: can only point within the schema'],
    ],
  ] as [string, unknown, string[]][])('refuses %s with the path of the fault', (_, graph, expected) => {
    const faults = faultsIn(graph);
    expect(faults).toHaveLength(expected.length);
    expected.forEach((part, index) => expect(faults[index]).toContain(part));
  });

  it('limits the number of nodes and the depth of maps', () => {
    const many = Array.from({ length: 300 }, (_, n) => step(`n${n}`));
    const map = { id: 'm', type: 'map', settings: { items: '[1]', graph: { nodes: many } } };
    expect(faultsIn({ nodes: many })).toEqual([]);
    expect(faultsIn({ nodes: [...many, map] })).toEqual([expect.stringContaining('more than 500 nodes')]);
    const nest = (depth: number): object =>
      depth === 0
        ? { nodes: [step('x')] }
        : { nodes: [{ ...map, settings: { items: '[1]', graph: nest(depth - 1) } }] };
    expect(faultsIn(nest(3))).toEqual([]);
    expect(faultsIn(nest(4))).toEqual([expect.stringContaining('maps may be nested at most 3 levels deep')]);
  });

  it('lists the first faults in the message', async () => {
    const bad = Array.from({ length: 30 }, (_, n) => step(`n${n}`, '1 +'));
    await expect(readGraph(ctx, { nodes: bad })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('; and 27 more'),
      details: { issues: expect.any(Array) },
    });
  });

  it('checks a large graph in the sandbox with the same result', async () => {
    const large = Array.from({ length: 200 }, (_, n) => step(`n${n}`, `${'1 + '.repeat(20)}1`));
    expect(await readGraph(ctx, { nodes: large })).toEqual(aGraph({ nodes: large }));
    const bad = [...large, step('last', '1 +')];
    await expect(readGraph(ctx, { nodes: bad })).rejects.toThrow('nodes[200].settings.expression: ');
  });
});

/** Edges only lead from earlier nodes to later ones. */
const graphs = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    nodes: fc.constant(Array.from({ length: count }, (_, n) => step(`n${n}`))),
    edges: fc
      .uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { selector: String, maxLength: 80 })
      .map((pairs) => pairs.filter(([a, b]) => a < b).map(([a, b]) => edge(`n${a}`, `n${b}`))),
  }),
);

describe('random graphs', () => {
  it('are valid, and their levels are a topological order', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        expect(faultsIn(graph)).toEqual([]);
        const order = levels(graph);
        const level = new Map(order.flatMap((ids, index) => ids.map((id) => [id, index] as const)));
        expect([...level.keys()].sort()).toEqual(graph.nodes.map(({ id }) => id).sort());
        const before = ancestors(graph);
        for (const { from, to } of graph.edges) {
          expect(level.get(from)).toBeLessThan(Number(level.get(to)));
          expect(before.get(to)).toContain(from);
          expect(successors(graph, from)).toContain(to);
          expect(predecessors(graph, to)).toContain(from);
        }
      }),
    );
  });

  it('with one fault are refused with the path of that fault', () => {
    const faultKind = fc.constantFrom('expression', 'type', 'id', 'edge', 'cycle', 'later');
    fc.assert(
      fc.property(graphs, fc.nat(), faultKind, (graph, seed, kind) => {
        const index = seed % graph.nodes.length;
        const nodes: { id: string; type: string; settings: object }[] = graph.nodes.map((node) => ({ ...node }));
        const edges = [...graph.edges];
        const node = nodes[index];
        if (!node) return;
        let path = `nodes[${index}].`;
        if (kind === 'expression') node.settings = { expression: '(' };
        else if (kind === 'type') node.type = 'none';
        else if (kind === 'id') node.id = 'no id';
        else if (kind === 'later') node.settings = { expression: `nodes.${node.id}.output` };
        else if (kind === 'edge') path = `edges[${edges.push(edge(node.id, 'nowhere')) - 1}].to`;
        else {
          edges.push(edge(node.id, node.id));
          path = 'edges[';
        }
        const faults = faultsIn({ nodes, edges });
        expect(faults.some((fault) => fault.startsWith(path))).toBe(true);
      }),
    );
  });
});

describe('graph results', () => {
  const graph = aGraph({ nodes: [step('a'), step('b'), step('c')], edges: [edge('a', 'b')] });
  const nodes = { a: { output: 1 }, b: { output: 2 }, c: { output: null, status: 'skipped' } };

  it('are the outputs of nodes without outgoing edges, except skipped ones', () => {
    expect(computeOutputs(graph, { nodes })).toEqual({ b: 2 });
  });

  it('are the declared outputs, if any', () => {
    expect(computeOutputs({ ...graph, outputs: { sum: 'nodes.a.output + nodes.b.output' } }, { nodes })).toEqual({
      sum: 3,
    });
  });

  it('pass through edges as inputs; the later of two edges wins', () => {
    const outputs: Record<string, unknown> = { a: { list: [{ x: 1 }], n: null }, b: { text: 'hi' } };
    const edges = [
      edge('a', 'c', { input: 'x', output: 'list.0.x' }),
      edge('a', 'c', { input: 'none', output: 'n.deeper' }),
      edge('a', 'c', { input: 'text' }),
      edge('b', 'c', { input: 'text', output: 'text' }),
      edge('b', 'c'),
    ];
    expect(edgeInputs(edges, (id) => outputs[id])).toEqual({ x: 1, none: null, text: 'hi' });
  });
});

it('diffGraphs lists changed nodes, edges and paths', () => {
  const before = aGraph({ nodes: [step('a'), step('b')], edges: [edge('a', 'b')] });
  const after = aGraph({
    nodes: [{ ...step('a', '2'), timeoutSeconds: 5 }, step('c')],
    edges: [edge('a', 'c')],
    outputs: { x: 'nodes.c.output' },
  });
  expect(diffGraphs(before, after)).toEqual({
    nodes: {
      added: ['c'],
      removed: ['b'],
      changed: [
        {
          id: 'a',
          changes: [
            { path: 'settings.expression', before: '1', after: '2' },
            { path: 'timeoutSeconds', before: null, after: 5 },
          ],
        },
      ],
    },
    edges: { added: [expect.objectContaining(edge('a', 'c'))], removed: [expect.objectContaining(edge('a', 'b'))] },
    changes: [{ path: 'outputs', before: null, after: { x: 'nodes.c.output' } }],
  });
  expect(diffGraphs(before, before)).toEqual({
    nodes: { added: [], removed: [], changed: [] },
    edges: { added: [], removed: [] },
    changes: [],
  });
});
