import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type KeyedRun, applyStrategy, lockKey, passClaims } from './concurrency-keys.js';

type DueRun = KeyedRun & { concurrencyKey: string | null };

/** Lets delayed runs that are due wait for their concurrency key or a slot; returns their number. */
export async function startDueRuns(ctx: Context, { limit }: { limit: number }): Promise<number> {
  const due = await ctx.db.query<DueRun[]>(
    `select id, account_id as "accountId", concurrency_key as "concurrencyKey", concurrency_strategy as "concurrencyStrategy"
       from runs where status = 'queued' and waits_for = 'time' and not_before <= now() order by not_before limit $1`,
    [limit],
  );
  const exclusive = due.filter(({ concurrencyStrategy: strategy }) => (strategy ?? 'queue') !== 'queue');
  const queued = due.filter((run) => !exclusive.includes(run));
  let started = await moveOn(ctx, queued);
  await passClaims(
    ctx,
    queued.flatMap(({ accountId, concurrencyKey: key }) => (key === null ? [] : [{ accountId, key }])),
  );
  for (const run of exclusive) started += await startExclusive(ctx, run);
  return started;
}

function startExclusive(ctx: Context, run: DueRun): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    await lockKey(ctx, run);
    const started = await moveOn(ctx, [run]);
    if (started === 0 || run.concurrencyKey === null) return started;
    const passed = await passClaims(ctx, [{ accountId: run.accountId, key: run.concurrencyKey }]);
    if (!passed.includes(run.id)) await applyStrategy(ctx, run);
    return started;
  });
}

async function moveOn(ctx: Context, runs: readonly DueRun[]): Promise<number> {
  if (runs.length === 0) return 0;
  const [, count] = await ctx.db.query<[unknown, number]>(
    `update runs set waits_for = case when concurrency_key is not null then 'key'
                                      when funding_source = 'user_byok_local' then 'runner' else 'slot' end
      where id = any (array(select id from runs where id = any ($1) and status = 'queued' and waits_for = 'time'
                             order by id for update skip locked))`,
    [runs.map(({ id }) => id)],
  );
  return count;
}
