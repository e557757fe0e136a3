const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** A browser names the page that calls; a page of somebody else's must not use a token that lies around. */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  return origin === undefined || loopback.test(origin) || allowed.includes(origin);
}
