import { jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import type { HeldNode } from './node-leases.js';
import { nodeJobId } from '../node-job-id.js';

/** Returns nodes whose lease has expired, by the clock of the database. */
export const lostNodes = (ctx: Context, limit: number): Promise<HeldNode[]> =>
  ctx.db.query<HeldNode[]>(
    `select n.run_id as "runId", n.node_key as "nodeKey", n.attempt from node_results n
      where n.status = 'running' and n.lease_until <= now() order by n.lease_until limit $1`,
    [limit],
  );

export interface QueuedNode {
  runId: string;
  nodeKey: string;
  generation: number;
  jobId: string;
}

/** Returns queued nodes that should have been claimed by now, and waiting ones that are overdue. */
export async function overdueNodes(
  ctx: Context,
  { lateMs, limit }: { lateMs: number; limit: number },
): Promise<{ queued: QueuedNode[]; waiting: QueuedNode[] }> {
  const columns = `n.run_id as "runId", n.node_key as "nodeKey", n.generation`;
  const [queued, waiting] = await Promise.all([
    ctx.db.query<Omit<QueuedNode, 'jobId'>[]>(
      `select ${columns} from node_results n where n.status = 'queued' and n.queued_at < now() - $1 * interval '1 ms'
        order by n.queued_at limit $2`,
      [lateMs, limit],
    ),
    ctx.db.query<Omit<QueuedNode, 'jobId'>[]>(
      `select ${columns} from node_results n where n.status = 'waiting' and n.due_at < now() - $1 * interval '1 ms'
        order by n.due_at limit $2`,
      [lateMs, limit],
    ),
  ]);
  const withJobIds = (nodes: Omit<QueuedNode, 'jobId'>[]): QueuedNode[] =>
    nodes.map((node) => ({ ...node, jobId: nodeJobId(node.runId, node.nodeKey, node.generation) }));
  return { queued: withJobIds(queued), waiting: withJobIds(waiting) };
}

/** Writes new jobs for nodes whose jobs were lost; a superfluous job is a no-op. */
export async function requeueNodes(
  ctx: Context,
  nodes: readonly QueuedNode[],
  { lateMs, againMs }: { lateMs: number; againMs: number },
): Promise<number> {
  if (nodes.length === 0) return 0;
  const [result] = await ctx.db.query<[{ count: number }]>(
    `with input as (
       select * from jsonb_to_recordset($1::jsonb) as x("id" uuid, "jobId" text, "runId" uuid, "nodeKey" text, "generation" int)
     ), moved as (
       update node_results n
          set queued_at = case when n.status = 'queued' then now() else n.queued_at end,
              due_at = case when n.status = 'waiting' then now() + $2 * interval '1 ms' else n.due_at end
         from input i
        where n.run_id = i."runId" and n.node_key = i."nodeKey" and n.generation = i."generation"
          and (n.status = 'queued' and n.queued_at < now() - $4 * interval '1 ms'
               or n.status = 'waiting' and n.due_at < now() - $4 * interval '1 ms')
       returning i.*
     ), new_jobs as (
       insert into outbox (id, job, job_id, payload)
       select m."id", $3, m."jobId" || '-' || left(m."id"::text, 13),
              jsonb_build_object('runId', m."runId", 'nodeKey', m."nodeKey", 'generation', m."generation")
         from moved m
     )
     select count(*)::int as count from moved`,
    [JSON.stringify(nodes.map((node) => ({ ...node, id: newId() }))), againMs, jobs.executeNode.name, lateMs],
  );
  return result.count;
}
