import { describe, expect, it } from '@jest/globals';
import { readIssues } from '../ui/issues.js';
import { issuesAt, keepOpen, messagesAt, placeIssues } from './issues.js';

const graph = {
  nodes: [
    { id: 'a', type: 'http' },
    { id: 'b', type: 'map' },
  ],
  edges: [{ from: 'a', to: 'b' }],
};
const message = 'is wrong';

describe('placeIssues', () => {
  it('finds the node, the edge and the member that a path names', () => {
    const paths = ['nodes[0].settings.url', 'graph.nodes.1.id', 'edges[0].when', 'edges[0]', 'inputs', 'nodes[7].id'];
    expect(
      placeIssues(
        paths.map((path) => ({ path, message })),
        graph,
      ),
    ).toEqual([
      { path: paths[0], message, maps: [], node: 'a', member: 'settings.url' },
      { path: paths[1], message, maps: [], node: 'b', member: 'id' },
      { path: paths[2], message, maps: [], edge: 0, member: 'when' },
      { path: paths[3], message, maps: [], edge: 0, member: '' },
      { path: paths[4], message, maps: [], member: 'inputs' },
      { path: paths[5], message, maps: [], member: 'id' },
    ]);
  });

  it('finds the nodes and edges within maps', () => {
    const inner = { nodes: [{ id: 'c', type: 'http' }], edges: [{ from: 'c', to: 'c' }] };
    const middle = { nodes: [{ id: 'b', type: 'map', settings: { items: '', graph: inner } }], edges: [] };
    const root = { nodes: [{ id: 'a', type: 'map', settings: { items: '', graph: middle } }], edges: [] };
    const within = 'nodes[0].settings.graph.nodes[0].settings.graph';
    const paths = [`graph.${within}.nodes[0].settings.url`, `${within}.edges[0].when`, within];
    const placed = placeIssues(
      paths.map((path) => ({ path, message })),
      root,
    );
    expect(placed).toEqual([
      { path: paths[0], message, maps: ['a', 'b'], node: 'c', member: 'settings.url' },
      { path: paths[1], message, maps: ['a', 'b'], edge: 0, member: 'when' },
      { path: paths[2], message, maps: ['a'], node: 'b', member: 'settings.graph' },
    ]);
    expect(issuesAt(placed, ['a', 'b'])).toEqual(placed.slice(0, 2));
    expect(issuesAt(placed, ['a']).map(({ node, member }) => [node, member])).toEqual([
      ['b', 'settings.graph'],
      ['b', 'settings.graph'],
      ['b', 'settings.graph'],
    ]);
    expect(issuesAt(placed, []).map(({ node }) => node)).toEqual(['a', 'a', 'a']);
    expect(issuesAt(placed, ['other'])).toEqual([]);
  });

  it('keeps those whose node or edge was not changed since', () => {
    const inner = { nodes: [{ id: 'c', type: 'http' }], edges: [] };
    const sent = { ...graph, nodes: [...graph.nodes, { id: 'm', type: 'map', settings: { items: '', graph: inner } }] };
    const paths = ['nodes[0].settings.url', 'nodes[1].id', 'edges[0].when', 'nodes[2].settings.graph.nodes[0].id'];
    const placed = placeIssues(
      paths.map((path) => ({ path, message })),
      sent,
    );
    const pathsAfter = (now: typeof sent): string[] => keepOpen(placed, sent, now).map(({ path }) => path);
    expect(pathsAfter(structuredClone(sent))).toEqual(paths);
    const [a, b, m] = sent.nodes;
    expect(
      pathsAfter({ ...sent, nodes: [{ id: 'a', type: 'delay' }, ...[b, m].flatMap((node) => node ?? [])] }),
    ).toEqual(paths.slice(1));
    expect(pathsAfter({ ...sent, nodes: [a, b].flatMap((node) => node ?? []), edges: [] })).toEqual(paths.slice(0, 2));
  });

  it('says what is to be chosen where nothing is chosen yet', () => {
    const lens = { id: 'c', type: 'lens', settings: { lensId: '' } };
    const map = { id: 'm', type: 'map', settings: { graph: { nodes: [lens], edges: [] } } };
    const issue = { path: 'nodes[0].settings.graph.nodes[0].settings.lensId', message: 'must be a UUID' };
    expect(placeIssues([issue], { nodes: [map], edges: [] })).toMatchObject([{ node: 'c', message: 'choose a lens' }]);
    const chosen = { ...lens, settings: { lensId: 'x' } };
    expect(placeIssues([{ path: 'nodes[0].settings.lensId', message }], { nodes: [chosen], edges: [] })).toMatchObject([
      { node: 'c', message },
    ]);
  });

  it('gives messages to their field alone', () => {
    const issues = placeIssues([{ path: 'nodes[0].settings.url', message }], graph);
    expect([
      messagesAt(issues, 'settings.url'),
      messagesAt(issues, 'settings.ur'),
      messagesAt(issues, 'settings'),
    ]).toEqual([[message], [], [message]]);
    const inList = placeIssues([{ path: 'nodes[0].settings.agents[1]', message }], graph);
    expect(messagesAt(inList, 'settings.agents')).toEqual([message]);
  });
});

describe('readIssues', () => {
  it('reads the details of an error, and nothing from others', () => {
    expect(readIssues({ details: { issues: [{ path: 'x', message }] } })).toEqual([{ path: 'x', message }]);
    for (const other of [undefined, null, new Error('x'), { details: null }, { details: { issues: 1 } }])
      expect(readIssues(other)).toEqual([]);
  });
});
