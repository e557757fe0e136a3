import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a post comes from one of our own pages, or from a client that does not say. Under `no-referrer` browsers send
 * the origin `null` for our own forms; they say by `Sec-Fetch-Site` where those come from.
 */
export function isOwnPost(headers: IncomingHttpHeaders, base: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === new URL(base).origin || (/^https?:$/.test(from.protocol) && from.host === host?.toLowerCase());
}
