import type { RunWebhookDelivery } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  decodeCursor,
  encodeCursor,
  toPage,
  requireScope,
} from '@lensforge/core';
import { deliverySummary } from './delivery-summary.js';

export interface RunDeliveriesRequest extends PageRequest {
  runId: string;
  /** Null while the run is open. */
  completedAt: string | null;
}

/**
 * The body of an event begins with its id, type and time and the id of the run, in the order of the contract. Members with
 * values of users come later.
 */
const BYTES_WITH_RUN_ID = 200;

/**
 * The statement that ends a run publishes its event with the same time. So the index of events by time finds the few events
 * that can be the one of the run: neither ending a run nor storing an event pays for another index.
 */
const deliveriesOfRun = `
  select ${deliverySummary}, e.url as "endpointUrl",
         to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
    from webhook_events v
    join webhook_deliveries d on d.event_id = v.id
    join webhook_endpoints e on e.id = d.endpoint_id and e.removed_at is null
   where v.account_id = $1 and v.occurred_at = $2 and v.type in ('run.completed', 'run.failed')
     and position(convert_to('"data":{"runId":"' || $3::text || '"', 'UTF8') in substring(v.body for ${BYTES_WITH_RUN_ID})) > 0
     and ($4::timestamptz is null or (d.created_at, d.id) < ($4, $5::uuid))
   order by d.created_at desc, d.id desc limit $6 offset $7`;

/** Lists the deliveries to endpoints of the caller that a run of the caller caused, newest first. */
export async function listRunDeliveries(
  ctx: Context,
  { runId, completedAt, ...request }: RunDeliveriesRequest,
): Promise<Page<RunWebhookDelivery>> {
  requireScope(ctx, 'workflows:read');
  const { limit, offset = 0, cursor } = request;
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await ctx.db.query<(RunWebhookDelivery & { position?: string })[]>(deliveriesOfRun, [
    ctx.actor.accountId,
    completedAt,
    runId,
    before?.at ?? null,
    before?.id ?? null,
    limit + 1,
    offset,
  ]);
  const page = toPage(rows, request, ({ position: at = '', id }) => encodeCursor({ at, id }));
  for (const item of page.items) delete item.position;
  return page;
}
