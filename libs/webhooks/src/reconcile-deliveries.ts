import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { enqueue, inTransaction } from '@lensforge/database';
import { JOB_LEASE_MS, MOST_LOST_ATTEMPTS } from './leases.js';

export interface Reconciled {
  /** Jobs for what was found, for whoever hands them over at once. */
  jobs: OutboxRow[];
  /** Deliveries whose worker vanished. */
  lostAttempts: number;
  /** As many as one call takes: call again. */
  more: boolean;
}

interface Found {
  id: string;
  generation: number;
  state: 'pending' | 'exhausted' | 'canceled';
  wasSending: boolean;
  endpointBusy: boolean;
  requestId: string | null;
  traceparent: string | null;
}

/**
 * Deliveries that nobody seems to be at: due ones whose job did not come, and taken ones whose worker vanished. A late
 * job may only be waiting in a long queue, so each next one is awaited twice as long, up to a minute. What waits for an
 * endpoint that is being called right now needs no job: whoever calls it goes on with it.
 */
export function reconcileDeliveries(ctx: Context, { most = 200 } = {}): Promise<Reconciled> {
  return inTransaction(ctx, async (ctx) => {
    const [found] = await ctx.db.query<[Found[], number]>(statement, [most, MOST_LOST_ATTEMPTS, JOB_LEASE_MS]);
    const rows: OutboxRow[] = [];
    for (const { id, generation, state, endpointBusy, requestId, traceparent } of found) {
      if (state !== 'pending' || endpointBusy) continue;
      const origin = { ...ctx, requestId: requestId ?? ctx.requestId, traceparent: traceparent ?? undefined };
      const payload = { deliveryId: id, generation };
      rows.push(
        await enqueue(origin, jobs.deliverWebhook, payload, { jobId: `${id}-g${generation}`, handedOver: true }),
      );
    }
    const lostAttempts = found.filter(({ wasSending }) => wasSending).length;
    return { jobs: rows, lostAttempts, more: found.length === most };
  });
}

const statement = `
with idle as (
  select d.id, d.state = 'sending' as was_sending,
         d.state = 'pending' and exists (
           select 1 from webhook_deliveries s
            where s.endpoint_id = d.endpoint_id and s.state = 'sending' and s.lease_until > now()) as endpoint_busy,
         case when e.disabled_at is not null then 'canceled'
              when d.state = 'sending' and d.lost_attempts + 1 >= $2 then 'exhausted'
              else 'pending' end as next_state
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
   where d.lease_until < now() order by d.lease_until limit $1 for update of d skip locked
)
update webhook_deliveries d
   set state = i.next_state, slot = null,
       lost_attempts = d.lost_attempts + case when i.was_sending then 1 else 0 end,
       last_error = case when i.was_sending then 'worker_lost' else d.last_error end,
       generation = d.generation + case when i.endpoint_busy then 0 else 1 end,
       next_at = case when i.was_sending then now() else d.next_at end,
       lease_until = case when i.next_state = 'pending'
                          then now() + case when i.was_sending then $3 * interval '1 ms'
                                            else least(greatest(now() - d.next_at, $3 * interval '1 ms'), interval '1 min') end end,
       ended_at = case when i.next_state <> 'pending' then now() end
  from idle i, webhook_events v
 where d.id = i.id and v.id = d.event_id
returning d.id, d.generation, d.state, i.was_sending as "wasSending", i.endpoint_busy as "endpointBusy",
          v.request_id as "requestId", v.traceparent`;
