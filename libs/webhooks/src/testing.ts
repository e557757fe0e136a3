import {
  PlatformEventJob as PlatformEvent,
  type PlatformEventJob,
  type PlatformEventType,
  type WebhookEndpointWithSecret,
  jobs,
  parse,
} from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type KeyRing, keyRing } from '@lensforge/vault';
import { createEndpoint, fanOutEvents } from './index.js';

/** The master key of tests. Services with this key in their environment can decrypt what aKeyRing sealed. */
export const testMasterKey = Buffer.alloc(32, 'lensforge tests ').toString('base64');
export const aKeyRing = (): KeyRing => keyRing([{ version: 1, key: testMasterKey }]);

/** Creates an endpoint of the caller's account, and the account if it is missing. */
export async function anEndpoint(
  ctx: Context,
  {
    url = 'https://receiver.example/hooks',
    events = ['run.completed', 'run.failed'],
    ring = aKeyRing(),
  }: { url?: string; events?: PlatformEventType[]; ring?: KeyRing } = {},
): Promise<WebhookEndpointWithSecret> {
  const { accountId } = ctx.actor;
  await ctx.db.query(
    `insert into accounts (id, kind, handle, display_name) values ($1, 'person', $2, 'A subscriber') on conflict do nothing`,
    [accountId, `a-${accountId}`],
  );
  return createEndpoint(ctx, { url, events }, ring);
}

export function aPlatformEvent(accountId: string, overrides: Partial<PlatformEventJob> = {}): PlatformEventJob {
  const data = { runId: newId(), workflowId: null, status: 'succeeded', outputs: [{ contentText: 'Grüße' }], cost: 0 };
  return parse(PlatformEvent, {
    eventId: newId(),
    type: 'run.completed',
    accountId,
    occurredAt: new Date().toISOString(),
    data,
    ...overrides,
  });
}

/** Fans out one event and returns the number of deliveries. */
export async function fanOutEvent(ctx: Context, event: PlatformEventJob): Promise<number> {
  const { requestId, traceparent } = ctx;
  const [made = 0] = await fanOutEvents(ctx, [{ event, requestId, traceparent }]);
  return made;
}

/** Fans out the events in the outbox, as a dispatcher does. */
export async function fanOutOutbox(ctx: Context): Promise<void> {
  const events = await ctx.db.query<{ event: PlatformEventJob; requestId: string; traceparent: string | undefined }[]>(
    'select payload as event, request_id as "requestId", traceparent from outbox where job = $1',
    [jobs.fanOutPlatformEvent.name],
  );
  await fanOutEvents(ctx, events);
}
