import { type Context, DomainError } from '@lensforge/core';

export interface AccountLimit {
  /** A plural noun for the message, such as `webhook endpoints`. */
  what: string;
  accountId: string;
  max: number;
  /** SQL after `from`: the table and the condition that select the rows of account `$1`. */
  from: string;
  /** The error at the limit; CONFLICT when absent. */
  refusal?: DomainError;
}

/** Throws when the account is at its limit. An advisory lock serialises concurrent calls until they commit. */
export async function requireBelowLimit(
  { db }: Context,
  { what, accountId, max, from, refusal }: AccountLimit,
): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 13))', [`${what} ${accountId}`]);
  const [{ count }] = await db.query<[{ count: number }]>(`select count(*)::int as count from ${from}`, [accountId]);
  if (count < max) return;
  throw refusal ?? new DomainError('CONFLICT', `An account has at most ${max} ${what}; remove one first`);
}
