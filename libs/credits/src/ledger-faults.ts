import type { EntityManager } from 'typeorm';

export interface LedgerFault {
  /** The account, or the id of a credit limit. */
  accountId: string;
  fault: string;
}

/** Finds every contradiction between balances, ledger entries and limit counters; empty when they agree. */
export async function ledgerFaults(db: EntityManager): Promise<LedgerFault[]> {
  return await db.query<LedgerFault[]>(
    `with sums as (
       select account_id,
              sum(case when credit = 'available' then amount when debit = 'available' then -amount else 0 end) as available,
              sum(case when credit = 'held' then amount when debit = 'held' then -amount else 0 end) as held
         from credit_entries group by account_id),
     by_use as (
       select use as id,
              sum(case e.kind when 'hold' then e.amount else -e.amount end) as held,
              sum(case e.kind when 'capture' then e.amount else 0 end) as spent
         from credit_entries h, unnest(h.uses) as use, credit_entries e
        where h.kind = 'hold' and e.run_id = h.run_id and e.part = h.part group by use)
     select a.account_id as "accountId", 'the balance is not the sum of its entries' as fault
       from credit_accounts a left join sums s using (account_id)
      where a.available <> coalesce(s.available, 0) or a.held <> coalesce(s.held, 0)
     union all
     select account_id, 'more was taken from the hold of run ' || run_id || ' than it held'
       from credit_entries where run_id is not null
      group by account_id, run_id
     having sum(case when credit = 'held' then amount when debit = 'held' then -amount else 0 end) < 0
     union all
     select u.id, 'the use of the credit limit is not the sum of its entries'
       from credit_uses u left join by_use b using (id)
      where u.held <> coalesce(b.held, 0) or u.spent <> coalesce(b.spent, 0) or u.spent_in_month > u.spent
         or u.spent_in_day > u.spent`,
  );
}
