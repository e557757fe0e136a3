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

/** True for an address that `publicUrl` answers for a Host header instead of the configured address. */
export function standsInForPublicUrl(url: string, hosts: readonly string[] = []): boolean {
  if (url.startsWith('http://') && loopback.test(hostOf(url))) return true;
  return hosts.some((known) => url === (known.includes('://') ? known : `https://${known}`));
}

/**
 * The address of another service for a client that reached this one under a Host. A loopback address takes the loopback
 * name that the client uses: 127.0.0.1 and localhost are the same machine.
 */
export function addressSeenFrom(host: string | undefined, url: string): string {
  const [, name] = loopback.exec(host ?? '') ?? [];
  const { hostname, port, protocol, pathname } = new URL(url);
  if (name === undefined || protocol !== 'http:' || !loopback.test(hostname)) return url.replace(/\/+$/, '');
  return `http://${name}${port && `:${port}`}${pathname.replace(/\/+$/, '')}`;
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
