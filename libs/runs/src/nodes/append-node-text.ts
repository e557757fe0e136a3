import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { recordRunChanges, toJsonb } from '@lensforge/database';
import { inOrder } from '../fence.js';
import { type NewRunEvent, storedRunEvents } from '../new-run-events.js';
import { appendNodeTextSql } from './append-node-text.sql.js';

export interface NodeProgress {
  runId: string;
  nodeKey: string;
  attempt: number;
  events: readonly NewRunEvent[];
}

/** Appends events of running nodes; undefined for a node that its worker no longer holds. */
export async function appendNodeText(
  ctx: Context,
  progress: readonly NodeProgress[],
): Promise<(RunEvent[] | undefined)[]> {
  const rows = await ctx.db.query<{ runId: string; nodeKey: string; before: number; at: string }[]>(appendNodeTextSql, [
    toJsonb(inOrder(progress)),
  ]);
  const stored = progress.map(({ runId, nodeKey, events }) => {
    const row = rows.find((candidate) => candidate.runId === runId && candidate.nodeKey === nodeKey);
    return row && storedRunEvents(events, row);
  });
  recordRunChanges(ctx, { events: stored.flatMap((events) => events ?? []) });
  return stored;
}
