import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

export interface WaitingKey {
  accountId: string;
  key: string;
}

const waiting = `status = 'queued' and admitted_at is null`;

const lines = preparedStatement(`
with recursive accounts as (
  (select account_id from runs where ${waiting} and account_id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid)
    order by account_id limit 1)
  union all
  select (select r.account_id from runs r where ${waiting} and r.account_id > a.account_id order by r.account_id limit 1)
    from accounts a where a.account_id is not null)
select account_id as id, (select true from runs r where r.account_id = a.account_id and ${waiting}
         and r.waits_for = 'place' limit 1) as "hasLine"
  from accounts a where account_id is not null limit $2`);

/** Accounts with runs that wait for a place, in the order of their ids after one of them: one look at an index for each. */
export async function accountsWithWaitingRuns(
  ctx: Context,
  { after, most }: { after: string | null; most: number },
): Promise<{ lines: string[]; last: string | null }> {
  const rows = await ctx.db.query<{ id: string; hasLine: boolean | null }[]>(lines, [after, most]);
  const found = rows.filter(({ hasLine }) => hasLine).map(({ id }) => id);
  return { lines: found, last: rows.length < most ? null : (rows.at(-1)?.id ?? null) };
}

const withoutTurn = preparedStatement(`
with recursive keys as (
  (select account_id, concurrency_key from runs where status = 'queued' and waits_for = 'key'
      and (account_id, concurrency_key) > ($1, $2) order by account_id, concurrency_key limit 1)
  union all
  select next.account_id, next.concurrency_key from keys k cross join lateral (
    select r.account_id, r.concurrency_key from runs r where r.status = 'queued' and r.waits_for = 'key'
       and (r.account_id, r.concurrency_key) > (k.account_id, k.concurrency_key)
     order by r.account_id, r.concurrency_key limit 1) next)
select account_id as "accountId", concurrency_key as key,
       (select true from run_turns t where t.account_id = k.account_id and t.key = k.concurrency_key limit 1) is null as "isFree"
  from keys k limit $3`);

/** Keys that runs wait for though nobody has their turn: what must not last, after a run of theirs. */
export async function unclaimedKeys(
  ctx: Context,
  { after, most }: { after: WaitingKey | null; most: number },
): Promise<{ free: WaitingKey[]; last: WaitingKey | null }> {
  const rows = await ctx.db.query<(WaitingKey & { isFree: boolean })[]>(withoutTurn, [
    after?.accountId ?? '00000000-0000-0000-0000-000000000000',
    after?.key ?? '',
    most,
  ]);
  const free = rows.filter(({ isFree }) => isFree).map(({ accountId, key }) => ({ accountId, key }));
  const last = rows.length < most ? null : (rows.at(-1) ?? null);
  return { free, last };
}

/** Takes turns from runs that have ended or were never there. None should be found. */
export async function dropStaleClaims(ctx: Context): Promise<number> {
  const [, count] = await ctx.db.query<[unknown, number]>(
    `delete from run_turns t where not exists (select 1 from runs r where r.id = t.run_id and r.completed_at is null)`,
  );
  return count;
}

export interface WaitingCounts {
  time: number;
  key: number;
  place: number;
  runner: number;
  /** Tracking records: they wait for their callers. */
  report: number;
}

const mostCounted = 100_000;

/** How many runs wait, and for what; each figure ends at 100,000. */
export async function countWaiting(ctx: Context): Promise<WaitingCounts> {
  const count = (what: string) =>
    `(select count(*)::int from (select 1 from runs where status = 'queued' and admitted_at is null
        and waits_for = '${what}' limit ${mostCounted}) as found) as "${what}"`;
  const [counts] = await ctx.db.query<[WaitingCounts]>(
    `select ${(['time', 'key', 'place', 'runner', 'report'] as const).map(count).join(', ')}`,
  );
  return counts;
}
