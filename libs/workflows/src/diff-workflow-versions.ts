import type { Context } from '@lensforge/core';
import { readableWorkflow } from './access.js';
import type { GraphDiff } from './diff-graphs.js';
import { diffGraphs } from './diff-graphs.js';
import type { VersionRef } from './shapes.js';
import { versionOf } from './version-reads.js';

export interface WorkflowDiff extends GraphDiff {
  workflowId: string;
  from: VersionRef;
  to: VersionRef;
}

/** What changed from one version of a workflow to another, or to the newest. */
export async function diffWorkflowVersions(
  ctx: Context,
  { workflowId, from, to }: { workflowId: string; from: string; to?: string | undefined },
): Promise<WorkflowDiff> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const [before, after] = await Promise.all([versionOf(ctx.db, workflow, from), versionOf(ctx.db, workflow, to)]);
  return {
    workflowId: workflow.id,
    from: { id: before.id, number: before.number },
    to: { id: after.id, number: after.number },
    ...diffGraphs(before.graph, after.graph),
  };
}
