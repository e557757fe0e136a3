import { platformEventTypes } from '@lensforge/contracts';
import { badInput } from '@lensforge/core';

const LONGEST_URL = 2048;

// Whether the address is a public one is seen at each call: a name may change its mind.
export function checkUrl(text: string): void {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw badInput('url', `must be an https:// address of at most ${LONGEST_URL} characters`);
  if (url.username || url.password || url.hash)
    throw badInput('url', 'must not carry a user name, a password or a fragment');
}

export function checkEvents(events: readonly string[]): void {
  const known: readonly string[] = platformEventTypes;
  const unknown = events.filter((event) => !known.includes(event));
  if (events.length === 0 || unknown.length > 0) throw badInput('events', `must be one or more of ${known.join(', ')}`);
}
