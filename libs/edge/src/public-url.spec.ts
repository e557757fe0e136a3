import { describe, expect, it } from '@jest/globals';
import { publicUrl } from './public-url.js';

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
});
