import type { Context } from '@lensforge/core';
import { DomainError, newId } from '@lensforge/core';
import { codeOf, inTransaction } from '@lensforge/database';
import type { Allowance } from './throttle.js';
import { secondsToWait } from './throttle.js';

export type TryKind = 'sign_in' | 'known_sign_in' | 'password' | 'sign_up' | 'reset' | 'mail' | 'user_code';

export interface Try {
  kind: TryKind;
  subject: string;
  network: string;
}

/** What is counted together: tries of these kinds that agree in what is given. */
export interface Count {
  allowance: Allowance;
  kinds: readonly TryKind[];
  subject?: string;
  network?: string;
}

const lockNotAvailable = '55P03';

/**
 * Takes one of the tries that are left, before anything is evaluated: its id, or how long to wait. Whoever counts the
 * same things waits in line, so that many at once get no more than one after the other would.
 */
export async function countTry(
  ctx: Context,
  made: Try,
  counts: readonly Count[],
): Promise<{ id: string } | { wait: number }> {
  try {
    return await takeInLine(ctx, made, counts);
  } catch (reason) {
    // The line is longer than the database lets anybody wait: that is a crowd of tries, and no fault of ours.
    if (codeOf(reason) === lockNotAvailable) return { wait: 1 };
    throw reason;
  }
}

function takeInLine(ctx: Context, made: Try, counts: readonly Count[]): Promise<{ id: string } | { wait: number }> {
  return inTransaction(ctx, async (ctx) => {
    const names = counts.map(({ kinds, subject, network }) => JSON.stringify([kinds, subject, network])).sort();
    await ctx.db.query('select pg_advisory_xact_lock(hashtextextended(name, 7236)) from unnest($1::text[]) as name', [
      names,
    ]);
    let wait = 0;
    for (const count of counts) wait = Math.max(wait, secondsToWait(count.allowance, await ages(ctx, count)));
    if (wait > 0) return { wait: Math.ceil(wait) };
    const id = newId();
    await ctx.db.query('insert into tries (id, kind, subject, network) values ($1, $2, $3, $4)', [
      id,
      made.kind,
      made.subject,
      made.network,
    ]);
    return { id };
  });
}

async function ages(ctx: Context, { allowance, kinds, subject, network }: Count): Promise<number[]> {
  const rows = await ctx.db.query<{ age: number }[]>(
    `select extract(epoch from clock_timestamp() - at)::float as age from tries
      where ${subject === undefined ? 'network = $1' : 'subject = $1'} and ($2::text is null or network = $2)
        and kind = any($3) and at > clock_timestamp() - $4 * interval '1 s'
      order by at desc limit $5`,
    [subject ?? network, network ?? null, kinds, allowance.seconds, allowance.most],
  );
  return rows.map(({ age }) => age);
}

/** Nothing was evaluated after all. */
export const releaseTry = (ctx: Context, id: string): Promise<unknown> =>
  ctx.db.query('delete from tries where id = $1', [id]);

/** A try that was not evaluated because too many others are at it does not count. */
export async function evaluated<T>(ctx: Context, tryId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    await releaseTry(ctx, tryId);
    throw reason;
  }
}

export const throttled = (wait: number, what: string): DomainError =>
  new DomainError('THROTTLED', `${what}: try again in ${inWords(wait)}`, { retryAfter: wait });

const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;
