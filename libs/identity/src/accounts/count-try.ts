import { type Context, DomainError, newId } from '@lensforge/core';
import { getErrorCode, inTransaction } from '@lensforge/database';
import { type Allowance, secondsToWait } from './throttle.js';

export type TryKind =
  | 'sign_in'
  | 'known_sign_in'
  | 'password'
  | 'second_factor'
  | 'sign_up'
  | 'reset'
  | 'mail'
  | 'user_code';

export interface Try {
  kind: TryKind;
  subject: string;
  network: string;
}

/** A limit on all tries of these kinds with the given subject and network. */
export interface TryLimit {
  allowance: Allowance;
  kinds: readonly TryKind[];
  subject?: string;
  network?: string;
}

const lockNotAvailable = '55P03';

/**
 * Counts a try before its evaluation: returns its id, or the seconds to wait. Advisory locks serialise tries under the same
 * limits, so that concurrent callers cannot exceed them.
 */
export async function countTry(
  ctx: Context,
  made: Try,
  counts: readonly TryLimit[],
): Promise<{ id: string } | { wait: number }> {
  try {
    return await countSerially(ctx, made, counts);
  } catch (reason) {
    // The wait for the lock exceeds the lock timeout: too many concurrent tries, so the caller has to retry.
    if (getErrorCode(reason) === lockNotAvailable) return { wait: 1 };
    throw reason;
  }
}

function countSerially(
  ctx: Context,
  made: Try,
  counts: readonly TryLimit[],
): Promise<{ id: string } | { wait: number }> {
  return inTransaction(ctx, async (ctx) => {
    const names = counts.map(({ kinds, subject, network }) => JSON.stringify([kinds, subject, network])).sort();
    await ctx.db.query('select pg_advisory_xact_lock(hashtextextended(name, 7236)) from unnest($1::text[]) as name', [
      names,
    ]);
    let wait = 0;
    for (const count of counts) wait = Math.max(wait, secondsToWait(count.allowance, await ages(ctx, count)));
    if (wait > 0) return { wait: Math.ceil(wait) };
    const id = newId();
    await ctx.db.query('insert into auth_attempts (id, kind, subject, network) values ($1, $2, $3, $4)', [
      id,
      made.kind,
      made.subject,
      made.network,
    ]);
    return { id };
  });
}

async function ages(ctx: Context, { allowance, kinds, subject, network }: TryLimit): Promise<number[]> {
  const rows = await ctx.db.query<{ age: number }[]>(
    `select extract(epoch from clock_timestamp() - at)::float as age from auth_attempts
      where ${subject === undefined ? 'network = $1' : 'subject = $1'} and ($2::text is null or network = $2)
        and kind = any($3) and at > clock_timestamp() - $4 * interval '1 s'
      order by at desc limit $5`,
    [subject ?? network, network ?? null, kinds, allowance.seconds, allowance.limit],
  );
  return rows.map(({ age }) => age);
}

/** Removes a try that was not evaluated. */
export const releaseTry = (ctx: Context, id: string): Promise<unknown> =>
  ctx.db.query('delete from auth_attempts where id = $1', [id]);

/** Runs the evaluation and releases the try when it throws. */
export async function releaseTryOnError<T>(ctx: Context, tryId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    await releaseTry(ctx, tryId);
    throw reason;
  }
}

export const throttled = (wait: number, what: string): DomainError =>
  new DomainError('THROTTLED', `${what}: try again in ${formatSeconds(wait)}`, { retryAfter: wait });

const formatSeconds = (seconds: number): string =>
  seconds < 90 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;
