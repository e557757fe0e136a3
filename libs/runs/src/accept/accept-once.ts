import { hash } from 'node:crypto';
import type { RunStatus } from '@lensforge/contracts';
import { type Context, DomainError, toSortedJson } from '@lensforge/core';
import { type RunChanges, inNestedTransaction, recordRunChanges, retryOutsideTransaction } from '@lensforge/database';
import { applyStrategy, lockKey } from '../admit/concurrency-keys.js';
import { type RunOrder, getAcceptance, oncePerKey } from './batching/acceptance.js';
import type { Funding } from './funding.js';
import { type Insertion, type NewRun, insertRuns, toOutboxRow } from './insert-runs.js';

export interface AcceptedRun {
  runId: string;
  status: RunStatus;
  /** False when this is an earlier run under the same idempotency key. */
  isNew: boolean;
}

/** A validated run with the credit limits that it counts against. */
export interface PreparedRun {
  run: NewRun;
  limits?: Funding['limits'];
}

export interface KeyedRequest {
  targetId: string;
  key: string | undefined;
  /** The members in which two requests with the same key must agree. */
  members: readonly unknown[];
  /** The effect of another request under a used key: an error, or the existing run. */
  onRepeat?: 'refuse' | 'existing' | undefined;
}

/**
 * Prepares and writes a run with its hold of credits, once per idempotency key, under its concurrency strategy. The run of the
 * same request counts, even if what it refers to has changed since. Within a transaction of the caller it writes in that
 * transaction, and a refused run leaves nothing in it.
 */
export async function acceptOnce(
  ctx: Context,
  request: KeyedRequest,
  prepare: (fingerprint: string) => Promise<PreparedRun>,
): Promise<AcceptedRun> {
  const fingerprint = request.key === undefined ? '' : hashMembers(request.members);
  const known = request.onRepeat === 'existing' ? undefined : fingerprint;
  if (request.onRepeat === 'existing') {
    const earlier = await runOfKey(ctx, request, known);
    if (earlier) return earlier;
  }
  try {
    const { run, limits = [] } = await retryOutsideTransaction(ctx, () => prepare(fingerprint));
    const order = { ctx, run, limits };
    const { inserted, statusAfter } = cancelsOthers(run)
      ? await insertExclusive(order)
      : { inserted: await getAcceptance(ctx).insert(order) };
    const accepted = toAcceptedRun(ctx, run, inserted);
    if (accepted instanceof DomainError) throw accepted;
    return { ...accepted, status: statusAfter ?? accepted.status };
  } catch (reason) {
    const earlier = reason instanceof DomainError ? await runOfKey(ctx, request, known) : undefined;
    if (earlier) return earlier;
    throw reason;
  }
}

/** Finds the run of an idempotency key; with a fingerprint only if the request was the same. */
async function runOfKey(
  ctx: Context,
  { targetId, key }: KeyedRequest,
  fingerprint: string | undefined,
): Promise<AcceptedRun | undefined> {
  if (key === undefined) return undefined;
  const [run] = await ctx.db.query<AcceptedRun[]>(
    `select r.id as "runId", r.status, false as "isNew" from idempotency_keys k join runs r on r.id = k.run_id
      where k.account_id = $1 and k.target_id = $2 and k.key = $3 and k.expires_at > now()
        and ($4::text is null or k.fingerprint = decode($4, 'hex'))`,
    [ctx.actor.accountId, targetId, key, fingerprint ?? null],
  );
  return run;
}

/** SHA-256 of the members in hex, whatever the order of their own members. */
export const hashMembers = (members: readonly unknown[]): string => hash('sha256', toSortedJson(members));

/**
 * Writes runs without a hold in one statement, in the transaction of the caller. The outcome of a refused run is an error; it
 * leaves nothing in the transaction.
 */
export async function writeFreeRuns(ctx: Context, runs: readonly NewRun[]): Promise<(AcceptedRun | DomainError)[]> {
  const inserted = await oncePerKey(runs, (unique) => insertRuns(ctx, unique, getAcceptance(ctx)));
  return runs.map((run, index) => toAcceptedRun(ctx, run, inserted[index] as Insertion | DomainError));
}

/** Records the changes of a new run, and refuses one whose idempotency key belongs to another request. */
function toAcceptedRun(ctx: Context, run: NewRun, inserted: Insertion | DomainError): AcceptedRun | DomainError {
  if (inserted instanceof DomainError) return inserted;
  const { runId, status, isNew, fingerprint } = inserted;
  if (fingerprint !== run.fingerprint) {
    return new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This idempotency key was used for another request in the last 24 hours: choose a new one',
    );
  }
  if (isNew) recordRunChanges(ctx, toRunChanges(run, inserted, ctx.now()));
  return { runId, status, isNew };
}

/** The job of an admitted run; a waiting one may have become ready in the meantime. */
function toRunChanges(run: NewRun, inserted: Insertion, now: Date): Partial<RunChanges> {
  const { accountId, concurrencyKey = null } = run;
  if (inserted.waitsFor === null) return { jobs: [toOutboxRow(run, inserted, now)] };
  const mayBeReady = inserted.waitsFor === 'slot' || inserted.waitsFor === 'key';
  return mayBeReady ? { toAdmit: [{ accountId, concurrencyKey }] } : {};
}

interface Written {
  inserted: Insertion | DomainError;
  /** The status after the concurrency strategy was applied. */
  statusAfter?: RunStatus | undefined;
}

const cancelsOthers = ({ concurrencyKey, concurrencyStrategy }: NewRun): boolean =>
  Boolean(concurrencyKey) && Boolean(concurrencyStrategy) && concurrencyStrategy !== 'queue';

/** Inserts a run that cancels others of its concurrency key. Such runs wait in memory, so that they hold no connection. */
function insertExclusive(order: RunOrder): Promise<Written> {
  const { ctx, run } = order;
  const acceptance = getAcceptance(ctx);
  const insert = (): Promise<Written> =>
    inNestedTransaction(ctx, async (ctx) => {
      await lockKey(ctx, run);
      const inserted = await acceptance.insertWithHold({ ...order, ctx });
      const isBehind = inserted.isWritten && inserted.waitsFor === 'key';
      return { inserted, statusAfter: isBehind ? await applyStrategy(ctx, run) : undefined };
    });
  return ctx.db.queryRunner ? insert() : acceptance.inOrder(`${run.accountId} ${run.concurrencyKey}`, insert);
}
