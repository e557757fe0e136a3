const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * The public URL of a service: the configured one, unless the Host header is loopback or a listed host. Other Host headers
 * are ignored, so that a caller cannot put a URL of its choice into a document or challenge.
 */
export function publicUrl(
  configured: string | undefined,
  host: string | undefined,
  hosts: readonly string[] = [],
): string {
  if (host !== undefined && loopback.test(host)) return `http://${host}`;
  const known = host === undefined ? undefined : hosts.find((each) => stripScheme(each) === host.toLowerCase());
  if (known !== undefined) return known.includes('://') ? known : `https://${known}`;
  if (configured !== undefined) return configured.replace(/(?<!\/)\/+$/, '');
  return 'http://localhost';
}

/** True for a URL that `publicUrl` returns for a Host header instead of the configured one. */
export function isAlternativePublicUrl(url: string, hosts: readonly string[] = []): boolean {
  if (url.startsWith('http://') && loopback.test(stripScheme(url))) return true;
  return hosts.some((known) => url === (known.includes('://') ? known : `https://${known}`));
}

/** The URL of another service for a client that sent this Host; a loopback URL takes the client's loopback name. */
export function urlForHost(host: string | undefined, url: string): string {
  const [, name] = loopback.exec(host ?? '') ?? [];
  const { hostname, port, protocol, pathname } = new URL(url);
  if (name === undefined || protocol !== 'http:' || !loopback.test(hostname)) return url.replace(/(?<!\/)\/+$/, '');
  return `http://${name}${port && `:${port}`}${pathname.replace(/(?<!\/)\/+$/, '')}`;
}

const stripScheme = (known: string): string => known.replace(/^https?:\/\//, '');

const hostForm = /^(https?:\/\/)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;

/** Reads a list such as `tools.example.com, http://lensforge.lan:8080`; undefined when an entry is no host. */
export function readPublicHosts(list: string | undefined): readonly string[] | undefined {
  const hosts = (list ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  return hosts.every((each) => hostForm.test(each)) ? hosts : undefined;
}
