import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { WebhookReplay } from './webhook-replay.entity.js';

const PAGE_SIZE = 200;
/** A replay pauses while this many deliveries to the endpoint are pending. */
const MAX_PENDING = 1000;

interface Replay {
  id: string;
  endpointId: string;
  disabled: boolean;
  pending: number;
}

/**
 * Advances each running replay by one page and returns the number of deliveries made. The page and the progress are written
 * in one transaction, so a crash neither skips nor repeats events.
 */
export async function advanceReplays(ctx: Context): Promise<number> {
  const running = await ctx.db.query<{ id: string }[]>(
    `select id from webhook_replays where state = 'running' order by created_at limit 100`,
  );
  let made = 0;
  for (const { id } of running) made += await inTransaction(ctx, (ctx) => advanceReplay(ctx, id));
  return made;
}

async function advanceReplay(ctx: Context, replayId: string): Promise<number> {
  const [replay] = await ctx.db.query<Replay[]>(
    `select r.id, r.endpoint_id as "endpointId", e.disabled_at is not null as disabled,
            (select count(*)::int from (select from webhook_deliveries d
                                         where d.endpoint_id = e.id and d.state = 'pending' limit $2) w) as pending
       from webhook_replays r join webhook_endpoints e on e.id = r.endpoint_id
      where r.id = $1 and r.state = 'running' for update of r skip locked`,
    [replayId, MAX_PENDING],
  );
  if (!replay) return 0;
  if (replay.disabled) {
    await ctx.db.update(WebhookReplay, { id: replay.id }, { state: 'canceled', endedAt: () => 'now()' });
    return 0;
  }
  if (replay.pending >= MAX_PENDING) return 0;
  const [step] = await ctx.db.query<[{ made: number }]>(statement, [replay.id, PAGE_SIZE]);
  return step.made;
}

// The database generates the ids of these deliveries, because only it knows their number.
const statement = `
with page as materialized (
  select v.id, v.account_id, v.type, v.occurred_at, v.type = any (e.events) as wanted, r.what, r.endpoint_id
    from webhook_replays r join webhook_endpoints e on e.id = r.endpoint_id
    join webhook_events v on v.account_id = r.account_id and v.occurred_at >= r.from_at and v.occurred_at < r.to_at
     and (r.reached_at is null or (v.occurred_at, v.id) > (r.reached_at, r.reached_id))
   where r.id = $1 order by v.occurred_at, v.id limit $2
), made as (
  insert into webhook_deliveries as d (id, endpoint_id, event_id, account_id, type, cause)
  select uuidv7(), p.endpoint_id, p.id, p.account_id, p.type, 'replay' from page p
   where p.wanted and p.type <> 'webhook.test'
   order by p.occurred_at, p.id
  on conflict (event_id, endpoint_id) do update
     set state = 'pending', cause = 'replay', tries = 0, lost_attempts = 0, generation = d.generation + 1, next_at = now(),
         lease_until = null, ended_at = null
   where d.state in ('exhausted', 'canceled')
      or d.state = 'delivered' and (select what from webhook_replays where id = $1) = 'all'
  returning d.id
), last as (
  select occurred_at, id from page order by occurred_at desc, id desc limit 1
), moved as (
  update webhook_replays r
     set looked = r.looked + (select count(*)::int from page), made = r.made + (select count(*)::int from made),
         reached_at = coalesce((select occurred_at from last), r.reached_at),
         reached_id = coalesce((select id from last), r.reached_id),
         state = case when (select count(*) from page) < $2 then 'done' else r.state end,
         ended_at = case when (select count(*) from page) < $2 then now() end
   where r.id = $1
)
select count(*)::int as made from made`;
