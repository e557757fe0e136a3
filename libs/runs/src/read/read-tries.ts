import type { RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

/** A run, or one that retries it. */
export interface RunTry {
  /** The run that was asked for. */
  firstRunId: string;
  runId: string;
  status: RunStatus;
  errorMessage: string | null;
}

const statement = preparedStatement(`
with recursive tries as (
  select r.id as first, r.id, r.status, r.error_message
    from runs r where r.id = any (array(select unnest($1::uuid[])))
  union all
  select t.first, r.id, r.status, r.error_message
    from tries t cross join lateral (
      select id, status, error_message, cause from runs where parent_run_id = t.id offset 0) r
   where r.cause ->> 'kind' is distinct from 'node'
)
select first as "firstRunId", id as "runId", status, error_message as "errorMessage" from tries order by id`);

/** Returns runs with all of their retries, the oldest first. The caller checks access. */
export const readTries = (ctx: Context, runIds: readonly string[]): Promise<RunTry[]> =>
  runIds.length === 0 ? Promise.resolve([]) : ctx.db.query(statement, [runIds]);
