import { type RunOperationAction, type RunOperationJob, jobs } from '@lensforge/contracts';
import { type Actor, type Context, DomainError } from '@lensforge/core';
import { enqueue, inTransaction, isRevoked, isTransient, withDbRetry } from '@lensforge/database';
import { writableKinds } from '../access.js';
import { cancelRun } from '../end/cancel-run.js';
import type { CountRun } from '../accept/count-run.js';
import { retryRun } from '../accept/retry-run.js';
import { runsMatching } from '../read/run-filter.js';
import type { RunOperation } from './run-operation.entity.js';
import { statusesFor } from './start-run-operation.js';

export interface OperationParts {
  onFault: (reason: unknown, runId: string) => void;
  /** Aborted when the process stops; the operation is queued again. */
  signal: AbortSignal;
  leaseMs: number;
  page: number;
  /** The delay after the account has reached its backlog limit. */
  pauseMs: number;
  /** Counts retried runs in the rate class of their account; the operation waits while the limit is exceeded. */
  countRun: CountRun;
}

type Claimed = Pick<
  RunOperation,
  'id' | 'accountId' | 'action' | 'filter' | 'retryFrom' | 'position' | 'attempt' | 'requestId' | 'traceparent'
> & { askedBy: Actor; createdAt: string };

/** A run that an operation processes. */
interface RunTask {
  operation: Claimed;
  runId: string;
  parts: OperationParts;
}

type Outcome = 'done' | 'lost' | { waitMs: number };

