import { describe, expect, it } from '@jest/globals';
import { type Graph, addNode, removeNode } from './graph.js';
import { type HistoryStep, startHistory, historyReducer } from './history.js';
import { graphAt } from './map-graph.js';
import { renameNode } from './rename-node.js';
import { onlyNodes } from './selection.js';

const inner: Graph = { nodes: [{ id: 'item', type: 'delay' }], edges: [] };
const middle: Graph = { nodes: [{ id: 'deep', type: 'map', settings: { items: 'item', graph: inner } }], edges: [] };
const root: Graph = {
  nodes: [
    { id: 'first', type: 'delay' },
    { id: 'each', type: 'map', settings: { items: 'inputs.items', graph: middle } },
  ],
  edges: [{ from: 'first', to: 'each' }],
};

const after = (...steps: HistoryStep[]) => steps.reduce(historyReducer, startHistory(root));
const add: HistoryStep = { change: (graph) => addNode(graph, 'delay')[0], chosen: onlyNodes(['delay1']) };

describe('historyReducer', () => {
  it('goes back and forth, and forgets the future after another change', () => {
    const remove: HistoryStep = { change: (graph) => removeNode(graph, 'first') };
    const undone = after(remove, 'undo');
    expect([undone.now.root, undone.future.length]).toEqual([root, 1]);
    expect(after(remove, 'undo', 'redo').now).toEqual(after(remove).now);
    expect(after(remove, 'undo', add).future).toEqual([]);
    expect(after('undo', 'redo')).toEqual(startHistory(root));
    expect(after({ change: (graph) => graph }).past).toEqual([]);
  });

  it('undoes and redoes a rename as one step, and chooses the node under its id', () => {
    const rename: HistoryStep = {
      change: (graph) => renameNode(graph, 'first', 'start'),
      chosen: onlyNodes(['start']),
    };
    const steps: HistoryStep[] = [{ choose: onlyNodes(['first']) }, rename];
    expect(after(...steps).now.root.edges).toEqual([{ from: 'start', to: 'each' }]);
    expect(after(...steps, 'undo').now).toEqual({ root, path: [], chosen: onlyNodes(['first']) });
    expect(after(...steps, 'undo', 'redo').now.chosen).toEqual(onlyNodes(['start']));
  });

  it('changes the graph of an open map alone, and goes back to it', () => {
    const changed = after({ open: ['each', 'deep'] }, add, { open: [] });
    expect(graphAt(changed.now.root, ['each', 'deep'])?.nodes.map(({ id }) => id)).toEqual(['item', 'delay1']);
    expect(changed.now.root.nodes[0]).toBe(root.nodes[0]);
    const undone = historyReducer(changed, 'undo');
    expect([undone.now.root, undone.now.path]).toEqual([root, ['each', 'deep']]);
  });

  it('opens the part of a path that exists', () => {
    expect(after({ open: ['each', 'item'] }).now.path).toEqual(['each']);
    expect(after({ open: ['first'] }).now.path).toEqual([]);
  });
});
