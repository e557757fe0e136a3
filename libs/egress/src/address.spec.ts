import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isLocalNetwork, isPublic, addressKind, isAllowedAddress, readNetworks } from './address.js';

const hostile = {
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0', 'fec0::1'],
  metadata: ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  'unique local': ['fc00::1', 'fd12:3456:789a::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmark: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255', '100::1', '4000::1', '5f00::1'],
  mapped: ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8'],
  'compatible and translated': ['::127.0.0.1', '::7f00:1', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:a9fe:a9fe::1'],
  Teredo: ['2001:0:7f00:1::1', '2001::1'],
  'no address': ['', 'localhost', '127.1', '0x7f000001', '127.0.0.1 ', '1.2.3.4.5', ':::', '[::1]'],
};

describe('isPublic is false for an address', () => {
  const table = Object.entries(hostile).flatMap(([kind, addresses]) => addresses.map((each) => [kind, each] as const));

  it.each(table)('of the kind %s: %s', (_, address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe('isPublic is true', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.215.14',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2001:4860:4860::8888',
  ])('for %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

it('isPublic is false for all addresses that ipaddr.js does not classify as unicast', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  );
  fc.assert(
    fc.property(bytes, (raw) => {
      const address = ipaddr.fromByteArray([...raw]);
      if (address.range() !== 'unicast') expect(isPublic(address.toString())).toBe(false);
    }),
    { numRuns: 20_000 },
  );
});

describe('addressKind', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['0.0.0.0', 'this host'],
    ['::', 'this host'],
    ['10.1.2.3', 'private'],
    ['fd00::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['169.254.169.254', 'a metadata service'],
    ['fd00:ec2::254', 'a metadata service'],
    ['::ffff:169.254.169.254', 'IPv4 in IPv6, a metadata service'],
    ['::ffff:7f00:1', 'IPv4 in IPv6, loopback'],
    ['::ffff:8.8.8.8', 'IPv4 in IPv6'],
    ['::127.0.0.1', 'IPv4 in IPv6'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:7f00:1::', 'Teredo'],
    ['5f00::1', 'reserved'],
    ['fe80::1%eth0', 'no address'],
    ['8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
  ])('of %s is "%s"', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

describe('readNetworks', () => {
  const isOpened = (list: string, address: string) =>
    isAllowedAddress({ allowPrivate: false, allow: readNetworks(list) }, address);

  it('allows exactly the listed networks and the public internet', () => {
    const list = '10.1.0.0/16, 192.168.7.20,fd12:3456::/32';
    for (const address of ['10.1.0.1', '10.1.255.255', '192.168.7.20', 'fd12:3456::1', '8.8.8.8']) {
      expect([address, isOpened(list, address)]).toEqual([address, true]);
    }
    for (const address of ['10.2.0.1', '192.168.7.21', '127.0.0.1', '::1', 'fd12:3457::1', '64:ff9b::a01:1', 'x']) {
      expect([address, isOpened(list, address)]).toEqual([address, false]);
    }
  });

  it('allows a metadata service only when its own address is listed', () => {
    expect(isOpened('169.254.0.0/16', '169.254.1.1')).toBe(true);
    expect(isOpened('0.0.0.0/0,::/0', '10.0.0.1')).toBe(true);
    for (const list of ['169.254.0.0/16', '0.0.0.0/0', '::/0', '::ffff:0:0/96', '169.254.169.253']) {
      for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254']) {
        expect([list, isOpened(list, address)]).toEqual([list, false]);
      }
    }
    expect(isOpened('169.254.169.254', '169.254.169.254')).toBe(true);
    expect(isLocalNetwork('169.254.169.254')).toBe(false);
  });

  it.each(['10.0.0.0/33', '::/129', 'example.com', '10.0.0', '10.0.0.0/', '1.2.3.4/-1', '[::1]', 'fe80::1%lo/64'])(
    'refuses %s',
    (list) => {
      expect(() => readNetworks(list)).toThrow('is neither an address nor a network');
    },
  );

  it('allows no private address for an empty list', () => {
    for (const list of ['', ' , ']) expect(isOpened(list, '10.0.0.1')).toBe(false);
    expect(isOpened('loopback', '127.9.9.9') && isOpened('loopback', '::1')).toBe(true);
  });
});
