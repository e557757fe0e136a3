import { type Scope, evaluate } from './expression.js';
import type { Graph } from './node-types.js';
import { leafOutputs } from './graph.js';

/** The result of a graph: its declared outputs, or those of its last nodes. */
export const computeOutputs = (
  graph: Pick<Graph, 'nodes' | 'edges' | 'outputs'>,
  scope: Scope,
): Record<string, unknown> =>
  graph.outputs
    ? Object.fromEntries(Object.entries(graph.outputs).map(([name, text]) => [name, evaluate(text, scope)]))
    : leafOutputs(graph, scope);
