import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readEventsSql, readRunPositionsSql } from './read-events.sql.js';

/** Returns stored events of a run after a sequence number, in order. */
export async function readEvents(ctx: Context, runId: string, after: number, limit = 1000): Promise<RunEvent[]> {
  return await ctx.db.query<RunEvent[]>(readEventsSql, [runId, after, limit]);
}

export interface RunPosition {
  id: string;
  status: RunStatus;
  lastSequence: number;
  completedAt: string | null;
}

/** Returns status and last sequence number of several runs in one statement. */
export async function readRunPositions(ctx: Context, runIds: readonly string[]): Promise<RunPosition[]> {
  return await ctx.db.query<RunPosition[]>(readRunPositionsSql, [runIds]);
}
