import type { FaultProxy } from '@lensforge/testing';
import { faultProxy, testRedisUrl, until } from '@lensforge/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TinyService, TinyWorld } from './tiny-service.js';
import { tinyWorld } from './tiny-service.js';

let world: TinyWorld;
let postgres: FaultProxy;
let redis: FaultProxy;
let service: TinyService;

const throughProxy = (url: string, { port }: FaultProxy): string =>
  Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;

beforeAll(async () => {
  world = await tinyWorld();
  [postgres, redis] = await Promise.all([faultProxy({ to: world.databaseUrl }), faultProxy({ to: testRedisUrl() })]);
  service = await world.start({
    DATABASE_URL: throughProxy(world.databaseUrl, postgres),
    REDIS_URL: throughProxy(testRedisUrl(), redis),
    DATABASE_POOL_SIZE: '1',
  });
});
afterEach(() => {
  postgres.heal();
  redis.heal();
});
afterAll(async () => {
  await world.stop();
  await Promise.all([postgres.close(), redis.close()]);
});

const get = async (path: string) => {
  const answer = await fetch(`${service.url}${path}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const well = {
  status: 200,
  body: { status: 'ok', db: true, uptime_s: expect.any(Number), version: '0.1.0', checked_at: expect.any(String) },
};
const degraded = {
  status: 503,
  body: {
    status: 'degraded',
    db: false,
    uptime_s: expect.any(Number),
    version: '0.1.0',
    checked_at: expect.any(String),
    reason: expect.stringContaining('database'),
  },
};

describe('/health', () => {
  it('is exactly the healthy body while the database answers', async () => {
    const answer = await get('/health');
    expect(answer).toEqual(well);
    expect(Number.isInteger(answer.body['uptime_s'])).toBe(true);
    expect(new Date(String(answer.body['checked_at'])).toISOString()).toBe(answer.body['checked_at']);
  });

  it.each([
    ['refuses', () => postgres.cut()],
    ['hangs', () => postgres.hang()],
    ['is reached too slowly', () => postgres.latency(2000)],
  ])('is degraded within its limit when the database %s, and well again soon after', async (_what, spoil) => {
    spoil();
    const answers = await Promise.all([get('/health'), get('/health'), get('/health')]);
    for (const answer of answers) expect(answer).toEqual(degraded);
    expect(await get('/live')).toEqual({ status: 200, body: { status: 'live' } });
    postgres.heal();
    await until(async () => (await get('/health')).status === 200);
  });

  it('is degraded when the health function says no', async () => {
    await world.query('alter table schema_migrations rename to hidden_migrations');
    expect(await get('/health')).toEqual(degraded);
    await world.query('alter table hidden_migrations rename to schema_migrations');
    expect(await get('/health')).toEqual(well);
  });

  it('does not depend on the pool having a connection to spare', async () => {
    const runner = service.platform.database.createQueryRunner();
    await runner.connect();
    expect(await get('/health')).toEqual(well);
    await runner.release();
  });

  it('asks once for all who ask at the same moment', async () => {
    await Promise.all(Array.from({ length: 50 }, () => get('/health')));
    const [row] = await world.query(
      `select count(*)::int as lines from pg_stat_activity where application_name = 'tiny health' and datname = current_database()`,
    );
    expect(row).toEqual({ lines: 1 });
  });
});

describe('/ready', () => {
  it('is ready with database and Redis', async () => {
    const body = { status: 'ready', database: true, redis: true, draining: false };
    await until(async () => (await get('/ready')).status === 200);
    expect(await get('/ready')).toEqual({ status: 200, body });
  });

  it('stays ready without Redis once it was reached, and says so', async () => {
    redis.cut();
    await until(async () => (await get('/ready')).body['redis'] === false);
    expect(await get('/ready')).toMatchObject({ status: 200, body: { status: 'ready', redis: false } });
  });

  it('is not ready without the database', async () => {
    postgres.cut();
    expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'not_ready', database: false } });
  });
});

describe('a service that cannot reach what it needs', () => {
  it('does not become ready before it has seen Redis', async () => {
    redis.cut();
    const early = await world.start({ REDIS_URL: throughProxy(testRedisUrl(), redis) });
    const ready = async () => (await fetch(`${early.url}/ready`)).status;
    expect(await ready()).toBe(503);
    redis.heal();
    await until(async () => (await ready()) === 200);
  });

  it.each([
    ['no database there', () => 'postgres://u:p@127.0.0.1:1/x', 'the database at 127.0.0.1:1/x cannot be opened'],
    ['no such database', () => `${world.databaseUrl}_no`, 'cannot be opened: database "'],
  ])('does not start with %s and says why', async (_what, url, why) => {
    await expect(world.start({ DATABASE_URL: url() })).rejects.toThrow(why);
  });

  it('does not start on a schema it does not know', async () => {
    await world.query(`insert into schema_migrations (version, name) values (9999, 'future')`);
    await expect(world.start()).rejects.toThrow('newer than');
    await world.query('delete from schema_migrations where version = 9999');
  });

  it('does not start on a taken port and names it', async () => {
    const { port } = new URL(service.url);
    await expect(world.start({ PORT: port })).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`);
  });
});
