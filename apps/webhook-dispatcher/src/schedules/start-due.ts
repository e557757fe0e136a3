import type { Scope } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { AcceptedRun, CountRun } from '@lensforge/runs';
import { acceptWorkflowRun } from '@lensforge/runs';
import type { MissedPolicy, OverlapPolicy, TickOutcome } from '@lensforge/workflows';
import { ticksDue } from './ticks-due.js';

interface DueSchedule {
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
}

export interface Decided {
  scheduleId: string;
  runs: AcceptedRun[];
}

interface Wishes {
  timeoutMs: number;
  /** Runs of schedules count in the rate class of their account; a tick waits while that is used up. */
  countRun: CountRun;
  /** Schedules that are left alone for now. */
  except?: readonly string[];
  onTaken?: (scheduleId: string) => void;
}

type Starting = Pick<Wishes, 'timeoutMs' | 'countRun'>;

const columns = `
  s.id, s.workflow_id as "workflowId", s.account_id as "accountId", s.cron, s.time_zone as "timeZone", s.inputs, s.overlap,
  s.missed, s.enabled, s.next_at as "nextAt", clock_timestamp() as now, a.disabled_at is not null as "ownerIsDisabled"`;
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

const mostWaiting = 10;
const scopes: readonly Scope[] = ['workflows:write', 'lenses:read'];

/**
 * Decides on the ticks of one schedule whose time has come, or starts the run of one that waited. The lock on the
 * schedule and the row of each tick let each tick start one run, however many do this at once.
 */
export async function startDue(
  ctx: Context,
  { except = [], onTaken, ...starting }: Wishes,
): Promise<Decided | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const [schedule] = await ctx.db.query<DueSchedule[]>(due, [except]);
    if (schedule) onTaken?.(schedule.id);
    if (schedule) return decide(ctx, schedule, starting);
    const [waiting] = await ctx.db.query<DueSchedule[]>(freed, [except]);
    if (waiting) onTaken?.(waiting.id);
    return waiting && startWaiting(ctx, waiting, starting);
  });
}

async function decide(ctx: Context, schedule: DueSchedule, starting: Starting): Promise<Decided> {
  const { id: scheduleId, nextAt, now, missed } = schedule;
  if (schedule.ownerIsDisabled) {
    await pauseSchedule(ctx, scheduleId, 'its owner is disabled');
    return { scheduleId, runs: [] };
  }
  const { late, fresh, next } = ticksDue(schedule, nextAt ?? now, now);
  await ctx.db.query('update schedules set next_at = $2 where id = $1', [scheduleId, next]);
  await ctx.db.query(
    `delete from schedule_ticks where schedule_id = $1 and outcome <> 'waiting' and tick_at < now() - interval '90 days'`,
    [scheduleId],
  );
  const caughtUp = missed === 'run_once' ? late.slice(-1) : [];
  const lost = caughtUp.length > 0 ? late.slice(0, -1) : late;
  for (const tick of lost)
    await record(ctx, scheduleId, tick, { outcome: 'missed', reason: 'missed: no scheduler was running' });
  const runs: AcceptedRun[] = [];
  for (const tick of [...caughtUp, ...fresh]) {
    const run = await startTick(ctx, schedule, tick, starting);
    if (run === 'paused') break;
    if (run) runs.push(run);
  }
  return { scheduleId, runs };
}

/** Starts a run for a tick, unless the tick was decided on before or an earlier run stands in its way. */
async function startTick(
  ctx: Context,
  schedule: DueSchedule,
  tick: Date,
  starting: Starting,
): Promise<AcceptedRun | 'paused' | undefined> {
  const { id, overlap } = schedule;
  const [state] = await ctx.db.query<[{ busy: boolean; waiting: number }]>(
    `select ${unfinished('$1')} as busy,
            (select count(*)::int from schedule_ticks where schedule_id = $1 and outcome = 'waiting') as waiting`,
    [id],
  );
  if (state.waiting > 0 || (overlap !== 'allow' && state.busy)) {
    const mayWait = overlap !== 'skip';
    const waits = mayWait && state.waiting < mostWaiting;
    const why = state.busy && overlap !== 'allow' ? 'an earlier run has not ended' : 'an earlier tick still waits';
    const reason = mayWait && !waits ? 'too many earlier ticks are waiting' : why;
    await record(ctx, id, tick, { outcome: waits ? 'waiting' : 'skipped', reason });
    return undefined;
  }
  if (!(await record(ctx, id, tick, { outcome: 'waiting', reason: null }))) return undefined;
  return begin(ctx, schedule, { at: tick, retryAt: null }, starting);
}

