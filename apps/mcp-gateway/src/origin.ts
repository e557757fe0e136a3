import { isIP } from 'node:net';

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Allows loopback and configured origins, so that other web pages cannot use a stored token. */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  return origin === undefined || loopback.test(origin) || allowed.includes(origin);
}

/**
 * Refuses unknown host names, against DNS rebinding. IP addresses and names without a dot are allowed, since they cannot
 * be rebound.
 */
export function isAllowedHost(host: string | undefined, known: readonly string[]): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  if (isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return true;
  if (/^[a-z0-9_-]{1,63}$/.test(name)) return true;
  return known.includes(name) || known.includes(host.toLowerCase());
}
