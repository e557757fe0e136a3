import { BlockList, isIP } from 'node:net';

type Range = readonly [address: string, bits: number];

/** Address kinds in order; the first match counts. Addresses in none of these ranges are public. */
const kinds: readonly (readonly [kind: string, ...ranges: Range[]])[] = [
  [
    'a metadata service',
    ['169.254.169.254', 32], // most clouds
    ['169.254.170.2', 32], // containers of AWS
    ['169.254.170.23', 32],
    ['100.100.100.200', 32], // Alibaba
    ['168.63.129.16', 32], // Azure
    ['192.0.0.192', 32], // Oracle
    ['fd00:ec2::254', 128], // AWS
    ['fd00:ec2::23', 128],
    ['fd20:ce::254', 128], // Google
  ],
  ['this host', ['0.0.0.0', 8], ['::', 128]],
  ['loopback', ['127.0.0.0', 8], ['::1', 128]],
  ['private', ['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16]],
  ['carrier NAT', ['100.64.0.0', 10]],
  ['link-local', ['169.254.0.0', 16], ['fe80::', 10], ['fec0::', 10]],
  ['unique local', ['fc00::', 7]],
  ['multicast', ['224.0.0.0', 4], ['ff00::', 8]],
  ['documentation', ['192.0.2.0', 24], ['198.51.100.0', 24], ['203.0.113.0', 24], ['2001:db8::', 32], ['3fff::', 20]],
  ['for benchmarks', ['198.18.0.0', 15], ['2001:2::', 48]],
  ['IPv4 in IPv6', ['::', 96], ['::ffff:0:0:0', 96]],
  ['NAT64', ['64:ff9b::', 96], ['64:ff9b:1::', 48]],
  ['6to4', ['2002::', 16], ['192.88.99.0', 24]],
  ['Teredo', ['2001::', 32]],
  [
    'reserved',
    ['192.0.0.0', 24],
    ['192.31.196.0', 24],
    ['192.52.193.0', 24],
    ['192.175.48.0', 24],
    ['240.0.0.0', 4],
    ['2001::', 23],
    ['2620:4f:8000::', 48],
  ],
];

const lists = kinds.map(([kind, ...ranges]) => [kind, blockList(ranges)] as const);
const anyIpv4 = blockList([['0.0.0.0', 0]]);
/** IPv6 addresses outside of global unicast are never public. */
const global6 = blockList([['2000::', 3]]);

const PUBLIC = 'public';

/** The kind of an address, such as `loopback`; `public` for addresses on the internet. */
export function addressKind(address: string): string {
  const family = getFamily(address);
  if (family === undefined) return 'no address';
  const [kind] = lists.find(([, list]) => list.check(address, family)) ?? [];
  // BlockList applies IPv4 rules to mapped addresses (::ffff:a.b.c.d) too. Such addresses are refused in any case.
  if (family === 'ipv6' && anyIpv4.check(address, family))
    return `IPv4 in IPv6${kind === undefined ? '' : `, ${kind}`}`;
  if (kind !== undefined) return kind;
  return family === 'ipv4' || global6.check(address, family) ? PUBLIC : 'reserved';
}

/** True for addresses on the public internet. */
export const isPublic = (address: string): boolean => addressKind(address) === PUBLIC;

/** Networks that an operator opened. */
export interface Networks {
  /** False for a metadata service, unless its own address is listed. */
  has(address: string): boolean;
}

/**
 * Parses a list such as `10.1.0.0/16, 192.168.7.20, fd12::/48`; `loopback` means 127.0.0.0/8 and ::1. Returns undefined for
 * an empty list and throws for an invalid member.
 */
export function readNetworks(text: string): Networks | undefined {
  const parts = text.split(',').map((part) => part.trim());
  const ranges = parts.filter((part) => part !== '').flatMap(readNetwork);
  if (ranges.length === 0) return undefined;
  const all = blockList(ranges);
  const single = blockList(ranges.filter(([address, bits]) => bits === (isIP(address) === 4 ? 32 : 128)));
  return {
    has: (address) => {
      const family = getFamily(address);
      if (family === undefined || !all.check(address, family)) return false;
      return !isMetadata(address) || single.check(address, family);
    },
  };
}

function readNetwork(text: string): Range[] {
  if (text === 'loopback') return loopback;
  const [, address = '', bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  if (version === 0 || Number(bits ?? 0) > maxBits)
    throw new Error(`${JSON.stringify(text.slice(0, 60))} is neither an address nor a network such as 10.1.0.0/16.`);
  return [[address, bits === undefined ? maxBits : Number(bits)]];
}

const loopback: Range[] = [
  ['127.0.0.0', 8],
  ['::1', 128],
];

const noNetworks: Networks = { has: () => false };

const localNetworks = blockList([
  ...loopback,
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['fc00::', 7],
  ['fe80::', 10],
]);

const isMetadata = (address: string): boolean => addressKind(address).endsWith('a metadata service');

/** True for private, loopback and link-local addresses, but not for metadata services. */
export function isLocalNetwork(address: string): boolean {
  const family = getFamily(address);
  return family !== undefined && localNetworks.check(address, family) && !isMetadata(address);
}

export interface AddressPolicy {
  readonly allowPrivate: boolean;
  readonly allow?: Networks | undefined;
  /** Refuses the public internet. */
  readonly onlyOpened?: boolean;
}

export const isAllowedAddress = (
  { allowPrivate, allow = noNetworks, onlyOpened = false }: AddressPolicy,
  address: string,
): boolean => (!onlyOpened && isPublic(address)) || (allowPrivate && isLocalNetwork(address)) || allow.has(address);

// net.isIP accepts a zone ("fe80::1%eth0") and net.BlockList throws on it, so such addresses are refused.
function getFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  if (address.includes('%')) return undefined;
  const version = isIP(address);
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined;
}

function blockList(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return list;
}
