import type { EntityManager } from 'typeorm';

export interface CheckedBalance {
  accountId: string;
  /** True when the balance is the sum of its entries. */
  sound: boolean;
}

/** Compares balances with their entries, one page of accounts at a time because a ledger is too long for one query. */
export async function checkBalances(
  db: EntityManager,
  { after, limit }: { after: string | null; limit: number },
): Promise<CheckedBalance[]> {
  return await db.query<CheckedBalance[]>(
    `select a.account_id as "accountId", a.available = s.available and a.held = s.held as sound
       from (select * from credit_accounts where $1::uuid is null or account_id > $1 order by account_id limit $2) a,
            lateral (select coalesce(sum(case when credit = 'available' then amount when debit = 'available' then -amount end), 0) as available,
                            coalesce(sum(case when credit = 'held' then amount when debit = 'held' then -amount end), 0) as held
                       from credit_entries e where e.account_id = a.account_id) s
      order by a.account_id`,
    [after, limit],
  );
}
