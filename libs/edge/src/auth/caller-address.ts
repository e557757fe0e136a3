import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    trustedProxies: TrustedProxies;
  }
}

/** Reads a list such as `loopback, 10.0.0.0/8, fd00::7`; undefined when an entry is neither an address nor a network. */
export function readTrustedProxies(list: string): TrustedProxies | undefined {
  const networks = new BlockList();
  for (const each of list.split(',').map((entry) => entry.trim())) {
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
    networks.addSubnet(address, bits === undefined ? widest : Number(bits), getFamily(address));
  }
  return { trusts: (address) => networks.check(address, getFamily(address)) };
}

export interface TrustedProxies {
  trusts(address: string): boolean;
}

const getFamily = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** True for a request whose socket belongs to a trusted proxy. */
export function isFromTrustedProxy({ raw, server }: Pick<FastifyRequest, 'raw' | 'server'>): boolean {
  const address = plainAddress(raw.socket.remoteAddress ?? '');
  return address !== undefined && server.trustedProxies.trusts(address);
}

/** The address of a caller: the last hop in X-Forwarded-For that is no trusted proxy, or the address of the socket. */
export function callerAddress(request: Pick<FastifyRequest, 'headers' | 'raw' | 'server'>): string {
  const { trustedProxies: proxies } = request.server;
  let address = plainAddress(request.raw.socket.remoteAddress ?? '') ?? '';
  const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (address !== '' && proxies.trusts(address)) {
    const hop = plainAddress(hops.pop()?.trim() ?? '');
    if (hop === undefined) break;
    address = hop;
  }
  return address;
}

/** An address without port, brackets, zone and IPv4-mapped prefix; undefined for any other text. */
function plainAddress(written: string): string | undefined {
  const [, bracketed, dotted] = /^\[([^\]]+)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(written) ?? [];
  const address = (bracketed ?? dotted ?? written).replace(/%.*$/s, '').toLowerCase();
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const plain = mapped ?? address;
  return isIP(plain) === 0 ? undefined : plain;
}
