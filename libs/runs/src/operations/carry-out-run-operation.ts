import type { RunEvent, RunOperationAction, RunOperationJob } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { Actor, Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { enqueue, inTransaction, isTransient, withDbRetry } from '@lensforge/database';
import type { AcceptedRun } from '../accept/accept-lens-run.js';
import { writableKinds } from '../access.js';
import { cancelRun } from '../end/cancel-run.js';
import type { CountRun } from '../accept/count-run.js';
import { retryRun } from '../accept/retry-run.js';
import { runsMatching } from '../read/run-filter.js';
import type { RunOperation } from './run-operation.entity.js';
import { statusesFor } from './start-run-operation.js';

/** What follows on a commit: nothing of it is waited for. */
export interface RunChangeHandlers {
  publish: (events: readonly RunEvent[]) => void;
  requestStop: (runId: string) => void;
  /** A run of this account has ended: another may have its place. */
  runEnded: (accountId: string) => void;
  runAccepted: (accepted: AcceptedRun) => void;
  onFault: (reason: unknown, runId: string) => void;
}

export interface OperationParts extends RunChangeHandlers {
  /** Aborted when the process must end: the operation is given back. */
  signal: AbortSignal;
  leaseMs: number;
  page: number;
  /** How long it waits when the account may have no more runs at the moment. */
  pauseMs: number;
  /** Retried runs count in the rate class of their account; the operation waits while that is used up. */
  countRun: CountRun;
}

type Claimed = Pick<
  RunOperation,
  'id' | 'accountId' | 'action' | 'filter' | 'retryFrom' | 'position' | 'attempt' | 'requestId' | 'traceparent'
> & { askedBy: Actor; createdAt: Date };

type Outcome = 'done' | 'lost' | { waitMs: number };

/** Does to each run that fits what was asked for, newest first. Each counts in the commit that deals with it. */
export async function carryOutRunOperation(ctx: Context, job: RunOperationJob, parts: OperationParts): Promise<void> {
  const operation = await withDbRetry(() => claim(ctx, job, parts.leaseMs));
  if (!operation) return;
  const { askedBy: actor, requestId, traceparent } = operation;
  const theirs: Context = { ...ctx, actor, requestId, traceparent: traceparent ?? undefined };
  let { position } = operation;
  for (;;) {
    const runIds = await withDbRetry(() => nextPage(theirs, operation, position, parts.page));
    if (runIds.length === 0) return withDbRetry(() => end(ctx, operation));
    for (const runId of runIds) {
      if (parts.signal.aborted) return withDbRetry(() => giveBack(ctx, operation, 0));
      const outcome = await dealWith(theirs, operation, runId, parts);
      if (outcome === 'lost') return withDbRetry(() => endCanceled(ctx, operation));
      if (outcome !== 'done') return withDbRetry(() => giveBack(ctx, operation, outcome.waitMs));
      position = runId;
    }
  }
}

async function claim(ctx: Context, job: RunOperationJob, leaseMs: number): Promise<Claimed | undefined> {
  const [rows] = await ctx.db.query<[Claimed[], number]>(
    `update run_operations set status = 'running', attempt = attempt + 1, lease_until = now() + $3 * interval '1 ms',
            started_at = coalesce(started_at, now())
      where id = $1 and generation = $2 and status = 'queued'
      returning id, account_id as "accountId", asked_by as "askedBy", action, filter, retry_from as "retryFrom", position,
                attempt, request_id as "requestId", traceparent, created_at as "createdAt"`,
    [job.operationId, job.generation, leaseMs],
  );
  return rows[0];
}

async function nextPage(
  ctx: Context,
  { accountId, action, filter, createdAt: upTo }: Claimed,
  below: string | null,
  limit: number,
): Promise<string[]> {
  const kinds = writableKinds(ctx, filter.kind);
  const status = filter.status ?? statusesFor(action);
  const { sql, parameters } = runsMatching('r.id', {
    ...{ accountId, kinds, below, upTo, limit },
    filter: { ...filter, status },
  });
  return (await ctx.db.query<{ id: string }[]>(sql, parameters)).map(({ id }) => id);
}

/** The run and the count of it in one commit; a run that refuses is counted in another. */
async function dealWith(ctx: Context, operation: Claimed, runId: string, parts: OperationParts): Promise<Outcome> {
  let after: After | undefined;
  try {
    after = await inTransaction(ctx, async (ctx) =>
      (await advance(ctx, operation, runId, parts.leaseMs))
        ? verbs[operation.action](ctx, operation, runId, parts)
        : undefined,
    );
  } catch (reason) {
    if (isTransient(reason)) throw reason;
    return countRefused(ctx, operation, runId, parts, reason);
  }
  after?.(parts);
  return after ? 'done' : 'lost';
}

async function countRefused(
  ctx: Context,
  operation: Claimed,
  runId: string,
  { leaseMs, onFault, pauseMs }: OperationParts,
  reason: unknown,
): Promise<Outcome> {
  const isRefusal = reason instanceof DomainError;
  if (isRefusal && (reason.code === 'RATE_LIMITED' || reason.code === 'THROTTLED')) {
    const { reason: why, retryAfter } = reason.details ?? {};
    return { waitMs: why === 'rate' && typeof retryAfter === 'number' ? retryAfter * 1000 : pauseMs };
  }
  if (!isRefusal) onFault(reason, runId);
  const fault = isRefusal ? reason : { code: 'INTERNAL', message: 'an unexpected fault of the platform' };
  const counted = await withDbRetry(() => advance(ctx, operation, runId, leaseMs, fault));
  return counted ? 'done' : 'lost';
}

type After = (parts: RunChangeHandlers) => void;

type Verb = (ctx: Context, operation: Claimed, runId: string, parts: OperationParts) => Promise<After>;

const verbs: Record<RunOperationAction, Verb> = {
  cancel: async (ctx, _operation, runId) => {
    const { accountId, status, events } = await cancelRun(ctx, runId);
    return ({ publish, requestStop, runEnded }) => {
      publish(events);
      if (events.length > 0) runEnded(accountId);
      if (status === 'running') requestStop(runId);
    };
  },
  retry: async (ctx, { id, retryFrom }, runId, { countRun }) => {
    const from = retryFrom === 'failed_nodes' ? retryFrom : 'start';
    const accepted = await retryRun(ctx, { runId, from, idempotencyKey: `by operation ${id}`, countRun });
    return ({ runAccepted }) => runAccepted(accepted);
  },
};

/** Whether the operation is still this worker's, and goes on. */
async function advance(
  ctx: Context,
  { id, attempt }: Claimed,
  runId: string,
  leaseMs: number,
  fault?: { code: string; message: string },
): Promise<boolean> {
  const [, count] = await ctx.db.query<[unknown, number]>(
    `update run_operations set position = $3, matched = matched + 1, lease_until = now() + $4 * interval '1 ms',
            done = done + case when $5::text is null then 1 else 0 end,
            failed = failed + case when $5::text is null then 0 else 1 end,
            error_code = coalesce($5, error_code), error_message = coalesce($6, error_message)
      where id = $1 and attempt = $2 and status = 'running' and cancel_requested_at is null`,
    [id, attempt, runId, leaseMs, fault?.code ?? null, fault?.message ?? null],
  );
  return count > 0;
}

const mine = `id = $1 and attempt = $2 and status = 'running'`;

async function end(ctx: Context, { id, attempt }: Claimed): Promise<void> {
  await ctx.db.query(
    `update run_operations set status = 'succeeded', completed_at = now(), lease_until = null where ${mine}`,
    [id, attempt],
  );
}

/** Nothing happens when it was lost to another worker rather than canceled. */
async function endCanceled(ctx: Context, { id, attempt }: Claimed): Promise<void> {
  await ctx.db.query(
    `update run_operations set status = 'canceled', completed_at = now(), lease_until = null
      where ${mine} and cancel_requested_at is not null`,
    [id, attempt],
  );
}

function giveBack(ctx: Context, { id, attempt }: Claimed, delayMs: number): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const [rows] = await ctx.db.query<[Requeued[], number]>(`${requeue} where ${mine} ${requeued}`, [
      id,
      attempt,
      delayMs,
    ]);
    for (const row of rows) await postAgain(ctx, row);
  });
}

