import type { Context } from '@lensforge/core';
import type { QueryRunner } from 'typeorm';
import { withDbRetry } from './db-retry.js';

/**
 * Runs `work` in a transaction, or in the current one. The work is repeated after transient errors, so it must have no
 * effects outside of `ctx.db`, except by `afterCommit`. The callback's `ctx` shadows the outer one on purpose.
 */
export function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return isInTransaction(ctx) ? work(ctx) : commit(ctx, work);
}

/**
 * Runs `work` in a transaction of its own, or in a savepoint of the current one, so that its failure undoes its own writes
 * only. Two calls in one transaction must not overlap.
 */
export function inNestedTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return isInTransaction(ctx) ? inSavepoint(ctx, work) : commit(ctx, work);
}

/** Retries a call after transient errors. Within a transaction it calls once, since the whole transaction is repeated. */
export function retryOutsideTransaction<T>(ctx: Context, call: () => Promise<T>): Promise<T> {
  return isInTransaction(ctx) ? call() : withDbRetry(call);
}

export const isInTransaction = ({ db }: Context): boolean => db.queryRunner?.isTransactionActive ?? false;

async function inSavepoint<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { afterCommit: effects = [] } = ctx.db.queryRunner ? getEffects(ctx.db.queryRunner) : {};
  const before = effects.length;
  try {
    return await ctx.db.transaction((db) => work({ ...ctx, db }));
  } catch (reason) {
    effects.length = before;
    throw reason;
  }
}

async function commit<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  let effects: Effect[] = [];
  const result = await withDbRetry(() => {
    effects = [];
    return ctx.db.transaction((db) => {
      if (db.queryRunner) getEffects(db.queryRunner).afterCommit = effects;
      return work({ ...ctx, db });
    });
  });
  for (const effect of effects) effect();
  return result;
}

type Effect = () => void;

/** TypeORM keeps `data` for the caller as long as the transaction has its connection. */
const getEffects = (queryRunner: QueryRunner): { afterCommit?: Effect[] } => queryRunner.data;

/** Calls `effect` once the current transaction is committed; at once if there is none. The effect must not throw. */
export function afterCommit(ctx: Context, effect: Effect): void {
  const { queryRunner } = ctx.db;
  if (!queryRunner?.isTransactionActive) return effect();
  const effects = getEffects(queryRunner).afterCommit;
  if (!effects) throw new Error('afterCommit needs a transaction that inTransaction has opened');
  effects.push(effect);
}
