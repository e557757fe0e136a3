import type { RunCause } from '@lensforge/contracts';
import { type Context, DomainError, readRights } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { dueTicks } from '@lensforge/workflows';
import { acceptWorkflowRun } from '../accept/accept-workflow-run.js';
import type { CountRun } from '../accept/count-run.js';
import {
  type DueSchedule,
  type WaitingTick,
  firstWaitingTick,
  insertTick,
  lockDueSchedule,
  lockFreedSchedule,
  moveToNextTick,
  pauseSchedule,
  postponeTick,
  readEarlierTicks,
  settleTick,
  skipWaitingTicks,
  suspendSchedule,
} from './schedule-rows.js';

interface RunSettings {
  timeoutMs: number;
  /** Counts runs of schedules in the rate class of their account; a tick waits while the limit is used up. */
  countRun: CountRun;
}

export interface ScheduledRunsInput extends RunSettings {
  /** Ids of schedules that are passed over. */
  except?: readonly string[];
  /** Receives the id of the schedule before anything is decided. */
  onLocked?: (scheduleId: string) => void;
}

const maxWaiting = 10;

/**
 * Decides on the due ticks of one schedule, or starts the run of a tick that waited; false when there is neither. The
 * lock on the schedule and the unique row of each tick let a tick start one run, whatever the number of workers.
 */
export function startScheduledRuns(
  ctx: Context,
  { except = [], onLocked, ...settings }: ScheduledRunsInput,
): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const due = await lockDueSchedule(ctx, except);
    if (due) {
      onLocked?.(due.id);
      await startDueTicks(ctx, due, settings);
      return true;
    }
    const freed = await lockFreedSchedule(ctx, except);
    if (!freed) return false;
    onLocked?.(freed.id);
    await startWaitingTick(ctx, freed, settings);
    return true;
  });
}

async function startDueTicks(ctx: Context, schedule: DueSchedule, settings: RunSettings): Promise<void> {
  const { id: scheduleId, nextAt, now, missed } = schedule;
  if (schedule.ownerIsDisabled) {
    await pauseSchedule(ctx, scheduleId, 'its owner is disabled');
    return;
  }
  if (schedule.authority === null) {
    await suspendSchedule(ctx, scheduleId);
    return;
  }
  const { late, fresh, next } = dueTicks(schedule, nextAt ?? now, now);
  await moveToNextTick(ctx, scheduleId, next);
  const caughtUp = missed === 'run_once' ? late.slice(-1) : [];
  const lost = caughtUp.length > 0 ? late.slice(0, -1) : late;
  for (const tick of lost)
    await insertTick(ctx, scheduleId, tick, { outcome: 'missed', reason: 'missed: no scheduler was running' });
  for (const tick of [...caughtUp, ...fresh]) {
    if ((await startTick(ctx, schedule, tick, settings)) === 'paused') return;
  }
}

/** Starts a run for a tick, unless the tick has a row already or the overlap policy forbids it. */
async function startTick(
  ctx: Context,
  schedule: DueSchedule,
  tick: Date,
  settings: RunSettings,
): Promise<'paused' | undefined> {
  const { id, overlap } = schedule;
  const { busy, waiting } = await readEarlierTicks(ctx, id);
  if (waiting > 0 || (overlap !== 'allow' && busy)) {
    const mayWait = overlap !== 'skip';
    const waits = mayWait && waiting < maxWaiting;
    const why = busy && overlap !== 'allow' ? 'an earlier run has not ended' : 'an earlier tick still waits';
    const reason = mayWait && !waits ? 'too many earlier ticks are waiting' : why;
    await insertTick(ctx, id, tick, { outcome: waits ? 'waiting' : 'skipped', reason });
    return undefined;
  }
  if (!(await insertTick(ctx, id, tick, { outcome: 'waiting', reason: null }))) return undefined;
  return startRun(ctx, schedule, { at: tick, retryAt: null }, settings);
}

/** Starts the run of a tick that has its row. */
async function startRun(
  ctx: Context,
  { id, workflowId, accountId, inputs, missed, authority }: DueSchedule,
  tick: WaitingTick,
  { timeoutMs, countRun }: RunSettings,
): Promise<'paused' | undefined> {
  const usedUp = await countRun(accountId, 'run');
  if (usedUp) {
    const reason = `the account has used up its ${usedUp.limit} workflow runs a minute`;
    if (missed === 'skip' && tick.retryAt)
      await settleTick(ctx, id, tick.at, { outcome: 'missed', reason: `${reason}, and those of the next one` });
    else await postponeTick(ctx, id, tick.at, { reason, seconds: usedUp.retryAfter });
    return undefined;
  }
  const tickAt = tick.at.toISOString();
  const { scopes, creditLimit } = readRights(authority);
  const credential = { kind: 'service', id, ...(creditLimit && { creditLimit }) } as const;
  const actor = { credential, accountId, userId: null, scopes };
  try {
    const run = await acceptWorkflowRun(
      { ...ctx, actor },
      {
        workflowId,
        inputs,
        timeoutMs,
        onRepeat: 'existing',
        idempotencyKey: `schedule:${id}:${tickAt}`,
        cause: { kind: 'schedule', scheduleId: id, tickAt } satisfies RunCause,
        isDeferred: true,
      },
    );
    await settleTick(ctx, id, tick.at, { outcome: 'started', runId: run.runId });
    return undefined;
  } catch (reason) {
    if (!(reason instanceof DomainError)) throw reason;
    const said = `${reason.code}: ${reason.message}`.slice(0, 1000);
    await settleTick(ctx, id, tick.at, { outcome: 'failed', reason: said });
    if (reason.code !== 'NOT_FOUND') return undefined;
    await pauseSchedule(ctx, id, 'its workflow no longer exists');
    return 'paused';
  }
}

async function startWaitingTick(ctx: Context, schedule: DueSchedule, settings: RunSettings): Promise<void> {
  const { id: scheduleId } = schedule;
  const tick = await firstWaitingTick(ctx, scheduleId);
  if (!tick) return;
  if (!schedule.enabled || schedule.ownerIsDisabled) {
    return skipWaitingTicks(ctx, scheduleId);
  }
  if (schedule.authority === null) {
    await suspendSchedule(ctx, scheduleId);
    return skipWaitingTicks(ctx, scheduleId);
  }
  // The statement that locked the schedule may have looked at the state before another worker, which held the lock, committed.
  const { busy } = await readEarlierTicks(ctx, scheduleId);
  if ((busy && schedule.overlap !== 'allow') || (tick.retryAt && tick.retryAt > schedule.now)) return;
  await startRun(ctx, schedule, tick, settings);
}
