import { platformEventTypes } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';

const MAX_URL_LENGTH = 2048;

/** Checks the form of an endpoint URL. Each call checks that the address is public, because a DNS record may change. */
export function checkUrl(text: string): void {
  const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw badInput('url', `must be an https:// address of at most ${MAX_URL_LENGTH} characters`);
  if (url.username || url.password || url.hash)
    throw badInput('url', 'must not carry a user name, a password or a fragment');
}

export function checkEvents(events: readonly string[]): void {
  const known: readonly string[] = platformEventTypes;
  const unknown = events.filter((event) => !known.includes(event));
  if (events.length === 0 || unknown.length > 0) throw badInput('events', `must be one or more of ${known.join(', ')}`);
}
