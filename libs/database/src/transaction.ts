import type { Context } from '@lensforge/core';
import type { QueryRunner } from 'typeorm';
import { withDbRetry } from './db-retry.js';

/**
 * Runs `work` in a transaction, or in the current one. The work is repeated after transient errors, so it must have no
 * effects outside of `ctx.db`, except by `afterCommit`. The callback's `ctx` shadows the outer one on purpose.
 */
export function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.queryRunner?.isTransactionActive) return work(ctx);
  return commit(ctx, work);
}

async function commit<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  let effects: Effect[] = [];
  const result = await withDbRetry(() => {
    effects = [];
    return ctx.db.transaction((db) => {
      if (db.queryRunner) effectsOf(db.queryRunner).afterCommit = effects;
      return work({ ...ctx, db });
    });
  });
  for (const effect of effects) effect();
  return result;
}

type Effect = () => void;

/** TypeORM keeps `data` for the caller as long as the transaction has its connection. */
const effectsOf = (queryRunner: QueryRunner): { afterCommit?: Effect[] } => queryRunner.data;

/** Calls `effect` once the current transaction is committed; at once if there is none. The effect must not throw. */
export function afterCommit(ctx: Context, effect: Effect): void {
  const { queryRunner } = ctx.db;
  if (!queryRunner?.isTransactionActive) return effect();
  const effects = effectsOf(queryRunner).afterCommit;
  if (!effects) throw new Error('afterCommit needs a transaction that inTransaction has opened');
  effects.push(effect);
}
