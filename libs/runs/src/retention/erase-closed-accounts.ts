import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { eraseRecords } from './erased-records.sql.js';

/**
 * Deletes a page of the runs of a closed account, with all their rows, and after the last page its texts in other tables; returns
 * the number of runs. Concurrent calls are safe.
 */
export function eraseClosedAccounts(ctx: Context, { page }: { page: number }): Promise<number> {
  return inTransaction(ctx, async ({ db }) => {
    const [account] = await db.query<{ id: string }[]>(
      `select id from accounts where closed_at is not null and erased_at is null
        order by closed_at limit 1 for update skip locked`,
    );
    if (!account) return 0;
    const [runs] = await db.query<[{ id: string }[], number]>(
      `delete from runs where id = any (array(
         select id from runs where account_id = $1 and completed_at is not null order by id limit $2)) returning id`,
      [account.id, page],
    );
    const ids = runs.map(({ id }) => id);
    const parents = await db.query<{ parent: string }[]>('select parent from tables_by_month() parent');
    for (const { parent } of parents) {
      if (parent !== 'runs') await db.query(`delete from ${parent} where run_id = any ($1)`, [ids]);
    }
    if (ids.length < page) {
      for (const statement of eraseRecords) await db.query(statement, [account.id]);
      await db.query(
        `update accounts set erased_at = now()
          where id = $1 and not exists (select from runs where account_id = $1 and completed_at is null)`,
        [account.id],
      );
    }
    return ids.length;
  });
}
