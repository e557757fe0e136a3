import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { RunHead } from '../access.js';

/** A run and its first events after a sequence number. */
export interface RunWithEvents {
  /** Input of `asReadable`, which checks access; null if the run does not exist. */
  head: RunHead | null;
  /** Read in the same statement as the head. */
  events: readonly RunEvent[];
}

const statement = preparedStatement('select head, events from run_beginning($1, $2, $3)');

/** Reads a run for an event stream in one statement; `asReadable` must check access. */
export async function readRunWithEvents(
  ctx: Context,
  { runId, after, limit }: { runId: string; after: number; limit: number },
): Promise<RunWithEvents> {
  const [run] = await ctx.db.query<[RunWithEvents]>(statement, [runId, after, limit]);
  return run;
}
