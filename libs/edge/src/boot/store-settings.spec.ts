import { describe, expect, it } from '@jest/globals';
import { readSentinels, storeFaults } from './store-settings.js';

describe('readSentinels', () => {
  it('reads hosts with and without a port', () => {
    expect(readSentinels('s0.example.com:5000, 10.0.0.1,[::1]:26380')).toEqual([
      { host: 's0.example.com', port: 5000 },
      { host: '10.0.0.1', port: 26_379 },
      { host: '::1', port: 26_380 },
    ]);
  });

  it.each(['', 'a b', 'redis://s0:26379', 's0:0', 's0:70000', 's0,,s1'])('refuses %j', (list) => {
    expect(readSentinels(list)).toBeUndefined();
  });
});

describe('storeFaults', () => {
  const settings = { DATABASE_URL: 'postgres://u:p@db/x', REDIS_URL: 'redis://r', DATABASE_CA: 'PEM', REDIS_CA: 'PEM' };

  it.each(['sslmode=disable', 'sslmode=no-verify', 'sslrootcert', 'sslcert', 'sslkey', 'ssl'])(
    'refuses an own CA of the database together with %s in its URL',
    (parameter) => {
      const value = parameter.includes('=') ? parameter : `${parameter}=x`;
      const given = { ...settings, REDIS_CA: undefined, DATABASE_URL: `postgres://u:p@db/x?a=b&${value}` };
      expect(storeFaults(given)).toEqual([
        {
          path: 'DATABASE_URL',
          message: `contains ${parameter}, which contradicts DATABASE_CA: remove one of them`,
        },
      ]);
    },
  );

  it('accepts the modes that verify the server', () => {
    const given = { DATABASE_URL: 'postgres://u:p@db/x?sslmode=verify-full', DATABASE_CA: 'PEM' };
    expect(storeFaults({ ...given, REDIS_URL: 'rediss://r', REDIS_CA: 'PEM' })).toEqual([]);
  });

  it('refuses an own CA of Redis for an address without TLS', () => {
    expect(storeFaults({ REDIS_URL: 'redis://r', REDIS_CA: 'PEM', DATABASE_URL: '' })).toEqual([
      { path: 'REDIS_URL', message: 'must begin with rediss:// when REDIS_CA is set' },
    ]);
  });
});
