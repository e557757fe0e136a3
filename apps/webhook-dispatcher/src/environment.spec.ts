import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '@lensforge/edge';
import { testMasterKey } from '@lensforge/webhooks/testing';
import { DispatcherEnvironment } from './environment.js';

const valid = {
  PORT: '4400',
  DATABASE_URL: 'postgres://someone@localhost/lensforge',
  REDIS_URL: 'redis://localhost',
  LENSFORGE_MASTER_KEY: testMasterKey,
};
const read = (own: Record<string, string> = {}) => readEnvironment(DispatcherEnvironment, { ...valid, ...own });

describe('DispatcherEnvironment', () => {
  it('allows only public https addresses by default, with one attempt and three retries', () => {
    const environment = read();
    expect(environment).toMatchObject({
      LENSFORGE_WEBHOOKS_ALLOW_PRIVATE: false,
      LENSFORGE_WEBHOOKS_ALLOW_HTTP: false,
      LENSFORGE_WEBHOOK_ENDPOINT_CONCURRENCY: 4,
    });
    expect(environment.ports).toEqual([443, 80]);
    expect(environment.retryMs).toEqual([5000, 25_000, 125_000]);
    expect(environment.totalMs).toBe(15_000);
  });

  it('accepts several master keys during a rotation', () => {
    expect(() => read({ LENSFORGE_MASTER_KEY: `1:${testMasterKey},2:${testMasterKey}` })).not.toThrow();
  });

  it.each([
    ['LENSFORGE_MASTER_KEY', 'c2hvcnQ='],
    ['LENSFORGE_MASTER_KEY', 'not base64 at all'],
    ['LENSFORGE_MASTER_KEY', `1:${testMasterKey},1:${testMasterKey}`],
    ['LENSFORGE_WEBHOOK_RETRY_MS', '5000,25000'],
    ['LENSFORGE_WEBHOOK_RETRY_MS', '5s,25s,125s'],
    ['LENSFORGE_WEBHOOKS_PORTS', 'https'],
    ['LENSFORGE_WEBHOOKS_ALLOW_PRIVATE', 'perhaps'],
  ])('refuses %s = %j by name, without printing a secret', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name);
    if (name === 'LENSFORGE_MASTER_KEY') expect(() => read({ [name]: value })).not.toThrow(value);
  });
});