/** Applies the operation to each matching run, newest first, until its token is revoked. Each run is counted in the commit that processes it. */
export async function carryOutRunOperation(ctx: Context, job: RunOperationJob, parts: OperationParts): Promise<void> {
  const operation = await withDbRetry(() => claim(ctx, job, parts.leaseMs));
  if (!operation) return;
  const { askedBy: actor, requestId, traceparent } = operation;
  const callerCtx: Context = { ...ctx, actor, requestId, traceparent: traceparent ?? undefined };
  let { position } = operation;
  for (;;) {
    if (await withDbRetry(() => isRevoked(callerCtx))) return withDbRetry(() => endRevoked(ctx, operation));
    const runIds = await withDbRetry(() => nextPage(callerCtx, operation, position, parts.page));
    if (runIds.length === 0) return withDbRetry(() => end(ctx, operation));
    for (const runId of runIds) {
      if (parts.signal.aborted) return withDbRetry(() => requeueOperation(ctx, operation, 0));
      const outcome = await processRun(callerCtx, { operation, runId, parts });
      if (outcome === 'lost') return withDbRetry(() => endCanceled(ctx, operation));
      if (outcome !== 'done') return withDbRetry(() => requeueOperation(ctx, operation, outcome.waitMs));
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
                attempt, request_id as "requestId", traceparent, created_at::text as "createdAt"`,
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
    accountId,
    kinds,
    below,
    upTo,
    limit,
    filter: { ...filter, status },
  });
  return (await ctx.db.query<{ id: string }[]>(sql, parameters)).map(({ id }) => id);
}

/** Processes and counts a run in one commit; a refused run is counted in a second one. */
async function processRun(ctx: Context, task: RunTask): Promise<Outcome> {
  try {
    return await inTransaction(ctx, async (ctx) => {
      if (!(await advance(ctx, task))) return 'lost';
      await actions[task.operation.action](ctx, task);
      return 'done';
    });
  } catch (reason) {
    if (isTransient(reason)) throw reason;
    return countRefused(ctx, task, reason);
  }
}

async function countRefused(ctx: Context, task: RunTask, reason: unknown): Promise<Outcome> {
  const { onFault, pauseMs } = task.parts;
  const isRefusal = reason instanceof DomainError;
  if (isRefusal && (reason.code === 'RATE_LIMITED' || reason.code === 'THROTTLED')) {
    const { reason: cause, retryAfter } = reason.details ?? {};
    return { waitMs: cause === 'rate' && typeof retryAfter === 'number' ? retryAfter * 1000 : pauseMs };
  }
  if (!isRefusal) onFault(reason, task.runId);
  const fault = isRefusal ? reason : { code: 'INTERNAL', message: 'an unexpected fault of the platform' };
  const counted = await withDbRetry(() => advance(ctx, task, fault));
  return counted ? 'done' : 'lost';
}

type Action = (ctx: Context, task: RunTask) => Promise<unknown>;

const actions: Record<RunOperationAction, Action> = {
  cancel: (ctx, { runId }) => cancelRun(ctx, runId),
  retry: (ctx, { operation, runId, parts: { countRun } }) => {
    const from = operation.retryFrom === 'failed_nodes' ? operation.retryFrom : 'start';
    return retryRun(ctx, { runId, from, idempotencyKey: `by operation ${operation.id}`, countRun });
  },
};

/** Counts a run; false when another worker holds the operation or it was canceled. */
async function advance(
  ctx: Context,
  { operation: { id, attempt }, runId, parts }: RunTask,
  fault?: { code: string; message: string },
): Promise<boolean> {
  const [, count] = await ctx.db.query<[unknown, number]>(
    `update run_operations set position = $3, matched = matched + 1, lease_until = now() + $4 * interval '1 ms',
            done = done + case when $5::text is null then 1 else 0 end,
            failed = failed + case when $5::text is null then 0 else 1 end,
            error_code = coalesce($5, error_code), error_message = coalesce($6, error_message)
      where id = $1 and attempt = $2 and status = 'running' and cancel_requested_at is null`,
    [id, attempt, runId, parts.leaseMs, fault?.code ?? null, fault?.message ?? null],
  );
  return count > 0;
}

const held = `id = $1 and attempt = $2 and status = 'running'`;

async function end(ctx: Context, { id, attempt }: Claimed): Promise<void> {
  await ctx.db.query(
    `update run_operations set status = 'succeeded', completed_at = now(), lease_until = null where ${held}`,
    [id, attempt],
  );
}

/** Ends an operation whose token was revoked. */
async function endRevoked(ctx: Context, { id, attempt }: Claimed): Promise<void> {
  await ctx.db.query(
    `update run_operations set status = 'failed', completed_at = now(), lease_until = null,
            error_code = 'UNAUTHENTICATED', error_message = 'the token that started it was revoked'
      where ${held}`,
    [id, attempt],
  );
}

/** Ends a canceled operation; a no-op if another worker holds it. */
async function endCanceled(ctx: Context, { id, attempt }: Claimed): Promise<void> {
  await ctx.db.query(
    `update run_operations set status = 'canceled', completed_at = now(), lease_until = null
      where ${held} and cancel_requested_at is not null`,
    [id, attempt],
  );
}

function requeueOperation(ctx: Context, { id, attempt }: Claimed, delayMs: number): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const [rows] = await ctx.db.query<[Requeued[], number]>(`${requeue} where ${held} ${requeued}`, [
      id,
      attempt,
      delayMs,
    ]);
    for (const row of rows) await enqueueOperation(ctx, row);
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

async function enqueueOperation(
  ctx: Context,
  { id, generation, dueAt, requestId, traceparent }: Requeued,
): Promise<void> {
  await enqueue(
    { ...ctx, requestId, traceparent: traceparent ?? undefined },
    jobs.carryOutRunOperation,
    { operationId: id, generation },
    { jobId: `${id}-g${generation}`, availableAt: dueAt },
  );
}

const maxLost = 5;
const queuedForMs = 30_000;

/** Requeues operations whose worker or job was lost, and fails those that lost too many workers; returns their number. */
export function restoreRunOperations(ctx: Context): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const [, failed] = await ctx.db.query<[unknown, number]>(
      `update run_operations
          set status = case when cancel_requested_at is null then 'failed' else 'canceled' end,
              error_code = case when cancel_requested_at is null then 'WORKER_LOST' else error_code end,
              error_message = case when cancel_requested_at is null then 'its workers were lost ${maxLost} times' else error_message end,
              completed_at = now(), lease_until = null
        where completed_at is null and status = 'running' and lease_until <= now() and (cancel_requested_at is not null or lost_attempts + 1 >= $1)`,
      [maxLost],
    );
    const [rows] = await ctx.db.query<[Requeued[], number]>(
      `update run_operations set status = 'queued', generation = generation + 1, lease_until = null, queued_at = now(),
              lost_attempts = lost_attempts + case when status = 'running' then 1 else 0 end
        where id = any (array(select id from run_operations where completed_at is null
                and (status = 'running' and lease_until <= now() or status = 'queued' and queued_at <= now() - $1 * interval '1 ms')
              order by id limit 100 for update skip locked)) ${requeued}`,
      [queuedForMs],
    );
    for (const row of rows) await enqueueOperation(ctx, row);
    return failed + rows.length;
  });
}
