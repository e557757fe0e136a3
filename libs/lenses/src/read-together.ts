import { batchCalls, isUuid } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';

/**
 * The lenses with the ids in $1. With `offset 0` they are found before anything else is asked of them: on a table that is
 * still small the planner would otherwise walk a partial index that only knows which lenses are not deleted.
 */
export const lensesByIds = '(select * from lenses where id = any ($1) offset 0)';

type Find<T> = (id: string) => Promise<T | undefined>;

/**
 * Reads of one row by its id, of a statement that takes a list of them: those who ask at the same moment share it. In a
 * transaction everybody reads for themselves.
 */
export function readTogether<T extends { id: string }>(
  sql: string,
): (db: EntityManager, id: string) => Promise<T | undefined> {
  const statement = preparedStatement(sql);
  const finders = new WeakMap<EntityManager, Find<T>>();

  const read = async (db: EntityManager, ids: readonly string[]): Promise<(T | undefined)[]> => {
    const rows = await db.query<T[]>(statement, [[...new Set(ids)]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  };

  return async (db, given) => {
    if (!isUuid(given)) return undefined;
    const id = given.toLowerCase();
    if (db.queryRunner) return (await read(db, [id]))[0];
    let find = finders.get(db);
    if (!find) {
      find = batchCalls((ids: string[]) => read(db, ids), { most: 100, atOnce: 3 });
      finders.set(db, find);
    }
    return find(id);
  };
}