interface Requeued {
  id: string;
  generation: number;
  dueAt: Date;
  requestId: string;
  traceparent: string | null;
}

const requeue = `
  update run_operations set status = 'queued', generation = generation + 1, lease_until = null,
         queued_at = now() + $3 * interval '1 ms'`;
const requeued = `returning id, generation, queued_at as "dueAt", request_id as "requestId", traceparent`;

async function postAgain(ctx: Context, { id, generation, dueAt, requestId, traceparent }: Requeued): Promise<void> {
  await enqueue(
    { ...ctx, requestId, traceparent: traceparent ?? undefined },
    jobs.carryOutRunOperation,
    { operationId: id, generation },
    { jobId: `${id}-g${generation}`, availableAt: dueAt },
  );
}

const mostLost = 5;
const queuedForMs = 30_000;

/**
 * Puts operations back into the queue whose worker or job was lost; those that lost too many workers are given up.
 * Returns how many.
 */
export function restoreRunOperations(ctx: Context): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const [, given] = await ctx.db.query<[unknown, number]>(
      `update run_operations
          set status = case when cancel_requested_at is null then 'failed' else 'canceled' end,
              error_code = case when cancel_requested_at is null then 'WORKER_LOST' else error_code end,
              error_message = case when cancel_requested_at is null then 'its workers were lost ${mostLost} times' else error_message end,
              completed_at = now(), lease_until = null
        where completed_at is null and status = 'running' and lease_until <= now() and (cancel_requested_at is not null or lost_attempts + 1 >= $1)`,
      [mostLost],
    );
    const [rows] = await ctx.db.query<[Requeued[], number]>(
      `update run_operations set status = 'queued', generation = generation + 1, lease_until = null, queued_at = now(),
              lost_attempts = lost_attempts + case when status = 'running' then 1 else 0 end
        where id = any (array(select id from run_operations where completed_at is null
                and (status = 'running' and lease_until <= now() or status = 'queued' and queued_at <= now() - $1 * interval '1 ms')
              order by id limit 100 for update skip locked)) ${requeued}`,
      [queuedForMs],
    );
    for (const row of rows) await postAgain(ctx, row);
    return given + rows.length;
  });
}
