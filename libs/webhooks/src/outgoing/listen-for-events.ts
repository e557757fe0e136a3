import type { WebhookListening } from '@lensforge/contracts';
import { type Context, requireScope } from '@lensforge/core';

/** A listener calls again before this time has passed. */
const listenSeconds = 120;

/** Stores the events of the account for a while, also those without an endpoint. */
export async function listenForEvents(ctx: Context): Promise<WebhookListening> {
  requireScope(ctx, 'workflows:read');
  const [row] = await ctx.db.query<WebhookListening[]>(
    `insert into webhook_listeners (account_id, until) values ($1, now() + $2 * interval '1 second')
     on conflict (account_id) do update set until = greatest(webhook_listeners.until, excluded.until)
     returning iso(until) as until`,
    [ctx.actor.accountId, listenSeconds],
  );
  return row as WebhookListening;
}
