import { BlockList, isIP } from 'node:net';

type Range = readonly [address: string, bits: number];

const specialIpv4: readonly Range[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier NAT, cloud metadata of Alibaba
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // metadata of Azure
  ['169.254.0.0', 16], // link-local, metadata of most clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments, metadata of Oracle
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** Nothing outside of global unicast is public: mapped, NAT64, unique local, link-local, multicast and all to come. */
const globalIpv6: readonly Range[] = [['2000::', 3]];

const specialIpv6: readonly Range[] = [
  ['2001::', 23], // protocol assignments, Teredo, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

const homeIpv4: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];

const homeIpv6: readonly Range[] = [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

const special = blockList(specialIpv4, specialIpv6);
const global6 = blockList([], globalIpv6);
const home = blockList(homeIpv4, homeIpv6);

/** Whether anybody on the internet could reach this address. */
export function isPublic(address: string): boolean {
  switch (isIP(bare(address))) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return global6.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Private, loopback and link-local: what a developer's own machine and network are made of. */
export function isHome(address: string): boolean {
  const family = isIP(bare(address));
  return family !== 0 && home.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

export const mayConnect = ({ allowPrivate }: { allowPrivate: boolean }, address: string): boolean =>
  isPublic(address) || (allowPrivate && isHome(address));

// net.isIP accepts a zone ("fe80::1%eth0"), net.BlockList throws on it: such an address is none of ours.
const bare = (address: string): string => (address.includes('%') ? '' : address);

function blockList(ipv4: readonly Range[], ipv6: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ipv4) list.addSubnet(address, bits, 'ipv4');
  for (const [address, bits] of ipv6) list.addSubnet(address, bits, 'ipv6');
  return list;
}
