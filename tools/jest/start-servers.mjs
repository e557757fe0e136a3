import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../ready.mjs';

const template = 'lensforge_template';

async function makeTemplate(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  const { migrate } = await import('@lensforge/database');
  await migrate(url.replace(/[^/]*$/, template));
}

/** One PostgreSQL and one Redis for the whole run; libs/testing/src/servers.ts reads their addresses. */
export default async function startServers() {
  if (process.env.LENSFORGE_TEST_WITHOUT_SERVERS) return;
  await build(['contracts', 'core', 'database', 'embedded']);
  const { startPostgres, startRedis } = await import('@lensforge/embedded');
  const home = await mkdtemp(join(tmpdir(), 'lensforge-test-'));
  const starting = [startPostgres({ dataDir: join(home, 'postgres'), fast: true }), startRedis()];
  const started = await Promise.allSettled(starting);
  const [postgres, redis] = started.map(({ value }) => value);
  globalThis.lensforgeTestServers = { home, servers: [postgres, redis].filter(Boolean) };
  const fault = started.find(({ status }) => status === 'rejected');
  if (fault) throw fault.reason;

  await makeTemplate(postgres.url);
  process.env.LENSFORGE_TEST_DATABASE_URL = postgres.url;
  process.env.LENSFORGE_TEST_TEMPLATE = template;
  process.env.LENSFORGE_TEST_REDIS_URL = redis.url;
}
