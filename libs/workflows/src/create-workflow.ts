import { type Context, newId } from '@lensforge/core';
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
  /** The graph of its first version; empty when absent. */
  graph?: unknown;
}

/** Creates a workflow of the caller with version 1. */
export async function createWorkflow(
  ctx: Context,
  { title, description = '', visibility = 'private', graph: graphInput }: NewWorkflow,
): Promise<{ workflowId: string }> {
  requireAccount(ctx);
  const graph = graphInput === undefined ? emptyGraph : await readGraph(ctx, graphInput);
  await checkReferences(ctx, graph);
  const workflow = { id: newId(), title, description, visibility };
  await inTransaction(ctx, (ctx) => insertWorkflow(ctx, workflow, [{ graph, changelog: '', createdAt: ctx.now() }]));
  return { workflowId: workflow.id };
}
