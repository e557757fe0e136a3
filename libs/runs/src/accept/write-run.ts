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
  /** What the caller hands to the queue now that the commit is done; absent when it waits, or was accepted before. */
  handOver?: OutboxRow;
  /** What admitRuns is to be told now that the commit is done: the run waits, and perhaps needs to no longer. */
  waits?: { accountId: string; concurrencyKey: string | null };
  /** Events of other runs that this one has ended, and runs that their workers are to be told to stop. */
  others?: { told: RunEvent[]; stopping: string[] };
}

/** Writes an accepted run with its hold of credits: once for each key, and under the strategy of its concurrency key. */
export async function writeRun(ctx: Context, run: NewRun, limits: Funding['limits'] = []): Promise<AcceptedRun> {
  const { inserted, outcome } = cancels(run)
    ? await inLane(ctx.db, run, () => insertAlone({ ctx, run, limits }))
    : { inserted: await insertInCompany({ ctx, run, limits }), outcome: undefined };
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
    ...(isNew && (waitsFor === 'place' || waitsFor === 'key') && { waits: { accountId, concurrencyKey } }),
    ...(outcome && { others: outcome }),
  };
}

const cancels = ({ concurrencyKey, concurrencyStrategy }: NewRun): boolean =>
  Boolean(concurrencyKey) && Boolean(concurrencyStrategy) && concurrencyStrategy !== 'queue';

interface Order {
  ctx: Context;
  run: NewRun;
  limits: Funding['limits'];
}

interface Written {
  inserted: Insertion;
  outcome: ConcurrencyOutcome | undefined;
}

/** In a transaction of its own, so that a refused hold refuses this run alone. */
function insertAlone({ ctx, run, limits }: Order): Promise<Written> {
  return inTransaction(ctx, async (ctx) => {
    if (cancels(run)) await lockKey(ctx.db, run);
    const [inserted] = await insertRuns(ctx.db, [run]);
    if (!inserted) throw new Error('nothing was inserted');
    if (inserted instanceof DomainError) throw inserted;
    if (!inserted.isWritten) return { inserted, outcome: undefined };
    await holdFor(ctx, [fundedBy(run, limits)]);
    const isBehind = cancels(run) && inserted.waitsFor === 'key';
    return { inserted, outcome: isBehind ? await applyStrategy(ctx, run) : undefined };
  });
}

const fundedBy = (run: NewRun, limits: Funding['limits']) => ({
  ...run,
  payerAccountId: run.payerAccountId ?? null,
  limits,
});

const insertInCompany = (order: Order): Promise<Insertion | DomainError> =>
  order.run.hold > 0 ? insertPaid(order) : inserterOf(order.ctx.db)(order.run);

/** What became of one order is its own matter, also when the database went away in the middle of several. */
type Outcome = Insertion | DomainError | { fault: unknown };
type InsertPaid = (order: Order) => Promise<Outcome>;
const purses = new WeakMap<EntityManager, Map<string, { insert: InsertPaid; waiting: number }>>();

/** What the same credits pay for at the same moment shares a commit, or each would wait for the others' one by one. */
async function insertPaid(order: Order): Promise<Insertion | DomainError> {
  const { ctx, run, limits } = order;
  const { db, actor } = ctx;
  if (db.queryRunner) return (await insertAlone(order)).inserted;
  const known = purses.get(db) ?? new Map<string, { insert: InsertPaid; waiting: number }>();
  purses.set(db, known);
  const { credential, accountId } = actor;
  const name = JSON.stringify([run.payerAccountId, accountId, credential, limits]);
  const purse = known.get(name) ?? { insert: batchCalls(insertAllPaid, { most: 100, atOnce: 1 }), waiting: 0 };
  known.set(name, purse);
  purse.waiting += 1;
  try {
    const outcome = await purse.insert(order);
    if ('fault' in outcome) throw outcome.fault;
    return outcome;
  } finally {
    purse.waiting -= 1;
    if (purse.waiting === 0) known.delete(name);
  }
}

async function insertAllPaid(orders: readonly Order[]): Promise<Outcome[]> {
  const [{ ctx, limits }] = orders as [Order];
  try {
    const runs = orders.map(({ run }) => run);
    return await onceEach(runs, (leading) =>
      inTransaction(ctx, async (ctx) => {
        const inserted = await insertRuns(ctx.db, leading);
        const written = leading.filter((_, index) => isWritten(inserted[index]));
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
  return oneByOne(orders);
}

/** Not enough for all of them: as many as there is enough for. */
async function oneByOne(orders: readonly Order[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let poor: { hold: number; refusal: DomainError } | undefined;
  for (const order of orders) {
    const { hold, key } = order.run;
    // What costs the same as was just refused is refused as well; under a key there may be a run already.
    if (poor && key === null && hold === poor.hold) {
      outcomes.push(poor.refusal);
      continue;
    }
    const outcome = await insertAlone(order).then(
      ({ inserted }): Outcome => inserted,
      (reason: unknown): Outcome => (reason instanceof DomainError ? reason : { fault: reason }),
    );
    if (outcome instanceof DomainError && outcome.code === 'INSUFFICIENT_CREDITS') poor = { hold, refusal: outcome };
    outcomes.push(outcome);
  }
  return outcomes;
}

const isWritten = (inserted: Insertion | DomainError | undefined): boolean =>
  inserted !== undefined && !(inserted instanceof DomainError) && inserted.isWritten;

const inTurn = keyedMutex();

/** Runs that cancel others of their key wait for each other here rather than with a connection in their hands. */
const inLane = <T>(db: EntityManager, run: NewRun, work: () => Promise<T>): Promise<T> =>
  !cancels(run) || db.queryRunner ? work() : inTurn(`${run.accountId} ${run.concurrencyKey}`, work);

type Insert = (run: NewRun) => Promise<Insertion | DomainError>;
const inserters = new WeakMap<EntityManager, Insert>();

/** Concurrent acceptances share statement and commit; each caller is answered after the commit that holds its own run. */
function inserterOf(db: EntityManager): Insert {
  if (db.queryRunner) return async (run) => (await insertTogether(db, [run]))[0] as Insertion | DomainError;
  let insert = inserters.get(db);
  if (!insert) {
    insert = batchCalls((runs: NewRun[]) => insertTogether(db, runs), { most: 100, atOnce: 4 });
    inserters.set(db, insert);
  }
  return insert;
}

const insertTogether = (db: EntityManager, runs: readonly NewRun[]): Promise<(Insertion | DomainError)[]> =>
  onceEach(runs, (leading) => withDbRetry(() => insertRuns(db, leading)));

/** Of several runs with one key the first is inserted, and stands for the others. */
async function onceEach(
  runs: readonly NewRun[],
  insert: (leading: readonly NewRun[]) => Promise<(Insertion | DomainError)[]>,
): Promise<(Insertion | DomainError)[]> {
  const leaders = new Map<string, NewRun>();
  for (const run of runs) {
    const name = keyOf(run);
    if (!leaders.has(name)) leaders.set(name, run);
  }
  const leading = [...leaders.values()];
  const inserted = await insert(leading);
  const byName = new Map([...leaders.keys()].map((name, index) => [name, inserted[index] as Insertion | DomainError]));
  return runs.map((run) => {
    const name = keyOf(run);
    const outcome = byName.get(name) as Insertion | DomainError;
    return outcome instanceof DomainError || leaders.get(name) === run ? outcome : { ...outcome, isNew: false };
  });
}

/** Runs of one key are one run. */
const keyOf = ({ id, key, accountId, targetId }: NewRun): string =>
  key === null ? id : `${accountId} ${targetId} ${key}`;
