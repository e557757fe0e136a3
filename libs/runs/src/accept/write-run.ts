import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, batchCalls, keyedMutex } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { inTransaction, withDbRetry } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import type { ConcurrencyOutcome } from '../admit/concurrency-keys.js';
import { applyStrategy, lockKey } from '../admit/concurrency-keys.js';
import type { Funding } from './funding.js';
import { holdFor } from './funding.js';
import type { Insertion, NewRun } from './insert-runs.js';
import { insertRuns, outboxRowOf } from './insert-runs.js';

export interface AcceptedRun {
  runId: string;
  status: RunStatus;
  /** The job for the caller to add to the queue after the commit; absent when the run waits or was accepted before. */
  handOver?: OutboxRow;
  /** Input of admitWaiting after the commit: the run waits, and may have become ready in the meantime. */
  waits?: { accountId: string; concurrencyKey: string | null };
  /** Events of other runs that this one has ended, and running ones whose workers must stop. */
  others?: { events: RunEvent[]; runsToStop: string[] };
}

/** Writes an accepted run with its hold of credits, once per idempotency key, under its concurrency strategy. */
export async function writeRun(ctx: Context, run: NewRun, limits: Funding['limits'] = []): Promise<AcceptedRun> {
  const insert = insertFor(run);
  const { inserted, outcome } = await insert({ ctx, run, limits });
  if (inserted instanceof DomainError) throw inserted;
  const { runId, status, isNew, waitsFor, fingerprint } = inserted;
  if (fingerprint !== run.fingerprint) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This idempotency key was used for another request in the last 24 hours: choose a new one',
    );
  }
  const { accountId, concurrencyKey = null } = run;
  return {
    runId,
    status: outcome?.status ?? status,
    ...(isNew && waitsFor === null && { handOver: outboxRowOf(run, inserted, ctx.now()) }),
    ...(isNew && (waitsFor === 'slot' || waitsFor === 'key') && { waits: { accountId, concurrencyKey } }),
    ...(outcome && { others: outcome }),
  };
}

interface Order {
  ctx: Context;
  run: NewRun;
  limits: Funding['limits'];
}

interface Written {
  inserted: Insertion | DomainError;
  outcome?: ConcurrencyOutcome | undefined;
}

type Insert = (order: Order) => Promise<Written>;

function insertFor(run: NewRun): Insert {
  if (cancelsOthers(run)) return insertExclusive;
  return run.hold > 0 ? insertPaid : insertFree;
}

const cancelsOthers = ({ concurrencyKey, concurrencyStrategy }: NewRun): boolean =>
  Boolean(concurrencyKey) && Boolean(concurrencyStrategy) && concurrencyStrategy !== 'queue';

const freeBatches = new WeakMap<EntityManager, (order: Order) => Promise<Insertion | DomainError>>();

/** Inserts a run without a hold. Concurrent calls share a statement; each returns after the commit of its own run. */
async function insertFree(order: Order): Promise<Written> {
  const { db } = order.ctx;
  if (db.queryRunner) return { inserted: (await insertFreeBatch([order]))[0] as Insertion | DomainError };
  let insert = freeBatches.get(db);
  if (!insert) {
    insert = batchCalls(insertFreeBatch, { most: 100, atOnce: 4 });
    freeBatches.set(db, insert);
  }
  return { inserted: await insert(order) };
}

function insertFreeBatch(orders: readonly Order[]): Promise<(Insertion | DomainError)[]> {
  const [{ ctx }] = orders as [Order];
  const runs = orders.map(({ run }) => run);
  return oncePerKey(runs, (unique) => withDbRetry(() => insertRuns(ctx, unique)));
}

/** The outcome of one order; a fault of the database in the middle of a batch concerns the remaining orders only. */
type PaidOutcome = Insertion | DomainError | { fault: unknown };

interface CreditBatch {
  insert: (order: Order) => Promise<PaidOutcome>;
  callers: number;
}

const creditBatches = new WeakMap<EntityManager, Map<string, CreditBatch>>();

/** Inserts a run with its hold. Concurrent runs on the same credits share a commit; else they would lock the balance one by one. */
async function insertPaid(order: Order): Promise<Written> {
  const { ctx, run, limits } = order;
  const { db, actor } = ctx;
  if (db.queryRunner) return { inserted: await insertOne(order) };
  const batches = creditBatches.get(db) ?? new Map<string, CreditBatch>();
  creditBatches.set(db, batches);
  const name = JSON.stringify([run.payerAccountId, actor.accountId, actor.credential, limits]);
  const batch = batches.get(name) ?? { insert: batchCalls(insertPaidBatch, { most: 100, atOnce: 1 }), callers: 0 };
  batches.set(name, batch);
  batch.callers += 1;
  try {
    const outcome = await batch.insert(order);
    if ('fault' in outcome) throw outcome.fault;
    return { inserted: outcome };
  } finally {
    batch.callers -= 1;
    if (batch.callers === 0) batches.delete(name);
  }
}

