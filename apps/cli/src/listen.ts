import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { shapes } from '@lensforge/sdk';
import type { Session } from './session.js';

const pollMs = 2000;
/** The platform stores events without an endpoint for two minutes after each call. */
const renewEveryMs = 60_000;
/** Events of several transactions may become visible out of order within this time. */
const overlapMs = 60_000;

type Event = shapes.WebhookEventReply;

export interface ListenOptions {
  forwardTo: string;
  secret: string;
  types: readonly string[] | undefined;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);

/** The body and headers of a delivery, signed as the platform signs. */
export function signedDelivery(
  { id, event, occurredAt, data }: Event,
  secret: string,
  seconds: number,
): { body: string; headers: Record<string, string> } {
  const unsigned = JSON.stringify({ id, event, timestamp: occurredAt, data });
  const signature = `sha256=${hmac(secret, unsigned).digest('hex')}`;
  const body = `${unsigned.slice(0, -1)},"signature":"${signature}"}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-event-id': id,
      'x-service-signature': `sha256=${hmac(secret, body).digest('hex')}`,
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${hmac(key, `${id}.${seconds}.${body}`).digest('base64')}`,
    },
  };
}

/** Forwards the events that occur from now on, until the command is interrupted. */
export async function listen(session: Session, { forwardTo, secret, types }: ListenOptions): Promise<void> {
  const { client, call, terminal, signal } = session;
  let renewedAt = -Infinity;
  terminal.message(`Forwarding events to ${forwardTo}. Signing secret: ${secret}`);
  const startedAt = Date.now();
  const seen = new Map<string, number>();
  for (;;) {
    if (performance.now() - renewedAt >= renewEveryMs) {
      await client.webhookEndpoints.listenForEvents(call);
      renewedAt = performance.now();
    }
    for (const event of await newEvents(session, startedAt, seen)) {
      if (types === undefined || types.includes(event.event)) await forward(session, event, { forwardTo, secret });
    }
    for (const [id, at] of seen) if (at < Date.now() - 2 * overlapMs) seen.delete(id);
    await pause(pollMs, undefined, { signal });
  }
}

async function newEvents({ client, call }: Session, startedAt: number, seen: Map<string, number>): Promise<Event[]> {
  const from = new Date(Math.max(startedAt, Date.now() - overlapMs)).toISOString();
  const found: Event[] = [];
  for await (const event of client.webhookEndpoints.listEvents({ from, limit: 100 }, call)) {
    if (seen.has(event.id)) continue;
    seen.set(event.id, Date.now());
    found.push(event);
  }
  return found.reverse();
}

async function forward(
  { terminal, asJson, signal }: Session,
  event: Event,
  { forwardTo, secret }: Pick<ListenOptions, 'forwardTo' | 'secret'>,
): Promise<void> {
  const { body, headers } = signedDelivery(event, secret, Math.floor(Date.now() / 1000));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  const outcome = await fetch(forwardTo, { method: 'POST', body, headers, redirect: 'manual', signal: limit }).then(
    ({ status }) => String(status),
    (error: unknown) => {
      if (signal.aborted) throw error;
      const { message, cause } = error as { message: string; cause?: { code?: string } };
      return `failed: ${cause?.code ?? message}`;
    },
  );
  const line = asJson
    ? JSON.stringify({ ...event, outcome })
    : `${event.occurredAt} ${event.event} ${event.id} ${outcome}`;
  terminal.data(`${line}\n`);
}
