import { type Context, newId } from '@lensforge/core';
import type { KeyRing } from '@lensforge/vault';
import { createEndpoint, disableEndpoint } from '@lensforge/webhooks';
import { idAt } from './past-runs.js';

const hourMs = 3_600_000;
/** The waits between the attempts of a delivery. */
const afterMs = [0, 30_000, 300_000, 1_800_000];

export interface WebhookSources {
  now: Date;
  ring: KeyRing;
  url: string;
  /** Failed runs of the past, whose events were sent. */
  failed: readonly { id: string; lensId: string | null; code: string; message: string; at: number }[];
}

/**
 * An endpoint that answered 500 for a day and was disabled. Its deliveries and attempts are of the past, so they are
 * written as the dispatcher leaves them.
 */
export async function failingEndpoint(ctx: Context, { now, ring, url, failed }: WebhookSources): Promise<string> {
  const description = 'The ticket system, which answers 500';
  const { id: endpointId } = await createEndpoint(ctx, { url, events: ['run.failed'], description }, ring);
  const rows = failed.map(({ id, lensId, code, message, at }) => {
    const eventId = idAt(at);
    const timestamp = new Date(at).toISOString();
    const data = {
      runId: id,
      workflowId: null,
      error: { code, message },
      lensId,
      tags: [],
      metadata: { sample: true },
    };
    return {
      eventId,
      deliveryId: newId(),
      body: JSON.stringify({ id: eventId, event: 'run.failed', timestamp, data }),
      occurredAt: timestamp,
      endedAt: new Date(at + 2 * hourMs).toISOString(),
      attempts: afterMs.map((wait, n) => ({
        id: newId(),
        number: n + 1,
        durationMs: 40 + 17 * n,
        at: new Date(at + wait).toISOString(),
      })),
    };
  });
  await ctx.db.query(
    `insert into webhook_events (id, account_id, type, body, occurred_at, created_at)
     select "eventId", $1, 'run.failed', convert_to(body, 'UTF8'), "occurredAt", "occurredAt"
       from jsonb_to_recordset($2::jsonb) as x ("eventId" uuid, body text, "occurredAt" timestamptz)`,
    [ctx.actor.accountId, JSON.stringify(rows)],
  );
  await ctx.db.query(
    `insert into webhook_deliveries (id, endpoint_id, event_id, account_id, type, state, attempt, tries, next_at, last_status,
                                     last_error, created_at, ended_at)
     select "deliveryId", $1, "eventId", $2, 'run.failed', 'exhausted', $4, $4, "endedAt", 500, null, "occurredAt", "endedAt"
       from jsonb_to_recordset($3::jsonb) as x ("deliveryId" uuid, "eventId" uuid, "occurredAt" timestamptz, "endedAt" timestamptz)`,
    [endpointId, ctx.actor.accountId, JSON.stringify(rows), afterMs.length],
  );
  await ctx.db.query(
    `insert into webhook_attempts (id, delivery_id, number, status, error, detail, answer, duration_ms, created_at)
     select a.id, x."deliveryId", a.number, 500, null, null, convert_to('{"error":"database is read-only"}', 'UTF8'),
            a."durationMs", a.at
       from jsonb_to_recordset($1::jsonb) as x ("deliveryId" uuid, attempts jsonb),
            jsonb_to_recordset(x.attempts) as a (id uuid, number int, "durationMs" int, at timestamptz)`,
    [JSON.stringify(rows)],
  );
  await disableEndpoint(ctx, endpointId, 'failing');
  // Its owner was told about it at that time, so that no notice is due.
  await ctx.db.query(
    `update webhook_endpoints set failures = $2, failing_since = $3, created_at = $4, notice_due = false where id = $1`,
    [
      endpointId,
      rows.length * afterMs.length,
      new Date(now.getTime() - 26 * hourMs),
      new Date(now.getTime() - 720 * hourMs),
    ],
  );
  return endpointId;
}
