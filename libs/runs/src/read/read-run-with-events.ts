import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { RunHead } from '../access.js';

/** A run as far as it has come, and the first of its events after a place. */
export interface RunWithEvents {
  /** For `asReadable` to judge who may know of it; null when there is no such run. */
  head: RunHead | null;
  /** Of the same moment as the head. */
  events: readonly RunEvent[];
}

const statement = preparedStatement('select head, events from run_beginning($1, $2, $3)');

/** Begins what a stream needs before it is known who asks for it. */
export async function readRunWithEvents(
  ctx: Context,
  { runId, after, most }: { runId: string; after: number; most: number },
): Promise<RunWithEvents> {
  const [beginning] = await ctx.db.query<[RunWithEvents]>(statement, [runId, after, most]);
  return beginning;
}
