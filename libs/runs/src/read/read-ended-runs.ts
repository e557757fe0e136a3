import type { FinishReason, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

export interface EndedRun {
  runId: string;
  status: RunStatus;
  /** The primary output as text; null without one. */
  output: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  credits: number;
  tokenInput: number | null;
  tokenOutput: number | null;
  /** From the start of its execution to its end. */
  latencyMs: number | null;
  finishReason: FinishReason | null;
}

const endedRuns = preparedStatement(`
select r.id as "runId", r.status, r.error_code as "errorCode", r.error_message as "errorMessage", coalesce(r.credit_cost, 0)::float8 as credits,
       r.token_input as "tokenInput", r.token_output as "tokenOutput",
       (extract(epoch from r.completed_at - r.started_at) * 1000)::int as "latencyMs", r.finish_reason as "finishReason", a.output
  from runs r left join lateral (
       select coalesce(content_text, content_json #>> '{}') as output from run_artifacts
        where run_id = r.id and is_primary_output order by id limit 1) a on true
 where r.id = any (array(select unnest($1::uuid[]))) and r.completed_at is not null`);

/** The runs that have ended, with their outputs. The caller checks access. */
export const readEndedRuns = ({ db }: Context, runIds: readonly string[]): Promise<EndedRun[]> =>
  runIds.length === 0 ? Promise.resolve([]) : db.query(endedRuns, [runIds]);

const spending = preparedStatement(`
select coalesce(sum(case when completed_at is null then greatest(credit_hold, budget_credits, spent_credits)
                         else credit_cost end), 0)::float8 as credits
  from runs where id = any (array(select unnest($1::uuid[])))`);

/** The credits that the runs have cost, or may still cost. The caller checks access. */
export async function readSpending({ db }: Context, runIds: readonly string[]): Promise<number> {
  if (runIds.length === 0) return 0;
  const [{ credits }] = await db.query<[{ credits: number }]>(spending, [runIds]);
  return credits;
}
