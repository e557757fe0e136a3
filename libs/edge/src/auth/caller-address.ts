import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    trustedProxies: TrustedProxies;
  }
}

/** `loopback, 10.0.0.0/8, fd00::7`; undefined when one of them is neither an address nor a network. */
export function readTrustedProxies(list: string): TrustedProxies | undefined {
  const networks = new BlockList();
  for (const each of list.split(',').map((one) => one.trim())) {
    if (each === '') continue;
    if (each === 'loopback') {
      networks.addSubnet('127.0.0.0', 8, 'ipv4');
      networks.addAddress('::1', 'ipv6');
      continue;
    }
    const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(each) ?? [];
    const version = isIP(address);
    const widest = version === 4 ? 32 : 128;
    if (version === 0 || Number(bits ?? 0) > widest) return undefined;
    networks.addSubnet(address, bits === undefined ? widest : Number(bits), familyOf(address));
  }
  return { trusts: (address) => networks.check(address, familyOf(address)) };
}

export interface TrustedProxies {
  trusts(address: string): boolean;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/**
 * Where a request comes from. What X-Forwarded-For says is believed only as far as trusted proxies have written it: the
 * answer is the last hop that is none of them.
 */
export function callerAddress(request: Pick<FastifyRequest, 'headers' | 'raw' | 'server'>): string {
  const { trustedProxies: proxies } = request.server;
  let address = plainAddress(request.raw.socket.remoteAddress ?? '') ?? '';
  const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (address !== '' && proxies.trusts(address)) {
    const told = plainAddress(hops.pop()?.trim() ?? '');
    if (told === undefined) break;
    address = told;
  }
  return address;
}

/** Without port, brackets, zone and the clothes of an IPv4 address in IPv6; undefined when it is no address. */
function plainAddress(written: string): string | undefined {
  const [, bracketed, dotted] = /^\[([^\]]+)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(written) ?? [];
  const address = (bracketed ?? dotted ?? written).replace(/%.*$/, '').toLowerCase();
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const plain = mapped ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}
