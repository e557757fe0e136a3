import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { requireAccount } from './access.js';
import { checkReferences } from './check-references.js';
import { emptyGraph } from './graph.js';
import { readGraph } from './read-graph.js';
import type { WorkflowVisibility } from './workflow.entity.js';
import { insertWorkflow } from './write-workflow.js';

export interface NewWorkflow {
  title: string;
  description?: string | undefined;
  /** Private when absent. */
  visibility?: WorkflowVisibility | undefined;
  /** Of its first version; empty when absent. */
  graph?: unknown;
}

/** A new workflow of the caller's with its version 1. */
export async function createWorkflow(
  ctx: Context,
  { title, description = '', visibility = 'private', graph: given }: NewWorkflow,
): Promise<{ workflowId: string }> {
  requireAccount(ctx);
  const graph = given === undefined ? emptyGraph : await readGraph(ctx, given);
  await checkReferences(ctx, graph);
  const workflow = { id: newId(), title, description, visibility };
  await inTransaction(ctx, (ctx) => insertWorkflow(ctx, workflow, [{ graph, changelog: '', createdAt: ctx.now() }]));
  return { workflowId: workflow.id };
}
