import { isIP } from 'node:net';

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** A browser names the page that calls; a page of somebody else's must not use a token that lies around. */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  return origin === undefined || loopback.test(origin) || allowed.includes(origin);
}

/**
 * A name that somebody else's page was made to resolve to this machine is refused. What cannot be such a name passes:
 * an address, a name without a dot, loopback.
 */
export function isAllowedHost(host: string | undefined, known: readonly string[]): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  if (/^[a-z0-9_-]{1,63}$/.test(name)) return true;
  return known.includes(name) || known.includes(host.toLowerCase());
}
