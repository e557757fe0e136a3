import { type Context, DomainError, newId } from '@lensforge/core';
import { type CreditLimit, countAgainstLimits } from './credit-limit.js';

export interface Hold {
  /** The account that pays. */
  accountId: string;
  runId: string;
  /** The node of the run, when each node has its own hold. */
  part?: string;
  amount: number;
  /** Limits to count against, besides the one of the caller's credential. */
  limits?: readonly CreditLimit[];
}

/** Holds credits for a run. Call it in the transaction that accepts the run. */
export const holdCredits = (ctx: Context, { accountId, limits = [], ...hold }: Hold): Promise<void> =>
  holdCreditsForRuns(ctx, { accountId, limits, holds: [hold] });

/** The part that is added to the hold of a run after it was accepted; no node has this key. It is settled with the rest. */
export const addedPart = '+';

export interface RunHolds extends Pick<Hold, 'accountId' | 'limits'> {
  holds: readonly Pick<Hold, 'runId' | 'part' | 'amount'>[];
}

/**
 * Holds credits for several runs: all or none. A caller that pays with a limited token also spends from the limit of the
 * token.
 */
export async function holdCreditsForRuns(ctx: Context, { accountId, limits = [], holds }: RunHolds): Promise<void> {
  const amount = holds.reduce((sum, hold) => sum + hold.amount, 0);
  const { credential, accountId: caller } = ctx.actor;
  const tokenLimit = accountId === caller && credential.creditLimit;
  const all: readonly CreditLimit[] = tokenLimit ? [...limits, { of: 'token', ...tokenLimit }] : limits;
  await countAgainstLimits(ctx, all, holds);
  const [, held] = await ctx.db.query<[unknown, number]>(
    `update credit_accounts set available = available - $2, held = held + $2 where account_id = $1 and available >= $2`,
    [accountId, amount],
  );
  if (held === 0) throw insufficientCredits(accountId === caller, amount);
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

/** Refuses a request early when the account has too few credits, before anything is written. */
export async function requireCredits(
  ctx: Context,
  { accountId, amount }: Pick<Hold, 'accountId' | 'amount'>,
): Promise<void> {
  const [account] = await ctx.db.query<{ enough: boolean }[]>(
    'select available >= $2 as enough from credit_accounts where account_id = $1',
    [accountId, amount],
  );
  if (!account?.enough) throw insufficientCredits(accountId === ctx.actor.accountId, amount);
}

/** The error does not reveal the balance of another account. */
const insufficientCredits = (ofCaller: boolean, needed: number): DomainError =>
  ofCaller
    ? new DomainError(
        'INSUFFICIENT_CREDITS',
        `This run may cost ${needed} credits, more than the account has available`,
        { limitOf: 'account', needed },
      )
    : new DomainError('INSUFFICIENT_CREDITS', 'The sponsor has too few credits for this run', { limitOf: 'sponsor' });
