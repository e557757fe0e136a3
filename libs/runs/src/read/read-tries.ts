import type { RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

/** A run, or one that retries it. */
export interface RunTry {
  /** The run that was asked for. */
  firstRunId: string;
  runId: string;
  status: RunStatus;
  errorMessage: string | null;
}

/** Returns runs with all of their retries, the oldest first. The caller checks access. */
export const readTries = (ctx: Context, runIds: readonly string[]): Promise<RunTry[]> =>
  ctx.db.query(
    `with recursive tries as (
       select r.id as first, r.id, r.status, r.error_message from runs r where r.id = any ($1)
       union all
       select t.first, r.id, r.status, r.error_message
         from tries t join runs r on r.parent_run_id = t.id and r.cause ->> 'kind' is distinct from 'node'
     )
     select first as "firstRunId", id as "runId", status, error_message as "errorMessage" from tries order by id`,
    [runIds],
  );
