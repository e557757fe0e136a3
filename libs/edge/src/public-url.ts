const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * The address under which a service is known: the configured one, unless the caller reached it over loopback or by one
 * of the hosts that it is also known by. No other Host header counts, so nobody can make a document or a challenge name
 * a place of their choice.
 */
export function publicUrl(
  configured: string | undefined,
  host: string | undefined,
  hosts: readonly string[] = [],
): string {
  if (host !== undefined && loopback.test(host)) return `http://${host}`;
  const known = host === undefined ? undefined : hosts.find((each) => hostOf(each) === host.toLowerCase());
  if (known !== undefined) return known.includes('://') ? known : `https://${known}`;
  if (configured !== undefined) return configured.replace(/\/+$/, '');
  return 'http://localhost';
}

const hostOf = (known: string): string => known.replace(/^https?:\/\//, '');

const entry = /^(https?:\/\/)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;

/** `tools.example.com, http://lensforge.lan:8080`; undefined when one of them is no host. */
export function readPublicHosts(list: string | undefined): readonly string[] | undefined {
  const hosts = (list ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  return hosts.every((each) => entry.test(each)) ? hosts : undefined;
}
