import type { Context } from '@lensforge/core';
import { inTransaction, isTransient, preparedStatement } from '@lensforge/database';
import { type RunEnding, endRun } from '../end/end-run.js';
import { requeueRun } from './requeue-run.js';

export interface ReconcileLimits {
  /** A run that lost this many workers fails. */
  maxLost: number;
  /** The time that a worker has to stop before its run is canceled without it. */
  cancelGraceMs: number;
  limit: number;
}

/** The limits that all processes must use. */
export const reconcileLimits: ReconcileLimits = { maxLost: 3, cancelGraceMs: 10_000, limit: 200 };

export interface Reconciled {
  expired: number;
  timedOut: number;
  canceled: number;
  givenUp: number;
  /** Errors of single runs; the next call retries them. */
  faults: { runId: string; reason: unknown }[];
}

interface Overdue {
  id: string;
  attempt: number;
  status: 'queued' | 'running';
  lostAttempts: number;
  pastDeadline: boolean;
  cancelRequested: boolean;
  isLocal: boolean;
  isTracking: boolean;
  isUnapproved: boolean;
}

/** The limit for runs that a local runner executes. */
const maxLostLocally = 3;

const overdueRunning = `status = 'running' and (lease_until <= now() or deadline_at <= now()
                            or cancel_requested_at <= now() - $2 * interval '1 ms')`;
const overdueQueued = `status = 'queued' and deadline_at <= now()`;

const findOverdue = preparedStatement(`
(select id from runs where ${overdueRunning} limit $1)
union all
(select id from runs where ${overdueQueued} limit $1)`);

const lockOverdue = `
select id, attempt, status, lost_attempts as "lostAttempts", deadline_at <= now() as "pastDeadline",
       cancel_requested_at is not null as "cancelRequested", waits_for is not distinct from 'runner' as "isLocal",
       waits_for is not distinct from 'report' as "isTracking",
       waits_for is not distinct from 'approval' as "isUnapproved"
  from runs where id = $1 and (${overdueRunning} or ${overdueQueued}) for update skip locked`;

/**
 * Ends or requeues runs that their workers abandoned: expired leases, passed deadlines, ignored cancellations, by the
 * clock of the database. Any number of processes may call this at once. Each run has a transaction of its own, so that
 * one that fails does not block the others.
 */
export async function reconcileRuns(ctx: Context, limits: ReconcileLimits): Promise<Reconciled> {
  const done: Reconciled = {
    expired: 0,
    timedOut: 0,
    canceled: 0,
    givenUp: 0,
    faults: [],
  };
  const found = await ctx.db.query<{ id: string }[]>(findOverdue, [limits.limit, limits.cancelGraceMs]);
  for (const { id: runId } of found) {
    try {
      const settled = await settleOverdue(ctx, runId, limits);
      for (const count of settled ?? []) done[count] += 1;
    } catch (reason) {
      if (isTransient(reason)) throw reason;
      done.faults.push({ runId, reason });
    }
  }
  return done;
}

interface Remedy {
  counts: ('expired' | 'timedOut' | 'canceled' | 'givenUp')[];
  /** Without an ending the run is queued again. */
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

const notApproved: Remedy = {
  counts: ['canceled'],
  ending: {
    status: 'canceled',
    reason: 'not_approved',
    errorCode: 'NOT_APPROVED',
    errorMessage: 'The owner did not approve this run in time',
  },
};

function remedyFor(
  { cancelRequested, pastDeadline, lostAttempts, isTracking, isUnapproved }: Overdue,
  maxLost: number,
): Remedy {
  if (cancelRequested)
    return { counts: ['canceled'], ending: { status: 'canceled', reason: 'canceled by the caller' } };
  if (isTracking) return notReported;
  if (isUnapproved) return notApproved;
  if (pastDeadline) {
    const reason = 'the run did not end in time';
    return { counts: ['timedOut'], ending: { status: 'timed_out', reason, errorCode: 'RUN_TIMED_OUT' } };
  }
  if (lostAttempts + 1 < maxLost) return { counts: ['expired'] };
  const reason = `the worker was lost ${maxLost} times while it executed this run`;
  return { counts: ['expired', 'givenUp'], ending: { status: 'failed', reason, errorCode: 'WORKER_LOST' } };
}

function settleOverdue(ctx: Context, runId: string, limits: ReconcileLimits): Promise<Remedy['counts'] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const [run] = await ctx.db.query<Overdue[]>(lockOverdue, [runId, limits.cancelGraceMs]);
    if (!run) return undefined;
    const { status: from, attempt } = run;
    const maxLost = run.isLocal ? Math.min(maxLostLocally, limits.maxLost) : limits.maxLost;
    const { counts, ending } = remedyFor(run, maxLost);
    const events = ending
      ? await endRun(ctx, { runId, from, attempt, ...ending })
      : await requeueRun(ctx, { runId, attempt, reason: 'the worker was lost', lost: true });
    return events && counts;
  });
}
