import { toJsonb } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import type { IncomingCall } from './incoming-call.entity.js';

export type ReceivedCall = Omit<IncomingCall, 'accountId'>;

/** Stores calls of incoming webhooks, except calls of removed webhooks. */
export async function recordIncomingCalls(db: EntityManager, calls: readonly ReceivedCall[]): Promise<void> {
  if (calls.length === 0) return;
  await db.query(
    `insert into incoming_calls (id, webhook_id, account_id, status, reason, via, run_id, delivery_key, body, body_bytes,
                                 address, request_id, created_at)
     select c.id, w.id, w.account_id, c.status, c.reason, c.via, c."runId", c."deliveryKey", c.body, c."bodyBytes",
            c.address, c."requestId", c."createdAt"
       from jsonb_to_recordset($1::jsonb) as c(
              id uuid, "webhookId" uuid, status smallint, reason text, via text, "runId" uuid, "deliveryKey" text,
              body text, "bodyBytes" integer, address text, "requestId" uuid, "createdAt" timestamptz)
       join incoming_webhooks w on w.id = c."webhookId" and w.removed_at is null
     on conflict (id) do nothing`,
    [toJsonb(calls)],
  );
}
