import type { Context } from '@lensforge/core';
import { DomainError, newId } from '@lensforge/core';
import type { CreditLimit } from './credit-limit.js';
import { countAgainst } from './credit-limit.js';

export interface Hold {
  /** Who pays. */
  accountId: string;
  runId: string;
  /** The node of the run, where each has a hold of its own. */
  part?: string;
  amount: number;
  /** Limits that it counts against, besides the one of the credential that asks. */
  limits?: readonly CreditLimit[];
}

/** Sets credits aside for a run. To be called in the transaction that accepts it. */
export const holdCredits = (ctx: Context, { accountId, limits = [], ...hold }: Hold): Promise<void> =>
  holdCreditsForRuns(ctx, { accountId, limits, holds: [hold] });

export interface JointHolds extends Pick<Hold, 'accountId' | 'limits'> {
  holds: readonly Pick<Hold, 'runId' | 'part' | 'amount'>[];
}

/**
 * The same for several runs: all or none. Whoever spends the credits of their own account with a token that has a limit
 * spends of that limit as well.
 */
export async function holdCreditsForRuns(ctx: Context, { accountId, limits = [], holds }: JointHolds): Promise<void> {
  const amount = holds.reduce((sum, hold) => sum + hold.amount, 0);
  const { credential, accountId: caller } = ctx.actor;
  const own = accountId === caller && credential.creditLimit;
  const all: readonly CreditLimit[] = own ? [...limits, { ...own, of: 'token' }] : limits;
  await countAgainst(ctx, all, holds);
  const [, held] = await ctx.db.query<[unknown, number]>(
    `update credit_accounts set available = available - $2, held = held + $2 where account_id = $1 and available >= $2`,
    [accountId, amount],
  );
  if (held === 0) throw tooFew(accountId === caller, amount);
  await ctx.db.query(
    `insert into credit_entries (id, account_id, run_id, part, kind, debit, credit, amount, uses)
     select "id", $2, "runId", "part", 'hold', 'available', 'held', "amount", $3::uuid[]
       from jsonb_to_recordset($1::jsonb) as x("id" uuid, "runId" uuid, "part" text, "amount" bigint)`,
    [
      JSON.stringify(holds.map(({ part = '', ...hold }) => ({ id: newId(), part, ...hold }))),
      accountId,
      all.map(({ id }) => id),
    ],
  );
}

/** Refuses at once what could not be held now, so that nothing is written in vain. */
export async function requireCredits(
  ctx: Context,
  { accountId, amount }: Pick<Hold, 'accountId' | 'amount'>,
): Promise<void> {
  const [account] = await ctx.db.query<{ enough: boolean }[]>(
    'select available >= $2 as enough from credit_accounts where account_id = $1',
    [accountId, amount],
  );
  if (!account?.enough) throw tooFew(accountId === ctx.actor.accountId, amount);
}

/** What others have is not told. */
const tooFew = (ofCaller: boolean, needed: number): DomainError =>
  ofCaller
    ? new DomainError(
        'INSUFFICIENT_CREDITS',
        `This run may cost ${needed} credits, more than the account has available`,
        { limitOf: 'account', needed },
      )
    : new DomainError('INSUFFICIENT_CREDITS', 'The sponsor has too few credits for this run', { limitOf: 'sponsor' });
