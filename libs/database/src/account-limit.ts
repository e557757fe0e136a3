import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';

export interface AccountLimit {
  /** What is counted, as in `webhook endpoints`. */
  what: string;
  accountId: string;
  most: number;
  /** From where those of the account `$1` are counted, and with what condition. */
  from: string;
}

/**
 * Refuses one more than an account may have. Two at once wait for one another until their transactions end, so that the
 * limit holds.
 */
export async function requireBelowLimit({ db }: Context, { what, accountId, most, from }: AccountLimit): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 13))', [`${what} ${accountId}`]);
  const [{ count }] = await db.query<[{ count: number }]>(`select count(*)::int as count from ${from}`, [accountId]);
  if (count >= most) throw new DomainError('CONFLICT', `An account has at most ${most} ${what}; remove one first`);
}
