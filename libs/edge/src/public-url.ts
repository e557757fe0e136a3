const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * The address under which a service is known: the configured one, unless the caller reached it over loopback. No other
 * Host header counts, so nobody can make a document or a challenge name a place of their choice.
 */
export function publicUrl(configured: string | undefined, host: string | undefined): string {
  if (host !== undefined && loopback.test(host)) return `http://${host}`;
  if (configured !== undefined) return configured.replace(/\/+$/, '');
  return 'http://localhost';
}
