import { describe, expect, it } from '@jest/globals';
import { issuesOf, messagesAt, placeIssues } from './issues.js';

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
      { path: paths[0], message, node: 'a', member: 'settings.url' },
      { path: paths[1], message, node: 'b', member: 'id' },
      { path: paths[2], message, edge: 0, member: 'when' },
      { path: paths[3], message, edge: 0, member: '' },
      { path: paths[4], message, member: 'inputs' },
      { path: paths[5], message, member: 'id' },
    ]);
  });

  it('gives faults within a map to the map', () => {
    const path = 'nodes[1].settings.graph.nodes[0].settings.url';
    expect(placeIssues([{ path, message }], graph)).toMatchObject([
      { node: 'b', member: 'settings.graph.nodes[0].settings.url' },
    ]);
  });

  it('gives messages to their field alone', () => {
    const issues = placeIssues([{ path: 'nodes[0].settings.url', message }], graph);
    expect([
      messagesAt(issues, 'settings.url'),
      messagesAt(issues, 'settings.ur'),
      messagesAt(issues, 'settings'),
    ]).toEqual([[message], [], [message]]);
  });
});

describe('issuesOf', () => {
  it('reads the details of an error, and nothing from others', () => {
    expect(issuesOf({ details: { issues: [{ path: 'x', message }] } })).toEqual([{ path: 'x', message }]);
    for (const other of [undefined, null, new Error('x'), { details: null }, { details: { issues: 1 } }])
      expect(issuesOf(other)).toEqual([]);
  });
});
