import type { IncomingHttpHeaders } from 'node:http';

/**
 * True for a form from one of our pages, or from a client that sends no origin. With `no-referrer`, browsers send
 * the origin `null` for our forms; `Sec-Fetch-Site` then has their source.
 */
export function isOwnPost(headers: IncomingHttpHeaders, base: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.origin === new URL(base).origin || (/^https?:$/.test(from.protocol) && from.host === host?.toLowerCase());
}
