import { type Context, batchCalls, isUuid } from '@lensforge/core';
import { perDatabase, preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';

/**
 * The lenses with the ids in $1. `offset 0` makes the planner look them up by id first: on a small table it would
 * otherwise scan the partial index of lenses that are not deleted.
 */
export const lensesByIds = '(select * from lenses where id = any ($1) offset 0)';

/**
 * Reads one row by its id with a statement that takes a list of ids; concurrent callers share one query. Reads in a
 * transaction are not shared.
 */
export function batchedRead<T extends { id: string }>(
  sql: string,
): (ctx: Context, id: string) => Promise<T | undefined> {
  const statement = preparedStatement(sql);
  const read = async (db: EntityManager, ids: readonly string[]): Promise<(T | undefined)[]> => {
    const rows = await db.query<T[]>(statement, [[...new Set(ids)]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  };

  const finders = perDatabase((db) => batchCalls((ids: string[]) => read(db, ids), { maxSize: 100, concurrency: 3 }));

  return async (ctx, given) => {
    if (!isUuid(given)) return undefined;
    const id = given.toLowerCase();
    return ctx.db.queryRunner ? (await read(ctx.db, [id]))[0] : finders.of(ctx)(id);
  };
}
