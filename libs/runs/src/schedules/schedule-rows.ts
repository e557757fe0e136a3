import type { Authority, Context } from '@lensforge/core';
import type { MissedPolicy, OverlapPolicy, TickOutcome } from '@lensforge/workflows';

export interface DueSchedule {
  id: string;
  workflowId: string;
  accountId: string;
  cron: string;
  timeZone: string;
  inputs: Record<string, unknown>;
  overlap: OverlapPolicy;
  missed: MissedPolicy;
  enabled: boolean;
  nextAt: Date | null;
  now: Date;
  ownerIsDisabled: boolean;
  /** The stored authority with the credit limit that its token has now; null when the token was revoked. */
  authority: Authority | null;
}

export interface WaitingTick {
  at: Date;
  /** Set once the rate limit of the account has delayed the tick. */
  retryAt: Date | null;
}

const columns = `
  s.id, s.workflow_id as "workflowId", s.account_id as "accountId", s.cron, s.time_zone as "timeZone", s.inputs, s.overlap,
  s.missed, s.enabled, s.next_at as "nextAt", clock_timestamp() as now, a.disabled_at is not null as "ownerIsDisabled",
  current_authority(s.authority) as authority`;
const tables = `schedules s join accounts a on a.id = s.account_id`;

const due = `
select ${columns} from ${tables}
 where s.next_at <= now() and s.id <> all ($1) order by s.next_at limit 1 for update of s skip locked`;

const unfinished = (scheduleId: string): string => `
exists (select 1 from (select run_id from schedule_ticks where schedule_id = ${scheduleId} and run_id is not null
                        order by tick_at desc limit 50) t
          join runs r on r.id = t.run_id where r.status in ('queued', 'running'))`;

const freed = `
select ${columns} from ${tables}
 where s.id in (select schedule_id from schedule_ticks where outcome = 'waiting'
                 group by schedule_id having coalesce(max(retry_at), '-infinity') <= now())
   and s.id <> all ($1) and (not s.enabled or s.overlap = 'allow' or not ${unfinished('s.id')})
 order by s.id limit 1 for update of s skip locked`;

/** Locks a schedule whose next tick is due and that no other worker has locked. */
export const lockDueSchedule = async (ctx: Context, except: readonly string[]): Promise<DueSchedule | undefined> =>
  (await ctx.db.query<DueSchedule[]>(due, [except]))[0];

/** Locks a schedule with a waiting tick whose run can start now. */
export const lockFreedSchedule = async (ctx: Context, except: readonly string[]): Promise<DueSchedule | undefined> =>
  (await ctx.db.query<DueSchedule[]>(freed, [except]))[0];

/** Moves a schedule to its next tick and deletes its ticks that are older than 90 days. */
export async function moveToNextTick(ctx: Context, scheduleId: string, next: Date | null): Promise<void> {
  await ctx.db.query('update schedules set next_at = $2 where id = $1', [scheduleId, next]);
  await ctx.db.query(
    `delete from schedule_ticks where schedule_id = $1 and outcome <> 'waiting' and tick_at < now() - interval '90 days'`,
    [scheduleId],
  );
}

/** Suspends a schedule whose token was revoked, until a take-over. */
export async function suspendSchedule(ctx: Context, scheduleId: string): Promise<void> {
  await ctx.db.query(
    `update schedules set suspended_at = now(), suspended_reason = 'credential_revoked' where id = $1`,
    [scheduleId],
  );
  await pauseSchedule(ctx, scheduleId, 'the token that set it up was revoked');
}

export async function pauseSchedule(ctx: Context, scheduleId: string, reason: string): Promise<void> {
  await ctx.db.query(
    `update schedules set enabled = false, next_at = null, paused_reason = $2, updated_at = now() where id = $1`,
    [scheduleId, reason],
  );
}

/** `busy`: a run of an earlier tick has not ended. `waiting`: the number of earlier ticks that wait. */
export async function readEarlierTicks(ctx: Context, scheduleId: string): Promise<{ busy: boolean; waiting: number }> {
  const [state] = await ctx.db.query<[{ busy: boolean; waiting: number }]>(
    `select ${unfinished('$1')} as busy,
            (select count(*)::int from schedule_ticks where schedule_id = $1 and outcome = 'waiting') as waiting`,
    [scheduleId],
  );
  return state;
}

export async function firstWaitingTick(ctx: Context, scheduleId: string): Promise<WaitingTick | undefined> {
  const [tick] = await ctx.db.query<WaitingTick[]>(
    `select tick_at as at, retry_at as "retryAt" from schedule_ticks
      where schedule_id = $1 and outcome = 'waiting' order by tick_at limit 1`,
    [scheduleId],
  );
  return tick;
}

/** Inserts the row of a tick; false when the tick has a row already. */
export async function insertTick(
  ctx: Context,
  scheduleId: string,
  tick: Date,
  { outcome, reason }: { outcome: TickOutcome; reason: string | null },
): Promise<boolean> {
  const written = await ctx.db.query<unknown[]>(
    `insert into schedule_ticks (schedule_id, tick_at, outcome, reason) values ($1, $2, $3, $4)
     on conflict do nothing returning 1`,
    [scheduleId, tick, outcome, reason],
  );
  return written.length > 0;
}

export async function settleTick(
  ctx: Context,
  scheduleId: string,
  tick: Date,
  { outcome, reason = null, runId = null }: { outcome: TickOutcome; reason?: string | null; runId?: string | null },
): Promise<void> {
  await ctx.db.query(
    `update schedule_ticks set outcome = $3, reason = $4, run_id = $5, decided_at = now()
      where schedule_id = $1 and tick_at = $2`,
    [scheduleId, tick, outcome, reason, runId],
  );
}

/** Lets a waiting tick wait some seconds more. */
export async function postponeTick(
  ctx: Context,
  scheduleId: string,
  tick: Date,
  { reason, seconds }: { reason: string; seconds: number },
): Promise<void> {
  await ctx.db.query(
    `update schedule_ticks set reason = $3, retry_at = clock_timestamp() + $4 * interval '1 s', decided_at = now()
      where schedule_id = $1 and tick_at = $2`,
    [scheduleId, tick, reason, seconds],
  );
}

export async function skipWaitingTicks(ctx: Context, scheduleId: string): Promise<void> {
  await ctx.db.query(
    `update schedule_ticks set outcome = 'skipped', reason = 'the schedule was paused', decided_at = now()
      where schedule_id = $1 and outcome = 'waiting'`,
    [scheduleId],
  );
}
