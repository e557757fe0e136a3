import { checkGraph } from './check-graph.js';
import { diffGraphs } from './diff-graphs.js';
import type { Graph } from './node-types.js';
import { checkInputs } from './input-schema.js';

// Tasks of the sandbox for graphs.

export const graphTasks = {
  checkGraphs: (values: unknown[]) => values.map((value) => checkGraph(value)),
  checkInputs: ({ schema, inputs }: { schema: Record<string, unknown>; inputs: Record<string, unknown> }) =>
    checkInputs(schema, inputs),
  diffGraphs: ({ before, after }: { before: Graph; after: Graph }) => diffGraphs(before, after),
};
export const tasks = graphTasks;
