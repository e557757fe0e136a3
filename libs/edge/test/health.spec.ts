import { type FaultProxy, faultProxy, testRedisUrl, until } from '@lensforge/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { version } from '../src/version.js';
import { type TinyService, type TinySetup, tinySetup } from './tiny-service.js';

let setup: TinySetup;
let postgres: FaultProxy;
let redis: FaultProxy;
let service: TinyService;

const throughProxy = (url: string, { port }: FaultProxy): string =>
  Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href;

beforeAll(async () => {
  setup = await tinySetup();
  [postgres, redis] = await Promise.all([faultProxy({ to: setup.databaseUrl }), faultProxy({ to: testRedisUrl() })]);
  service = await setup.start({
    DATABASE_URL: throughProxy(setup.databaseUrl, postgres),
    REDIS_URL: throughProxy(testRedisUrl(), redis),
    DATABASE_POOL_SIZE: '1',
  });
});
afterEach(() => {
  postgres.heal();
  redis.heal();
});
afterAll(async () => {
  await setup.stop();
  await Promise.all([postgres.close(), redis.close()]);
});

const get = async (path: string) => {
  const answer = await fetch(`${service.url}${path}`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const healthy = {
  status: 200,
  body: { status: 'ok', db: true, uptime_s: expect.any(Number), version, checked_at: expect.any(String) },
};
const degraded = {
  status: 503,
  body: {
    status: 'degraded',
    db: false,
    uptime_s: expect.any(Number),
    version,
    checked_at: expect.any(String),
    reason: expect.stringContaining('database'),
  },
};

describe('/health', () => {
  it('returns ok while the database answers', async () => {
    const answer = await get('/health');
    expect(answer).toEqual(healthy);
    expect(Number.isInteger(answer.body['uptime_s'])).toBe(true);
    expect(new Date(String(answer.body['checked_at'])).toISOString()).toBe(answer.body['checked_at']);
  });

  it.each([
    ['refuses', () => postgres.cut()],
    ['hangs', () => postgres.hang()],
    ['is reached too slowly', () => postgres.latency(2000)],
  ])('returns degraded within its timeout when the database %s, and ok after it recovers', async (_what, disturb) => {
    disturb();
    const answers = await Promise.all([get('/health'), get('/health'), get('/health')]);
    for (const answer of answers) expect(answer).toEqual(degraded);
    expect(await get('/live')).toEqual({ status: 200, body: { status: 'live' } });
    postgres.heal();
    await until(async () => (await get('/health')).status === 200);
  });

  it('returns degraded when the health function returns false', async () => {
    await setup.query('alter table schema_migrations rename to hidden_migrations');
    expect(await get('/health')).toEqual(degraded);
    await setup.query('alter table hidden_migrations rename to schema_migrations');
    expect(await get('/health')).toEqual(healthy);
  });

  it('does not need a free connection of the pool', async () => {
    const runner = service.platform.database.createQueryRunner();
    await runner.connect();
    expect(await get('/health')).toEqual(healthy);
    await runner.release();
  });

  it('uses one database connection for concurrent requests', async () => {
    await Promise.all(Array.from({ length: 50 }, () => get('/health')));
    const [row] = await setup.query(
      `select count(*)::int as connections from pg_stat_activity where application_name = 'tiny health' and datname = current_database()`,
    );
    expect(row).toEqual({ connections: 1 });
  });
});

describe('/ready', () => {
  it('returns ready with database and Redis', async () => {
    const body = { status: 'ready', database: true, redis: true, draining: false };
    await until(async () => (await get('/ready')).status === 200);
    expect(await get('/ready')).toEqual({ status: 200, body });
  });

  it('stays ready without Redis once it was reached, with redis false', async () => {
    redis.cut();
    await until(async () => (await get('/ready')).body['redis'] === false);
    expect(await get('/ready')).toMatchObject({ status: 200, body: { status: 'ready', redis: false } });
  });

  it('returns not_ready without the database', async () => {
    postgres.cut();
    expect(await get('/ready')).toMatchObject({ status: 503, body: { status: 'not_ready', database: false } });
  });
});

describe('a service without its dependencies', () => {
  it('becomes ready only after it has reached Redis', async () => {
    redis.cut();
    const early = await setup.start({ REDIS_URL: throughProxy(testRedisUrl(), redis) });
    const ready = async () => (await fetch(`${early.url}/ready`)).status;
    expect(await ready()).toBe(503);
    redis.heal();
    await until(async () => (await ready()) === 200);
  });

  it.each([
    ['no database server', () => 'postgres://u:p@127.0.0.1:1/x', 'the database at 127.0.0.1:1/x cannot be opened'],
    ['no such database', () => `${setup.databaseUrl}_no`, 'cannot be opened: database "'],
  ])('does not start with %s, and gives the reason', async (_what, url, why) => {
    await expect(setup.start({ DATABASE_URL: url() })).rejects.toThrow(why);
  });

  it('does not start on a newer schema that needs newer programs', async () => {
    await setup.query(`insert into schema_migrations (version, name, oldest_program) values (9999, 'future', 9999)`);
    await expect(setup.start()).rejects.toThrow('newer than');
    await setup.query('delete from schema_migrations where version = 9999');
  });

  it('does not start on a taken port, and names the port', async () => {
    const { port } = new URL(service.url);
    await expect(setup.start({ PORT: port })).rejects.toThrow(`port ${port} of 127.0.0.1 is taken`);
  });
});
