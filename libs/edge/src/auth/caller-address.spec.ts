import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from '@jest/globals';
import { callerAddress, readTrustedProxies } from './caller-address.js';

function from(socket: string, forwarded?: string | string[], trusted = 'loopback, 10.0.0.0/8, fd00::7'): string {
  return callerAddress({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    raw: { socket: { remoteAddress: socket } },
    server: { trustedProxies: readTrustedProxies(trusted) },
  } as unknown as FastifyRequest);
}

describe('the caller address', () => {
  it.each([
    ['the address of the socket without X-Forwarded-For', '203.0.113.5', undefined, '203.0.113.5'],
    ['the address of the socket when it is no trusted proxy', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['the address that a trusted proxy wrote', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last hop that is no trusted proxy', '::1', '1.1.1.1, 198.51.100.1, 10.2.3.4, 127.0.0.1', '198.51.100.1'],
    ['never an address that the caller itself wrote', '127.0.0.1', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['the address of a proxy that forwards its own request', '127.0.0.1', '10.9.9.9', '10.9.9.9'],
    ['the address of the proxy whose entry is not an address', '127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
    ['the IPv4 address of an IPv4-mapped IPv6 address', '::ffff:127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['an IPv4 address without its port', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 address without brackets and port', 'fd00::7', '[2001:DB8::1]:443', '2001:db8::1'],
    ['never a text that is not an address', '127.0.0.1', '<script>', '127.0.0.1'],
  ])('is %s', (_what, socket, forwarded, address) => {
    expect(from(socket, forwarded)).toBe(address);
  });

  it('is read from repeated headers as from one', () => {
    expect(from('127.0.0.1', ['6.6.6.6', '198.51.100.1'])).toBe('198.51.100.1');
  });

  it('is the address of the socket when no proxy is trusted', () => {
    expect(from('127.0.0.1', '198.51.100.1', '')).toBe('127.0.0.1');
  });

  it('is read with a list of proxies that holds only addresses and networks', () => {
    for (const list of ['proxy.example', '10.0.0.0/33', '::/129', '10.0.0', '*']) {
      expect(readTrustedProxies(list)).toBeUndefined();
    }
  });
});
