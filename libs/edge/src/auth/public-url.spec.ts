import { describe, expect, it } from '@jest/globals';
import { addressSeenFrom, publicUrl, readPublicHosts, standsInForPublicUrl } from './public-url.js';

describe('the address a service is known under', () => {
  const configured = 'https://mcp.example.com/';

  it.each(['localhost:4100', '127.0.0.1:4100', '[::1]:4100', 'LOCALHOST'])(
    'is the loopback host %s when used',
    (host) => {
      expect(publicUrl(configured, host)).toBe(`http://${host}`);
    },
  );

  it.each([
    undefined,
    'evil.example',
    'localhost.evil.example',
    'localhost:4100"',
    '127.0.0.1:4100, evil',
    '127.0.0.1@evil.example',
    'localhost:123456',
    '',
  ])('is the configured one for any other Host: %s', (host) => {
    expect(publicUrl(configured, host)).toBe('https://mcp.example.com');
  });

  it('is one of the listed hosts when it was reached by it, over TLS unless the list says otherwise', () => {
    const hosts = readPublicHosts('Tools.example.com, http://lensforge.lan:8080') ?? [];
    expect(publicUrl(configured, 'tools.example.com', hosts)).toBe('https://tools.example.com');
    expect(publicUrl(configured, 'TOOLS.example.com', hosts)).toBe('https://tools.example.com');
    expect(publicUrl(configured, 'lensforge.lan:8080', hosts)).toBe('http://lensforge.lan:8080');
    expect(publicUrl(configured, 'evil-tools.example.com', hosts)).toBe('https://mcp.example.com');
    expect(publicUrl(configured, 'lensforge.lan', hosts)).toBe('https://mcp.example.com');
  });

  it('may have been answered for a Host when it is loopback or listed, and for nothing else', () => {
    const hosts = readPublicHosts('tools.example.com, http://lensforge.lan:8080') ?? [];
    for (const host of ['localhost:4100', '127.0.0.1', '[::1]:4100', 'tools.example.com', 'lensforge.lan:8080']) {
      expect(standsInForPublicUrl(publicUrl(configured, host, hosts), hosts)).toBe(true);
    }
    for (const url of [
      'https://mcp.example.com',
      'http://tools.example.com',
      'https://lensforge.lan:8080',
      'https://localhost:4100',
      'http://localhost.evil.example',
      'http://localhost:4100/x',
      'http://127.0.0.1@evil.example',
    ]) {
      expect(standsInForPublicUrl(url, hosts)).toBe(false);
    }
  });

  it('is the configured one of another service, by the loopback name that the client uses', () => {
    const other = 'http://127.0.0.1:4100/';
    expect(addressSeenFrom('localhost:4200', other)).toBe('http://localhost:4100');
    expect(addressSeenFrom('[::1]:4200', other)).toBe('http://[::1]:4100');
    expect(addressSeenFrom('127.0.0.1:4200', `${other}tools/`)).toBe('http://127.0.0.1:4100/tools');
    expect(addressSeenFrom('evil.example', other)).toBe('http://127.0.0.1:4100');
    expect(addressSeenFrom(undefined, other)).toBe('http://127.0.0.1:4100');
    expect(addressSeenFrom('localhost:4200', configured)).toBe('https://mcp.example.com');
    expect(addressSeenFrom('localhost:4200', 'https://localhost:4100')).toBe('https://localhost:4100');
  });

  it('is listed with hosts only', () => {
    expect(readPublicHosts(undefined)).toEqual([]);
    expect(readPublicHosts(' a.example , ')).toEqual(['a.example']);
    for (const list of ['a.example/x', '*.example', 'a b', 'a@b', 'ftp://a'])
      expect(readPublicHosts(list)).toBeUndefined();
  });
});
