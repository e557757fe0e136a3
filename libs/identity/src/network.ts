import { isIPv4, isIPv6 } from 'node:net';

/** What tries are counted by: an IPv4 address, or the /64 that one customer of an IPv6 provider has for himself. */
export function networkOf(address: string): string {
  const bare = address.trim().toLowerCase().replace(/%.*$/, '');
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare) ?? [];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(bare)) return bare.slice(0, 64);
  return `${groupsOf(bare).slice(0, 4).join(':')}::/64`;
}

function groupsOf(address: string): string[] {
  const groups = (part: string | undefined): string[] =>
    part ? part.split(':').map((group) => group.replace(/^0+(?=.)/, '')) : [];
  const [head, tail] = address.split('::');
  const [front, back] = [groups(head), groups(tail)];
  if (tail === undefined) return front;
  return [...front, ...Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0'), ...back];
}
