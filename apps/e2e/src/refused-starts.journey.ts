import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { knownServices } from '@lensforge/dev';
import { until } from '@lensforge/testing';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ services: knownServices('api-gateway', 'run-worker') });
});
afterAll(() => setup.close());

describe('a service with an invalid configuration', () => {
  const start = (service: string, environment: Record<string, string>) => {
    const root = join(import.meta.dirname, '..', '..', '..');
    const { status, stderr } = spawnSync(process.execPath, [join('bundle', `${service}.js`)], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATABASE_URL: setup.platform.databaseUrl,
        REDIS_URL: setup.platform.redisUrl,
        LENSFORGE_MASTER_KEY: setup.masterKey,
        ...environment,
      },
      timeout: 120_000,
    });
    return { status, output: stderr.toString().trim() };
  };

  it('lists every fault of its configuration at once and ends with 1', () => {
    const { status, output } = start('api-gateway', { PORT: 'many', DATABASE_URL: '', REDIS_URL: 'http://x' });
    expect(status).toBe(1);
    for (const name of ['PORT', 'DATABASE_URL', 'REDIS_URL']) expect(output).toContain(name);
    expect(output).not.toMatch(/\n\s+at /);
  });

  it.each(['api-gateway', 'oauth', 'webhook-dispatcher'])(
    'lists a master key that is too short among the faults: %s',
    (service) => {
      const { status, output } = start(service, { PORT: 'many', REDIS_URL: '', LENSFORGE_MASTER_KEY: 'c2hvcnQ=' });
      expect(status).toBe(1);
      expect(output.split('\n')).toEqual([
        `${service} cannot start: the configuration has 3 faults`,
        expect.stringMatching(/^ {2}LENSFORGE_MASTER_KEY is not usable: Master key version 1 must be 32 random bytes/),
        '  PORT is "many": must be a whole number from 0 to 65535',
        '  REDIS_URL is missing: redis://host:port',
      ]);
    },
  );

  it.each([
    ['api-gateway', 'LENSFORGE_REPLICAS_API_GATEWAY'],
    ['mcp-gateway', 'LENSFORGE_REPLICAS_MCP_GATEWAY'],
    ['oauth', 'LENSFORGE_REPLICAS_OAUTH'],
  ])('refuses a number of replicas below one: %s', (service, setting) => {
    const { status, output } = start(service, { [setting]: '0' });
    expect(status).toBe(1);
    expect(output).toContain(`${setting} is "0": must be a whole number from 1 to 1000`);
  });

  it.each([
    ['api-gateway', 'LENSFORGE_MASTER_KEY'],
    ['oauth', 'LENSFORGE_MASTER_KEY'],
    ['webhook-dispatcher', 'LENSFORGE_MASTER_KEY'],
    ['run-worker', 'LENSFORGE_BYOK_MASTER_KEY'],
  ])('refuses a master key of another database: %s', (service, setting) => {
    const wrong = randomBytes(32).toString('base64');
    const { status, output } = start(service, { [setting]: wrong });
    expect(status).toBe(1);
    expect(output).toMatch(
      new RegExp(`^${service} cannot start: ${setting}: version 1 is not the key that [a-z-]+ recorded`),
    );
    expect(output.split('\n')).toHaveLength(1);
    expect(output).not.toContain(wrong);
  });

  it('refuses a master key without a version that is in use', () => {
    const { status, output } = start('api-gateway', {
      LENSFORGE_MASTER_KEY: `2:${randomBytes(32).toString('base64')}`,
    });
    expect(status).toBe(1);
    expect(output).toMatch(
      /^api-gateway cannot start: LENSFORGE_MASTER_KEY lacks version 1, which seals \d+ stored values? in /,
    );
  });

  it('refuses each risk in production that is not accepted', () => {
    const risky = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://lens@db:5432/lens',
      LENSFORGE_MASTER_KEY: `1:${Buffer.alloc(32).toString('base64')}`,
      LENSFORGE_WEBHOOKS_ALLOW_PRIVATE: 'true',
      LENSFORGE_EGRESS_ALLOW: '0.0.0.0/0',
      LENSFORGE_TRUSTED_PROXIES: '::/0',
      LENSFORGE_PUBLIC_API_URL: 'http://api.example.com',
    };
    const { status, output } = start('webhook-dispatcher', risky);
    expect(status).toBe(1);
    expect(output).toContain('the configuration has 6 faults');
    const names = [...output.matchAll(/LENSFORGE_ACCEPT_RISKS=([a-z-]+)/g)].map(([, name]) => name);
    expect(names).toHaveLength(6);
    const accepted = start('webhook-dispatcher', { ...risky, LENSFORGE_ACCEPT_RISKS: names.join(',') });
    expect(accepted.output).toContain('the database at db:5432/lens cannot be opened');
  });

  it('refuses a default secret in production and never prints it', () => {
    const insecure = Buffer.alloc(32).toString('base64');
    const { status, output } = start('webhook-dispatcher', { NODE_ENV: 'production', LENSFORGE_MASTER_KEY: insecure });
    expect(status).toBe(1);
    expect(output).toContain('LENSFORGE_MASTER_KEY');
    expect(output).not.toContain(insecure);
  });

  it('refuses a schema that is newer than the program', async () => {
    await setup.db.query(`insert into schema_migrations (version, name) values (9999, 'from-the-future')`);
    const { status, output } = start('run-worker', {});
    await setup.db.query('delete from schema_migrations where version = 9999');
    expect(status).toBe(1);
    expect(output).toContain('newer');
  });

  it('refuses a Redis that evicts keys', async () => {
    const redis = new Redis(setup.platform.redisUrl);
    await until(() => redis.status === 'ready');
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { status, output } = start('run-worker', {});
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    redis.disconnect();
    expect(status).toBe(1);
    expect(output).toContain('noeviction');
  });
});