interface WaitingTick {
  at: Date;
  /** Set once the limit of its account has held it back. */
  retryAt: Date | null;
}

/** Starts the run of a tick that has its row. */
async function begin(
  ctx: Context,
  { id, workflowId, accountId, inputs, missed }: DueSchedule,
  tick: WaitingTick,
  { timeoutMs, countRun }: Starting,
): Promise<AcceptedRun | 'paused' | undefined> {
  const tickAt = tick.at.toISOString();
  const actor = { credential: { kind: 'service', id }, accountId, userId: null, scopes } as const;
  const settle = (outcome: TickOutcome, reason: string | null, runId: string | null) =>
    ctx.db.query(
      `update schedule_ticks set outcome = $3, reason = $4, run_id = $5, decided_at = now()
        where schedule_id = $1 and tick_at = $2`,
      [id, tick.at, outcome, reason, runId],
    );
  const usedUp = await countRun(accountId, 'run');
  if (usedUp) {
    const reason = `the account has used up its ${usedUp.limit} workflow runs a minute`;
    if (missed === 'skip' && tick.retryAt) await settle('missed', `${reason}, and those of the next one`, null);
    else await postpone(ctx, id, tick, { reason, seconds: usedUp.retryAfter });
    return undefined;
  }
  try {
    const run = await acceptWorkflowRun(
      { ...ctx, actor },
      {
        ...{ workflowId, inputs, timeoutMs, onRepeat: 'existing', idempotencyKey: `schedule:${id}:${tickAt}` },
        cause: { kind: 'schedule', scheduleId: id, tickAt },
      },
    );
    await settle('started', null, run.runId);
    return run;
  } catch (reason) {
    if (!(reason instanceof DomainError)) throw reason;
    await settle('failed', `${reason.code}: ${reason.message}`.slice(0, 1000), null);
    if (reason.code !== 'NOT_FOUND') return undefined;
    await pauseSchedule(ctx, id, 'its workflow no longer exists');
    return 'paused';
  }
}

const postpone = (
  ctx: Context,
  scheduleId: string,
  { at }: WaitingTick,
  { reason, seconds }: { reason: string; seconds: number },
): Promise<unknown> =>
  ctx.db.query(
    `update schedule_ticks set reason = $3, retry_at = clock_timestamp() + $4 * interval '1 s', decided_at = now()
      where schedule_id = $1 and tick_at = $2`,
    [scheduleId, at, reason, seconds],
  );

async function startWaiting(ctx: Context, schedule: DueSchedule, starting: Starting): Promise<Decided> {
  const { id: scheduleId } = schedule;
  const [tick] = await ctx.db.query<WaitingTick[]>(
    `select tick_at as at, retry_at as "retryAt" from schedule_ticks
      where schedule_id = $1 and outcome = 'waiting' order by tick_at limit 1`,
    [scheduleId],
  );
  if (!tick) return { scheduleId, runs: [] };
  if (!schedule.enabled || schedule.ownerIsDisabled) {
    await ctx.db.query(
      `update schedule_ticks set outcome = 'skipped', reason = 'the schedule was paused', decided_at = now()
        where schedule_id = $1 and outcome = 'waiting'`,
      [scheduleId],
    );
    return { scheduleId, runs: [] };
  }
  const run = await begin(ctx, schedule, tick, starting);
  return { scheduleId, runs: run && run !== 'paused' ? [run] : [] };
}

/** False when there is a row of this tick already. */
async function record(
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

const pauseSchedule = (ctx: Context, scheduleId: string, reason: string): Promise<unknown> =>
  ctx.db.query(
    `update schedules set enabled = false, next_at = null, paused_reason = $2, updated_at = now() where id = $1`,
    [scheduleId, reason],
  );
