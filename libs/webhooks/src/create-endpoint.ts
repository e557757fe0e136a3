import type { PlatformEventType } from '@lensforge/contracts';
import { platformEventTypes } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, newId, requireScope } from '@lensforge/core';
import type { KeyRing } from '@lensforge/vault';
import { sealSecret } from './secrets.js';
import { newSecret } from './sign.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

export interface NewEndpoint {
  url: string;
  events: readonly PlatformEventType[];
  description?: string;
}

export interface CreatedEndpoint {
  id: string;
  /** Shown this once; only its sealed form is kept. */
  secret: string;
}

const MOST_ENDPOINTS = 50;
const LONGEST_URL = 2048;

export async function createEndpoint(
  ctx: Context,
  { url, events, description = '' }: NewEndpoint,
  ring: KeyRing,
): Promise<CreatedEndpoint> {
  requireScope(ctx, 'workflows:write');
  const { accountId } = ctx.actor;
  checkUrl(url);
  checkEvents(events);
  if ((await ctx.db.countBy(WebhookEndpoint, { accountId })) >= MOST_ENDPOINTS)
    throw new DomainError('CONFLICT', `An account has at most ${MOST_ENDPOINTS} webhook endpoints; remove one first`);
  const id = newId();
  const secret = newSecret();
  await ctx.db.insert(WebhookEndpoint, {
    id,
    accountId,
    url,
    description,
    events: [...new Set(events)],
    secret: sealSecret(ring, { id, accountId }, secret),
  });
  return { id, secret };
}

// Whether the address is a public one is seen at each call: a name may change its mind.
function checkUrl(text: string): void {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new DomainError('BAD_INPUT', `url: must be an https:// address of at most ${LONGEST_URL} characters`);
  if (url.username || url.password || url.hash)
    throw new DomainError('BAD_INPUT', 'url: must not carry a user name, a password or a fragment');
}

function checkEvents(events: readonly string[]): void {
  const known: readonly string[] = platformEventTypes;
  const unknown = events.filter((event) => !known.includes(event));
  if (events.length === 0 || unknown.length > 0)
    throw new DomainError('BAD_INPUT', `events: must be one or more of ${known.join(', ')}`, { unknown });
}
