import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { until } from '@lensforge/testing';
import { Stage } from './stage.js';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 240_000);
afterAll(() => stage.close(), 60_000);

describe('a service that cannot run as it is told', () => {
  const start = (service: string, environment: Record<string, string>) => {
    const root = join(import.meta.dirname, '..', '..', '..');
    const { status, stderr } = spawnSync(process.execPath, [join('bundle', `${service}.js`)], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        PORT: '0',
        DATABASE_URL: stage.platform.databaseUrl,
        REDIS_URL: stage.platform.redisUrl,
        LENSFORGE_MASTER_KEY: stage.masterKey,
        ...environment,
      },
      timeout: 30_000,
    });
    return { status, said: stderr.toString().trim() };
  };

  it('lists every fault of its configuration at once and ends with 1', () => {
    const { status, said } = start('api-gateway', { PORT: 'many', DATABASE_URL: '', REDIS_URL: 'http://x' });
    expect(status).toBe(1);
    for (const name of ['PORT', 'DATABASE_URL', 'REDIS_URL']) expect(said).toContain(name);
    expect(said).not.toMatch(/\n\s+at /);
  });

  it('refuses a default secret in production and never prints it', () => {
    const insecure = Buffer.alloc(32).toString('base64');
    const { status, said } = start('webhook-dispatcher', { NODE_ENV: 'production', LENSFORGE_MASTER_KEY: insecure });
    expect(status).toBe(1);
    expect(said).toContain('LENSFORGE_MASTER_KEY');
    expect(said).not.toContain(insecure);
  });

  it('refuses a schema that is newer than it knows', async () => {
    await stage.db.query(`insert into schema_migrations (version, name) values (9999, 'from-the-future')`);
    const { status, said } = start('run-worker', {});
    await stage.db.query('delete from schema_migrations where version = 9999');
    expect(status).toBe(1);
    expect(said).toContain('newer');
  });

  it('refuses a Redis that throws keys away', async () => {
    const redis = new Redis(stage.platform.redisUrl);
    await until(() => redis.status === 'ready');
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const { status, said } = start('run-worker', {});
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    redis.disconnect();
    expect(status).toBe(1);
    expect(said).toContain('noeviction');
  });
});