async function insertPaidBatch(orders: readonly Order[]): Promise<PaidOutcome[]> {
  const [{ ctx, limits }] = orders as [Order];
  try {
    const runs = orders.map(({ run }) => run);
    return await oncePerKey(runs, (unique) =>
      inTransaction(ctx, async (ctx) => {
        const inserted = await insertRuns(ctx, unique);
        const written = unique.filter((_, index) => isWritten(inserted[index]));
        await holdFor(
          ctx,
          written.map((run) => fundedBy(run, limits)),
        );
        return inserted;
      }),
    );
  } catch (reason) {
    if (!(reason instanceof DomainError)) throw reason;
    if (orders.length === 1) return [reason];
  }
  return insertOneByOne(orders);
}

/** Inserts as many of the orders as there are credits for. */
async function insertOneByOne(orders: readonly Order[]): Promise<PaidOutcome[]> {
  const outcomes: PaidOutcome[] = [];
  let unaffordable: { hold: number; refusal: DomainError } | undefined;
  for (const order of orders) {
    const { hold, key } = order.run;
    // The same hold would be refused again; under an idempotency key the run may exist already.
    if (unaffordable && key === null && hold === unaffordable.hold) {
      outcomes.push(unaffordable.refusal);
      continue;
    }
    const outcome = await insertOne(order).catch((reason: unknown): PaidOutcome =>
      reason instanceof DomainError ? reason : { fault: reason },
    );
    if (outcome instanceof DomainError && outcome.code === 'INSUFFICIENT_CREDITS') {
      unaffordable = { hold, refusal: outcome };
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

const mutex = keyedMutex();

/** Inserts a run that cancels others of its concurrency key. Such runs wait in memory, so that they hold no connection. */
function insertExclusive(order: Order): Promise<Written> {
  const { ctx, run } = order;
  const insert = (): Promise<Written> =>
    inTransaction(ctx, async (ctx) => {
      await lockKey(ctx, run);
      const inserted = await insertWithHold(ctx, order);
      const isBehind = inserted.isWritten && inserted.waitsFor === 'key';
      return { inserted, outcome: isBehind ? await applyStrategy(ctx, run) : undefined };
    });
  return ctx.db.queryRunner ? insert() : mutex(`${run.accountId} ${run.concurrencyKey}`, insert);
}

/** Inserts a run in a transaction of its own, so that a refused hold refuses this run only. */
const insertOne = (order: Order): Promise<Insertion> => inTransaction(order.ctx, (ctx) => insertWithHold(ctx, order));

async function insertWithHold(ctx: Context, { run, limits }: Order): Promise<Insertion> {
  const [inserted] = await insertRuns(ctx, [run]);
  if (!inserted) throw new Error('nothing was inserted');
  if (inserted instanceof DomainError) throw inserted;
  if (inserted.isWritten) await holdFor(ctx, [fundedBy(run, limits)]);
  return inserted;
}

const fundedBy = (run: NewRun, limits: Funding['limits']) => ({
  ...run,
  payerAccountId: run.payerAccountId ?? null,
  limits,
});

const isWritten = (inserted: Insertion | DomainError | undefined): boolean =>
  inserted !== undefined && !(inserted instanceof DomainError) && inserted.isWritten;

/** Inserts the first of several runs with one idempotency key and returns it for the others too. */
async function oncePerKey(
  runs: readonly NewRun[],
  insert: (unique: readonly NewRun[]) => Promise<(Insertion | DomainError)[]>,
): Promise<(Insertion | DomainError)[]> {
  const firstByKey = new Map<string, NewRun>();
  for (const run of runs) {
    const name = keyOf(run);
    if (!firstByKey.has(name)) firstByKey.set(name, run);
  }
  const inserted = await insert([...firstByKey.values()]);
  const byKey = new Map(
    [...firstByKey.keys()].map((name, index) => [name, inserted[index] as Insertion | DomainError]),
  );
  return runs.map((run) => {
    const name = keyOf(run);
    const outcome = byKey.get(name) as Insertion | DomainError;
    return outcome instanceof DomainError || firstByKey.get(name) === run ? outcome : { ...outcome, isNew: false };
  });
}

/** Runs with the same key are one run. */
const keyOf = ({ id, key, accountId, targetId }: NewRun): string =>
  key === null ? id : `${accountId} ${targetId} ${key}`;
