import type { Context } from '@lensforge/core';

/** A retry from the failed nodes: what succeeded in the earlier run of the same version stands here as done. */
export async function keepNodes(ctx: Context, runId: string, fromRunId: string): Promise<void> {
  await ctx.db.query(
    `insert into node_results (run_id, node_key, node_id, type, status, attempt, live, input, output, started_at, completed_at)
     select r.id, n.node_key, n.node_id, n.type, n.status, 0, n.live, n.input, n.output, n.started_at, n.completed_at
       from runs r
       join runs f on f.id = $2 and f.workflow_version_id = r.workflow_version_id and f.account_id = r.account_id
       join node_results n on n.run_id = f.id and n.status = 'succeeded' and position('.' in n.node_key) = 0
      where r.id = $1 and r.status = 'running' and r.lease_until is not null
     on conflict do nothing`,
    [runId, fromRunId],
  );
}
