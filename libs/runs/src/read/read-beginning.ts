import type { RunEvent } from '@lensforge/contracts';
import { preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import type { RunHead } from '../access.js';

/** A run as far as it has come, and the first of its events after a place. */
export interface RunBeginning {
  /** For `asReadable` to judge who may know of it; null when there is no such run. */
  head: RunHead | null;
  /** Of the same moment as the head. */
  events: readonly RunEvent[];
}

const statement = preparedStatement('select head, events from run_beginning($1, $2, $3)');

/** Begins what a stream needs before it is known who asks for it. */
export async function readBeginning(
  db: EntityManager,
  { runId, after, most }: { runId: string; after: number; most: number },
): Promise<RunBeginning> {
  const [beginning] = await db.query<[RunBeginning]>(statement, [runId, after, most]);
  return beginning;
}
