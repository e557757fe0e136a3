import type { RunStatus } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { type RunChanges, inNestedTransaction, recordRunChanges } from '@lensforge/database';
import { applyStrategy, lockKey } from '../admit/concurrency-keys.js';
import { getAcceptance } from './batching/acceptance.js';
import { oncePerKey } from './batching/once-per-key.js';
import type { Funding } from './funding.js';
import { type Insertion, type NewRun, insertRuns, toOutboxRow } from './insert-runs.js';
import { type RunOrder, insertWithHold } from './insert-with-hold.js';

export interface AcceptedRun {
  runId: string;
  status: RunStatus;
  /** False when this is an earlier run under the same idempotency key. */
  isNew: boolean;
}

/**
 * Writes an accepted run with its hold of credits, once per idempotency key, under its concurrency strategy. Within a
 * transaction of the caller it writes in that transaction, and a refused run leaves nothing in it.
 */
export async function writeRun(ctx: Context, run: NewRun, limits: Funding['limits'] = []): Promise<AcceptedRun> {
  const insert = insertFor(run);
  const { inserted, statusAfter } = await insert({ ctx, run, limits });
  const accepted = toAcceptedRun(ctx, run, inserted);
  if (accepted instanceof DomainError) throw accepted;
  return { ...accepted, status: statusAfter ?? accepted.status };
}

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

type Insert = (order: RunOrder) => Promise<Written>;

function insertFor(run: NewRun): Insert {
  if (cancelsOthers(run)) return insertExclusive;
  return run.hold > 0 ? insertPaid : insertFree;
}

const cancelsOthers = ({ concurrencyKey, concurrencyStrategy }: NewRun): boolean =>
  Boolean(concurrencyKey) && Boolean(concurrencyStrategy) && concurrencyStrategy !== 'queue';

const insertFree: Insert = async (order) => ({ inserted: await getAcceptance(order.ctx).insertFree(order) });

const insertPaid: Insert = async (order) => ({ inserted: await getAcceptance(order.ctx).insertPaid(order) });

/** Inserts a run that cancels others of its concurrency key. Such runs wait in memory, so that they hold no connection. */
const insertExclusive: Insert = (order) => {
  const { ctx, run } = order;
  const acceptance = getAcceptance(ctx);
  const insert = (): Promise<Written> =>
    inNestedTransaction(ctx, async (ctx) => {
      await lockKey(ctx, run);
      const inserted = await insertWithHold({ ...order, ctx }, acceptance);
      const isBehind = inserted.isWritten && inserted.waitsFor === 'key';
      return { inserted, statusAfter: isBehind ? await applyStrategy(ctx, run) : undefined };
    });
  return ctx.db.queryRunner ? insert() : acceptance.inOrder(`${run.accountId} ${run.concurrencyKey}`, insert);
};
