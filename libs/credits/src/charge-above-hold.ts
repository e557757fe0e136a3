import { type Context, newId } from '@lensforge/core';

export interface Excess {
  runId: string;
  /** The part of the hold, when each node has its own. */
  part?: string;
  amount: number;
}

/**
 * Charges more than a hold, as far as the account that pays has credits, and returns the amount. A hold that counts
 * against a credit limit is never exceeded. Call it once, in the transaction that settles the hold.
 */
export async function chargeAboveHold(ctx: Context, { runId, part = '', amount }: Excess): Promise<number> {
  const [charged] = await ctx.db.query<{ amount: number }[]>(
    `with account as (
       select a.account_id, least(a.available, $3::bigint) as amount
         from credit_entries h join credit_accounts a on a.account_id = h.account_id
        where h.run_id = $1 and h.part = $2 and h.kind = 'hold' and h.uses = '{}' for update of a
     ), charged as (
       update credit_accounts c set available = c.available - a.amount from account a
        where c.account_id = a.account_id and a.amount > 0
       returning c.account_id, a.amount
     )
     insert into credit_entries (id, account_id, run_id, part, kind, debit, credit, amount)
     select $4, account_id, $1, $5, 'capture', 'available', 'revenue', amount from charged
     returning amount::float8 as amount`,
    [runId, part, amount, newId(), `${part} above the hold`.trimStart()],
  );
  return charged?.amount ?? 0;
}
