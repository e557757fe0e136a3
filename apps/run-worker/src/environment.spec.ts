import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '@lensforge/edge';
import { RunWorkerEnvironment } from './environment.js';

const required = { PORT: '0', DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'redis://localhost' };
const read = (more: Record<string, string>) => readEnvironment(RunWorkerEnvironment, { ...required, ...more });

describe('RunWorkerEnvironment', () => {
  it('has defaults for all settings of its own', () => {
    expect(read({})).toMatchObject({ LENSFORGE_RUN_CONCURRENCY: 60, LENSFORGE_RUN_LEASE_MS: 12_000 });
  });

  it('refuses a heartbeat interval of more than half of the lease', () => {
    expect(() => read({ LENSFORGE_RUN_LEASE_MS: '4000' })).toThrow('LENSFORGE_RUN_HEARTBEAT_MS');
    expect(() => read({ LENSFORGE_RUN_LEASE_MS: '4000', LENSFORGE_RUN_HEARTBEAT_MS: '2000' })).not.toThrow();
  });

  it('refuses a provider over plain http unless its network is allowed', () => {
    const address = { LENSFORGE_OPENAI_COMPATIBLE_BASE_URL: 'http://localhost:11434/v1' };
    expect(() => read(address)).toThrow('LENSFORGE_EGRESS_ALLOW');
    expect(() => read({ ...address, LENSFORGE_EGRESS_ALLOW: 'loopback' })).not.toThrow();
    expect(() => read({ LENSFORGE_OPENAI_BASE_URL: 'https://gateway.example.com/v1' })).not.toThrow();
  });

  it('refuses LENSFORGE_OFFLINE_EXIT in production', () => {
    expect(() => read({ LENSFORGE_OFFLINE_EXIT: 'true' })).not.toThrow();
    expect(() => read({ LENSFORGE_OFFLINE_EXIT: 'true', NODE_ENV: 'production' })).toThrow('LENSFORGE_OFFLINE_EXIT');
  });
});
