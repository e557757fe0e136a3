import type { Context } from '@lensforge/core';
import { runsBelow } from '../run-tree.js';

/** A node that waits for an answer of the caller: an approval, or the result of a tool that only the caller can call. */
export interface OpenWait {
  id: string;
  runId: string;
  kind: 'approval' | 'tool';
  /** The question, or the name of the tool. */
  message: string;
  /** The data to approve, or the input of the tool. */
  data: unknown;
  requestedAt: string;
}

/** A run and the runs that its nodes have started, as far as they have not ended. The caller checks access. */
export const listOpenRuns = async (ctx: Context, runId: string): Promise<string[]> =>
  (
    await ctx.db.query<{ id: string }[]>(`${runsBelow} select id from tree where status in ('queued', 'running')`, [
      runId,
    ])
  ).map(({ id }) => id);

/** The answers that runs wait for, the oldest first. The caller checks access. */
export const listOpenWaits = (ctx: Context, runIds: readonly string[]): Promise<OpenWait[]> =>
  ctx.db.query<OpenWait[]>(
    `select id, run_id as "runId", kind, coalesce(message, '') as message, coalesce(value, details) as data,
            iso(requested_at) as "requestedAt"
       from node_waits
      where run_id = any ($1) and kind in ('approval', 'tool') and decision is null and expires_at > now()
      order by requested_at, id`,
    [runIds],
  );
