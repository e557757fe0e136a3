import type { Context } from '@lensforge/core';

/** Runs that have ended, of one version. */
export interface EndedRuns {
  lensId: string;
  versionId: string;
  label?: string;
  arm?: string;
  count: number;
  /** Each run of this number failed; none when 0. */
  failEach: number;
  credits: number;
  ms: number;
  cause?: object;
  /** How long ago they ended. */
  agoMs?: number;
}

/** Inserts runs that have ended, in one statement. */
export async function endedRuns(ctx: Context, runs: EndedRuns): Promise<void> {
  const { lensId, versionId, label = null, arm = null, count, failEach, credits, ms, cause = null, agoMs = 0 } = runs;
  await ctx.db.query(
    `insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, label, arm, status, params, model_id,
                       deadline_at, started_at, completed_at, token_input, token_output, credit_cost, cause)
     select uuidv7(), uuidv7(), $1, 'lens', $2, $3, $4, $5,
            case when $7::int > 0 and n % nullif($7::int, 0) = 0 then 'failed' else 'succeeded' end, '{}', m.id, now(),
            ended.at - $9 * interval '1 ms', ended.at, 10, 20, $8::int, $10::jsonb
       from generate_series(1, $6::int) n, models m,
            lateral (select now() - $11 * interval '1 ms' + n * interval '10 us' as at) ended where m.is_default`,
    [
      ctx.actor.accountId,
      lensId,
      versionId,
      label,
      arm,
      count,
      failEach,
      credits,
      ms,
      cause && JSON.stringify(cause),
      agoMs,
    ],
  );
}
