import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, isTransient, preparedStatement } from '@lensforge/database';
import type { RunEnding } from '../end/end-run.js';
import { endRun } from '../end/end-run.js';
import { requeueRun } from './requeue-run.js';

export interface ReconcileLimits {
  /** A run that lost this many workers is given up. */
  maxLost: number;
  /** How long a worker is given to stop before its run is canceled without it. */
  cancelGraceMs: number;
  limit: number;
}

/** Of whoever reconciles: all have to mean the same. */
export const reconcileLimits: ReconcileLimits = { maxLost: 3, cancelGraceMs: 10_000, limit: 200 };

export interface Reconciled {
  expired: number;
  timedOut: number;
  canceled: number;
  givenUp: number;
  events: RunEvent[];
  /** Whose runs have ended: others of theirs may have the places. */
  accountIds: Set<string>;
  /** What stood in the way of single runs; they will be tried again. */
  faults: { runId: string; reason: unknown }[];
}

interface Overdue {
  id: string;
  accountId: string;
  attempt: number;
  status: 'queued' | 'running';
  lostAttempts: number;
  pastDeadline: boolean;
  cancelRequested: boolean;
  isLocal: boolean;
  isTracking: boolean;
}

/** A machine that was lost with a run so often will not come back for it. */
const mostLostLocally = 3;

const overdueRunning = `status = 'running' and (lease_until <= now() or deadline_at <= now()
                            or cancel_requested_at <= now() - $2 * interval '1 ms')`;
const overdueQueued = `status = 'queued' and deadline_at <= now()`;

const findOverdue = preparedStatement(`
(select id from runs where ${overdueRunning} limit $1)
union all
(select id from runs where ${overdueQueued} limit $1)`);

const lockOverdue = `
select id, account_id as "accountId", attempt, status, lost_attempts as "lostAttempts", deadline_at <= now() as "pastDeadline",
       cancel_requested_at is not null as "cancelRequested", waits_for is not distinct from 'runner' as "isLocal",
       waits_for is not distinct from 'report' as "isTracking"
  from runs where id = $1 and (${overdueRunning} or ${overdueQueued}) for update skip locked`;

/**
 * Ends or requeues what no worker will: expired leases, passed deadlines, cancellations that were not heard. The
 * database's clock decides. Any number of processes may do this at once: each run is settled by one of them, in a
 * transaction of its own, so that a run which cannot be settled keeps no other waiting.
 */
export async function reconcileRuns(ctx: Context, limits: ReconcileLimits): Promise<Reconciled> {
  const done: Reconciled = {
    expired: 0,
    timedOut: 0,
    canceled: 0,
    givenUp: 0,
    events: [],
    accountIds: new Set(),
    faults: [],
  };
  const found = await ctx.db.query<{ id: string }[]>(findOverdue, [limits.limit, limits.cancelGraceMs]);
  for (const { id: runId } of found) {
    try {
      const settled = await settleOverdue(ctx, runId, limits);
      for (const count of settled?.counts ?? []) done[count] += 1;
      done.events.push(...(settled?.events ?? []));
      if (settled?.endedOf !== undefined) done.accountIds.add(settled.endedOf);
    } catch (reason) {
      if (isTransient(reason)) throw reason;
      done.faults.push({ runId, reason });
    }
  }
  return done;
}

interface Remedy {
  counts: ('expired' | 'timedOut' | 'canceled' | 'givenUp')[];
  /** Without an ending the run goes back into the queue. */
  ending?: Pick<RunEnding, 'status' | 'reason' | 'errorCode' | 'errorMessage'>;
}

const notReported: Remedy = {
  counts: ['canceled'],
  ending: {
    status: 'canceled',
    reason: 'not_reported',
    errorCode: 'NOT_REPORTED',
    errorMessage: 'The caller did not report the outcome of this tracking record in time',
  },
};

function remedyFor({ cancelRequested, pastDeadline, lostAttempts, isTracking }: Overdue, mostLost: number): Remedy {
  if (cancelRequested)
    return { counts: ['canceled'], ending: { status: 'canceled', reason: 'canceled by the caller' } };
  if (isTracking) return notReported;
  if (pastDeadline) {
    const reason = 'the run did not end in time';
    return { counts: ['timedOut'], ending: { status: 'timed_out', reason, errorCode: 'RUN_TIMED_OUT' } };
  }
  if (lostAttempts + 1 < mostLost) return { counts: ['expired'] };
  const reason = `the worker was lost ${mostLost} times while it executed this run`;
  return { counts: ['expired', 'givenUp'], ending: { status: 'failed', reason, errorCode: 'WORKER_LOST' } };
}

interface Settled {
  counts: Remedy['counts'];
  events: RunEvent[];
  /** Its account, where the run has ended. */
  endedOf: string | undefined;
}

function settleOverdue(ctx: Context, runId: string, limits: ReconcileLimits): Promise<Settled | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const [run] = await ctx.db.query<Overdue[]>(lockOverdue, [runId, limits.cancelGraceMs]);
    if (!run) return undefined;
    const { status: from, attempt } = run;
    const mostLost = run.isLocal ? Math.min(mostLostLocally, limits.maxLost) : limits.maxLost;
    const { counts, ending } = remedyFor(run, mostLost);
    const events = ending
      ? await endRun(ctx, { runId, from, attempt, ...ending })
      : await requeueRun(ctx, { runId, attempt, reason: 'the worker was lost', lost: true });
    return events && { counts, events, endedOf: ending && run.accountId };
  });
}
