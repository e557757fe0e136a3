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

describe('where a request comes from', () => {
  it.each([
    ['the socket, when nobody forwarded it', '203.0.113.5', undefined, '203.0.113.5'],
    ['the socket, when a stranger says it was forwarded', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['what a trusted proxy says', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last hop that is no proxy of ours', '::1', '1.1.1.1, 198.51.100.1, 10.2.3.4, 127.0.0.1', '198.51.100.1'],
    ['not what a caller wrote before', '127.0.0.1', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
    ['a proxy, when it forwards for none else', '127.0.0.1', '10.9.9.9', '10.9.9.9'],
    ['the proxy that says what cannot be read', '127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
    ['the same from an IPv4 address in IPv6', '::ffff:127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['an address without its port', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['an IPv6 address without brackets and port', 'fd00::7', '[2001:DB8::1]:443', '2001:db8::1'],
    ['nothing but an address', '127.0.0.1', '<script>', '127.0.0.1'],
  ])('is %s', (_what, socket, forwarded, address) => {
    expect(from(socket, forwarded)).toBe(address);
  });

  it('is told by several headers as by one', () => {
    expect(from('127.0.0.1', ['6.6.6.6', '198.51.100.1'])).toBe('198.51.100.1');
  });

  it('is always the socket when nobody is trusted', () => {
    expect(from('127.0.0.1', '198.51.100.1', '')).toBe('127.0.0.1');
  });

  it('takes only addresses and networks for proxies', () => {
    for (const list of ['proxy.example', '10.0.0.0/33', '::/129', '10.0.0', '*']) {
      expect(readTrustedProxies(list)).toBeUndefined();
    }
  });
});
