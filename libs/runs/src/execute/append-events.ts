import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { recordRunChanges, toJsonb } from '@lensforge/database';
import { appendEventsSql } from './append-events.sql.js';
import { type Fence, toFenceKey, inOrder } from '../fence.js';
import { type NewRunEvent, storedRunEvents } from '../new-run-events.js';

export interface Progress {
  runId: string;
  attempt: number;
  /** The sequence number of the last stored event; makes a repeated call a no-op. */
  after: number;
  events: readonly NewRunEvent[];
}

/** Appends events of running attempts, each attempt at most once in a call; undefined for an attempt that lost its run. */
export async function appendEvents(ctx: Context, progress: readonly Progress[]): Promise<(RunEvent[] | undefined)[]> {
  const rows = await ctx.db.query<(Fence & { at: string })[]>(appendEventsSql, [toJsonb(inOrder(progress))]);
  const writtenAt = new Map(rows.map((row) => [toFenceKey(row), row.at]));
  const stored = progress.map(({ runId, attempt, after: before, events }) => {
    const at = writtenAt.get(toFenceKey({ id: runId, attempt }));
    return at === undefined ? undefined : storedRunEvents(events, { runId, before, at });
  });
  recordRunChanges(ctx, { events: stored.flatMap((events) => events ?? []) });
  return stored;
}
