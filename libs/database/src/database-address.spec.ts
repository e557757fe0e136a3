import { describe, expect, it } from '@jest/globals';
import { toConnection } from './index.js';

describe('toConnection', () => {
  it('leaves an address without TLS as it is', () => {
    const url = 'postgres://u:p%40@db:5432/x?application_name=a';
    expect(toConnection({ url })).toEqual({ connectionString: url });
  });

  it.each(['require', 'prefer', 'verify-ca', 'verify-full'])(
    'verifies the server with sslmode=%s, without a warning of the driver',
    (mode) => {
      expect(toConnection({ url: `postgres://u:p@db/x?sslmode=${mode}&a=b` })).toEqual({
        connectionString: 'postgres://u:p@db/x?sslmode=verify-full&a=b',
      });
    },
  );

  it.each(['sslmode=no-verify', 'sslmode=disable', 'sslmode=require&uselibpqcompat=true'])('leaves %s', (query) => {
    const url = `postgres://u:p@db/x?${query}`;
    expect(toConnection({ url })).toEqual({ connectionString: url });
  });

  it.each([
    ['postgres://u:p@db/x', 'postgres://u:p@db/x'],
    ['postgres://u:p@db/x?sslmode=require', 'postgres://u:p@db/x'],
    ['postgres://u:p@db/x?a=b&sslmode=verify-full&c=d', 'postgres://u:p@db/x?a=b&c=d'],
  ])('verifies the server with the given CA at %s', (url, connectionString) => {
    expect(toConnection({ url, ca: 'PEM' })).toEqual({ connectionString, ssl: { ca: 'PEM' } });
  });
});
