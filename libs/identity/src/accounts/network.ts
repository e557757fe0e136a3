import { isIPv6 } from 'node:net';

/** The network that tries are counted by: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function toNetwork(address: string): string {
  const bare = address.trim().toLowerCase().replace(/%.*$/s, '');
  if (!isIPv6(bare)) return bare.slice(0, 64);
  const groups = parseGroups(bare);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  const front = groups.slice(0, 4).map((group) => group.toString(16));
  return `${front.join(':')}::/64`;
}

function parseGroups(address: string): number[] {
  const [head = [], tail] = address.split('::').map(groupsIn);
  if (tail === undefined) return head;
  return [...head, ...Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => 0), ...tail];
}

const groupsIn = (part: string): number[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => {
        const [one = 0, two = 0, three = 0, four = 0] = group.split('.').map(Number);
        return group.includes('.') ? [one * 256 + two, three * 256 + four] : [Number.parseInt(group, 16)];
      });
