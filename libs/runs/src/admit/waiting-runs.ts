import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';

export interface WaitingKey {
  accountId: string;
  key: string;
}

const waiting = `status = 'queued' and admitted_at is null`;

const accounts = preparedStatement(`
with recursive accounts as (
  (select account_id from runs where ${waiting} and account_id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid)
    order by account_id limit 1)
  union all
  select (select r.account_id from runs r where ${waiting} and r.account_id > a.account_id order by r.account_id limit 1)
    from accounts a where a.account_id is not null)
select account_id as id, (select true from runs r where r.account_id = a.account_id and ${waiting}
         and r.waits_for = 'slot' limit 1) as "hasWaiting"
  from accounts a where account_id is not null limit $2`);

/** Returns a page of accounts with runs that wait for a slot, by id; reads one index entry per account. */
export async function accountsWithWaitingRuns(
  ctx: Context,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ accountIds: string[]; last: string | null }> {
  const rows = await ctx.db.query<{ id: string; hasWaiting: boolean | null }[]>(accounts, [after, limit]);
  const accountIds = rows.filter(({ hasWaiting }) => hasWaiting).map(({ id }) => id);
  return { accountIds, last: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
}

const waitingKeys = preparedStatement(`
with recursive keys as (
  (select account_id, concurrency_key from runs where status = 'queued' and waits_for = 'key'
      and (account_id, concurrency_key) > ($1, $2) order by account_id, concurrency_key limit 1)
  union all
  select next.account_id, next.concurrency_key from keys k cross join lateral (
    select r.account_id, r.concurrency_key from runs r where r.status = 'queued' and r.waits_for = 'key'
       and (r.account_id, r.concurrency_key) > (k.account_id, k.concurrency_key)
     order by r.account_id, r.concurrency_key limit 1) next)
select account_id as "accountId", concurrency_key as key,
       (select true from concurrency_claims t where t.account_id = k.account_id and t.key = k.concurrency_key limit 1) is null as "isFree"
  from keys k limit $3`);

/** Returns a page of keys that runs wait for although no run holds them. */
export async function unclaimedKeys(
  ctx: Context,
  { after, limit }: { after: WaitingKey | null; limit: number },
): Promise<{ free: WaitingKey[]; last: WaitingKey | null }> {
  const rows = await ctx.db.query<(WaitingKey & { isFree: boolean })[]>(waitingKeys, [
    after?.accountId ?? '00000000-0000-0000-0000-000000000000',
    after?.key ?? '',
    limit,
  ]);
  const free = rows.filter(({ isFree }) => isFree).map(({ accountId, key }) => ({ accountId, key }));
  const last = rows.length < limit ? null : (rows.at(-1) ?? null);
  return { free, last };
}

/** Deletes claims of runs that have ended or do not exist; normally there are none. */
export async function dropStaleClaims(ctx: Context): Promise<number> {
  const [, count] = await ctx.db.query<[unknown, number]>(
    `delete from concurrency_claims t where not exists (select 1 from runs r where r.id = t.run_id and r.completed_at is null)`,
  );
  return count;
}

export interface WaitingCounts {
  time: number;
  key: number;
  slot: number;
  runner: number;
  /** Tracking records that wait for the report of their callers. */
  report: number;
}

const maxCounted = 100_000;

/** Counts waiting runs by the reason of the wait; each count stops at 100,000. */
export async function countWaiting(ctx: Context): Promise<WaitingCounts> {
  const count = (reason: string) =>
    `(select count(*)::int from (select 1 from runs where status = 'queued' and admitted_at is null
        and waits_for = '${reason}' limit ${maxCounted}) as found) as "${reason}"`;
  const [counts] = await ctx.db.query<[WaitingCounts]>(
    `select ${(['time', 'key', 'slot', 'runner', 'report'] as const).map(count).join(', ')}`,
  );
  return counts;
}
