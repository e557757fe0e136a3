import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a host name; rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries the name servers directly. With getaddrinfo a name server that never answers would block one of libuv's few
 * threads and delay all other targets.
 */
export function networkResolver({ servers }: { servers?: readonly string[] } = {}): Resolve {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [ipv4, ipv6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return addresses;
  };
}

/** Uses the resolver of the operating system, with /etc/hosts and names inside a cluster. */
export const systemResolver = (): Resolve => async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);
