import type { NodeJob } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

const statement = `
with moved as (
  update runs r set node_version = r.node_version + 1
   where r.id = $1 and r.status = 'running' and exists (
     select from node_results n where n.run_id = $1 and n.node_key = $2 and n.status = 'running' and n.generation < $3)
  returning r.id
), noted as (
  update node_results n set state = coalesce(n.state, '{}') || '{"woken": true}'
    from moved m where n.run_id = m.id and n.node_key = $2 and n.status = 'running'
  returning n.run_id
)
select count(*)::int as noted from noted`;

/**
 * Records that a running node was woken before it began to wait, so that it does not miss the answer. False if no worker
 * holds the node, or the job is of an older generation.
 */
export async function recordWake(ctx: Context, { runId, nodeKey, generation }: NodeJob): Promise<boolean> {
  const [{ noted: count }] = await ctx.db.query<[{ noted: number }]>(statement, [runId, nodeKey, generation]);
  return count > 0;
}
