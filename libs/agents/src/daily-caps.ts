import { type Context, DomainError } from '@lensforge/core';
import { perDatabase } from '@lensforge/database';
import type { OwnAiLenser } from '@lensforge/identity';
import type { DataSource } from 'typeorm';

/** The default number of team runs of an AI lenser on a UTC day. */
export const MAX_TEAM_RUNS_PER_DAY = 50;

const limits = perDatabase(() => MAX_TEAM_RUNS_PER_DAY);

/** Sets the limit of a database; called once at process start. */
export const limitTeamRuns = (source: DataSource, max: number): void => limits.set(source, max);

const today = `(now() at time zone 'UTC')::date`;

/**
 * Counts a run on its day, in the transaction that accepts it; throws THROTTLED when a cap is used up. The row of the day
 * stays locked until the commit, so that concurrent runs, also of other processes, cannot exceed a cap together.
 */
export async function countAgentRun(
  ctx: Context,
  { id, policy: { runsPerDay } }: Pick<OwnAiLenser, 'id' | 'policy'>,
  kind: 'action' | 'team',
): Promise<void> {
  const maxTeamRuns = limits.of(ctx);
  const teamRuns = kind === 'team' ? 1 : 0;
  const counted = await ctx.db.query<unknown[]>(
    `insert into agent_days as d (agent_id, day, runs, team_runs)
     select $1, ${today}, 1, $2::int where coalesce($3::int, 1) > 0 and $2 <= $4::int
     on conflict (agent_id, day) do update set runs = d.runs + 1, team_runs = d.team_runs + $2
      where ($3::int is null or d.runs < $3) and d.team_runs + $2 <= case $2 when 0 then d.team_runs else $4 end
     returning 1`,
    [id, teamRuns, runsPerDay, maxTeamRuns],
  );
  if (counted.length > 0) return;
  const [state] = await ctx.db.query<[{ runs: number | null; retryAfter: number }]>(
    `select (select runs from agent_days where agent_id = $1 and day = ${today}) as runs,
            greatest(1, ceil(extract(epoch from (${today} + 1)::timestamp at time zone 'UTC' - now())))::int as "retryAfter"`,
    [id],
  );
  const { runs, retryAfter } = state;
  throw runsPerDay !== null && (runs ?? 0) >= runsPerDay
    ? new DomainError('THROTTLED', `The policy of the AI lenser allows ${runsPerDay} runs a day (UTC)`, {
        reason: 'runs_per_day',
        limit: runsPerDay,
        retryAfter,
      })
    : new DomainError('THROTTLED', `An AI lenser has at most ${maxTeamRuns} team runs a day (UTC)`, {
        reason: 'team_runs',
        limit: maxTeamRuns,
        retryAfter,
      });
}
