import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';

/** For a retry that keeps results: copies those of the given nodes from an earlier run of the same workflow. */
export async function copyNodeResults(
  ctx: Context,
  runId: string,
  { from, keys }: { from: string; keys: readonly string[] },
): Promise<void> {
  await ctx.db.query(
    `insert into node_results (run_id, node_key, node_id, type, status, attempt, live, input, output, started_at, completed_at)
     select r.id, n.node_key, n.node_id, n.type, n.status, 0, n.live, n.input, n.output, n.started_at, n.completed_at
       from runs r
       join runs f on f.id = $2 and f.workflow_id = r.workflow_id and f.account_id = r.account_id
       join node_results n on n.run_id = f.id and n.status in ('succeeded', 'skipped') and n.node_key = any ($3)
      where r.id = $1 and r.status = 'running' and r.lease_until is not null
     on conflict do nothing`,
    [runId, from, keys],
  );
}

/** Finds the unsuccessful child run that this node of an earlier run started with the same inputs. */
export async function failedChild(
  ctx: Context,
  { runId, nodeKey, inputs }: { runId: string; nodeKey: string; inputs: unknown },
): Promise<string | undefined> {
  const [child] = await ctx.db.query<{ id: string }[]>(
    `select c.id from node_results n
       join runs c on c.parent_run_id = n.run_id and c.cause ->> 'kind' = 'node' and c.cause ->> 'nodeKey' = n.node_key
      where n.run_id = $1 and n.node_key = $2 and n.input = $3::jsonb and c.account_id = $4
        and c.status in ('failed', 'canceled', 'timed_out')`,
    [runId, nodeKey, toJsonb(inputs), ctx.actor.accountId],
  );
  return child?.id;
}
