import { type Context, newId } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { checkGraph } from './check-graph.js';
import type { NewWorkflow } from './create-workflow.js';
import { getWorkflow } from './get-workflow.js';
import type { Graph } from './node-types.js';
import { emptyGraph } from './graph.js';
import { readGraph } from './read-graph.js';
import type { WorkflowDetail } from './shapes.js';
import { insertWorkflow } from './write-workflow.js';

/** A workflow whose graph may name lenses and workflows that do not exist. */
export async function aWorkflow(
  ctx: Context,
  { title = 'A workflow', description = '', visibility = 'private', graph: graphInput }: Partial<NewWorkflow> = {},
): Promise<WorkflowDetail> {
  const graph = graphInput === undefined ? emptyGraph : await readGraph(ctx, graphInput);
  const workflow = { id: newId(), title, description, visibility };
  await inTransaction(ctx, (ctx) => insertWorkflow(ctx, workflow, [{ graph, changelog: '', createdAt: ctx.now() }]));
  return getWorkflow(ctx, workflow.id);
}

/** A valid graph with defaults filled in. */
export function aGraph(value: unknown): Graph {
  const { graph, faults } = checkGraph(value);
  if (graph && faults.length === 0) return graph;
  throw new Error(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
}

/** Sets the next tick of a schedule. */
export const setNextTick = (ctx: Context, scheduleId: string, at: Date): Promise<unknown> =>
  ctx.db.query('update schedules set next_at = $2 where id = $1', [scheduleId, toJsonb(at).slice(1, -1)]);

export { randomGraph, seededRandom } from './random-graph.js';
export { differences, interpret } from './reference-interpreter.js';
export type { AnswerOf, Reference, ReferenceStatus } from './reference-interpreter.js';
