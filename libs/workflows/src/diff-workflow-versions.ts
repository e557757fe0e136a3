import type { Context } from '@lensforge/core';
import { sandboxRefusal, sandboxTasks } from '@lensforge/sandbox';
import { readableWorkflow } from './access.js';
import { type GraphDiff, diffGraphs } from './diff-graphs.js';
import type { graphTasks } from './graph-tasks.js';
import type { Graph } from './node-types.js';
import { jsonSizeWithin } from './json-size.js';
import type { VersionRef } from './shapes.js';
import { readVersion } from './version-reads.js';

export interface WorkflowDiff extends GraphDiff {
  workflowId: string;
  from: VersionRef;
  to: VersionRef;
}

/** The difference of two versions of a workflow; `to` is the newest when absent. */
export async function diffWorkflowVersions(
  ctx: Context,
  { workflowId, from, to }: { workflowId: string; from: string; to?: string | undefined },
): Promise<WorkflowDiff> {
  const workflow = await readableWorkflow(ctx, workflowId);
  const [before, after] = await Promise.all([readVersion(ctx.db, workflow, from), readVersion(ctx.db, workflow, to)]);
  return {
    workflowId: workflow.id,
    from: { id: before.id, number: before.number },
    to: { id: after.id, number: after.number },
    ...(await diff(ctx, before.graph, after.graph)),
  };
}

const maxDiffBytes = 4_194_304;
const run = sandboxTasks<typeof graphTasks>(import.meta.dirname, 'graph-tasks.js');

const maxInlineSize = 20_000;

async function diff(ctx: Context, before: Graph, after: Graph): Promise<GraphDiff> {
  if (jsonSizeWithin([before, after], maxInlineSize) !== Infinity) return diffGraphs(before, after);
  try {
    return await run('diffGraphs', { before, after }, { account: ctx.actor.accountId, outputBytes: maxDiffBytes });
  } catch (reason) {
    throw sandboxRefusal(reason, 'The difference of these versions');
  }
}
