import { describe, expect, it } from '@jest/globals';
import { urlForHost, publicUrl, readPublicHosts, isAlternativePublicUrl } from './public-url.js';

describe('the public URL of a service', () => {
  const configured = 'https://mcp.example.com/';

  it.each(['localhost:4100', '127.0.0.1:4100', '[::1]:4100', 'LOCALHOST'])(
    'is the loopback host %s of the request',
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
  ])('is the configured one for the Host %s', (host) => {
    expect(publicUrl(configured, host)).toBe('https://mcp.example.com');
  });

  it('is the listed host of the request, over https unless the list says http', () => {
    const hosts = readPublicHosts('Tools.example.com, http://lensforge.lan:8080') ?? [];
    expect(publicUrl(configured, 'tools.example.com', hosts)).toBe('https://tools.example.com');
    expect(publicUrl(configured, 'TOOLS.example.com', hosts)).toBe('https://tools.example.com');
    expect(publicUrl(configured, 'lensforge.lan:8080', hosts)).toBe('http://lensforge.lan:8080');
    expect(publicUrl(configured, 'evil-tools.example.com', hosts)).toBe('https://mcp.example.com');
    expect(publicUrl(configured, 'lensforge.lan', hosts)).toBe('https://mcp.example.com');
  });

  it('is an alternative to the configured one only when it is loopback or listed', () => {
    const hosts = readPublicHosts('tools.example.com, http://lensforge.lan:8080') ?? [];
    for (const host of ['localhost:4100', '127.0.0.1', '[::1]:4100', 'tools.example.com', 'lensforge.lan:8080']) {
      expect(isAlternativePublicUrl(publicUrl(configured, host, hosts), hosts)).toBe(true);
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
      expect(isAlternativePublicUrl(url, hosts)).toBe(false);
    }
  });

  it('of another service uses the loopback name of the request', () => {
    const other = 'http://127.0.0.1:4100/';
    expect(urlForHost('localhost:4200', other)).toBe('http://localhost:4100');
    expect(urlForHost('[::1]:4200', other)).toBe('http://[::1]:4100');
    expect(urlForHost('127.0.0.1:4200', `${other}tools/`)).toBe('http://127.0.0.1:4100/tools');
    expect(urlForHost('evil.example', other)).toBe('http://127.0.0.1:4100');
    expect(urlForHost(undefined, other)).toBe('http://127.0.0.1:4100');
    expect(urlForHost('localhost:4200', configured)).toBe('https://mcp.example.com');
    expect(urlForHost('localhost:4200', 'https://localhost:4100')).toBe('https://localhost:4100');
  });

  it('is chosen from a list that holds only hosts', () => {
    expect(readPublicHosts(undefined)).toEqual([]);
    expect(readPublicHosts(' a.example , ')).toEqual(['a.example']);
    for (const list of ['a.example/x', '*.example', 'a b', 'a@b', 'ftp://a'])
      expect(readPublicHosts(list)).toBeUndefined();
  });
});
