import type { NodeStatus, RunStatus } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';
import { emptyGraph, graphOfVersion } from '@lensforge/workflows';
import { readableRun } from '../access.js';
import { runsBelow } from '../run-tree.js';

export interface WorkflowRunDetail {
  id: string;
  workflowId: string;
  status: RunStatus;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** From the start to the end or to now. */
  durationMs: number | null;
  spentCredits: number;
  budgetCredits: number | null;
  modelCalls: number;
  tokensUsed: number;
}

/** Returns a workflow run of the caller, with the costs so far of itself and its child runs. */
export async function readWorkflowRun(ctx: Context, runId: string): Promise<WorkflowRunDetail> {
  const { kind } = await readableRun(ctx, runId);
  if (kind !== 'workflow') throw notFound('run of a workflow', runId);
  const [run] = await ctx.db.query<WorkflowRunDetail[]>(
    `${runsBelow}
     select r.id, r.workflow_id as "workflowId", r.status, iso(r.created_at) as "createdAt",
            iso(r.started_at) as "startedAt", iso(r.completed_at) as "completedAt",
            (extract(epoch from coalesce(r.completed_at, now()) - r.started_at) * 1000)::float8 as "durationMs",
            n.cost as "spentCredits", r.budget_credits::float8 as "budgetCredits",
            n.calls as "modelCalls", n.tokens as "tokensUsed"
       from runs r, (select coalesce(sum(cost_credits), 0)::float8 as cost, coalesce(sum(model_calls), 0)::int as calls,
                            coalesce(sum(tokens_used), 0)::float8 as tokens
                       from tree t join node_results n on n.run_id = t.id where n.type <> 'workflow') n
      where r.id = $1`,
    [runId],
  );
  if (!run) throw notFound('run of a workflow', runId);
  return { ...run, durationMs: run.durationMs === null ? null : Math.max(0, Math.round(run.durationMs)) };
}

export interface NodeResultDetail {
  /** Within a map, the path: `each[3].inner`. */
  nodeId: string;
  status: NodeStatus;
  output: unknown;
  tokensUsed: number;
  costCredits: number;
  startedAt: string | null;
  completedAt: string | null;
}

/** Lists the results of a run's nodes in the order in which they started. */
export async function listNodeResults(ctx: Context, runId: string): Promise<NodeResultDetail[]> {
  await readableRun(ctx, runId);
  return ctx.db.query<NodeResultDetail[]>(
    `select node_key as "nodeId", status, output, tokens_used as "tokensUsed", cost_credits::float8 as "costCredits",
            iso(started_at) as "startedAt", iso(completed_at) as "completedAt"
       from node_results where run_id = $1 order by started_at nulls last, queued_at, node_key`,
    [runId],
  );
}

export interface NodeCounts {
  total: number;
  completed: number;
  failed: number;
  skipped: number;
}

const counting = `
select count(*)::int as total, count(*) filter (where status = 'succeeded')::int as completed,
       count(*) filter (where status in ('failed', 'timed_out'))::int as failed,
       count(*) filter (where status = 'skipped')::int as skipped,
       (select count(*)::int from unnest($2::text[]) as id
         where not exists (select from node_results n where n.run_id = $1 and n.node_key = id)) as unreached
  from node_results where run_id = $1`;

/** Counts the nodes of a run by outcome, including unreached nodes of its graph, which count as skipped once it has ended. */
export async function countNodeResults(ctx: Context, runId: string): Promise<NodeCounts> {
  const [run] = await ctx.db.query<{ versionId: string; hasEnded: boolean; isTracked: boolean }[]>(
    `select workflow_version_id as "versionId", completed_at is not null as "hasEnded",
            coalesce(cause ->> 'kind' = 'tracking', false) as "isTracked"
       from runs where id = $1 and kind = 'workflow'`,
    [runId],
  );
  if (!run) throw notFound('run of a workflow', runId);
  // A tracking record never executes nodes.
  const { nodes } = run.isTracked ? emptyGraph : await graphOfVersion(ctx, run.versionId);
  const [{ unreached, ...counts }] = await ctx.db.query<[NodeCounts & { unreached: number }]>(counting, [
    runId,
    nodes.map(({ id }) => id),
  ]);
  return {
    ...counts,
    total: counts.total + unreached,
    skipped: counts.skipped + (run.hasEnded ? unreached : 0),
  };
}
