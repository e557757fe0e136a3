import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../ready.mjs';
import { installedPostgres } from './test-servers.cjs';

const template = 'lensforge_template';
/** Packages that this file loads or that sandbox processes run; neither loads TypeScript. */
const built = [
  'contracts',
  'core',
  'database',
  'embedded',
  'sandbox',
  'lenses',
  'workflows',
  'battles',
  'runs',
  'evaluation',
];

async function makeTemplate(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${template}`);
  await client.end();
  const { migrate } = await import('@lensforge/database');
  await migrate(url.replace(/[^/]*$/, template));
}

/** Starts a PostgreSQL with a migrated template, or none without its programs. */
async function startDatabase(home, installed) {
  const { startPostgres } = await import('@lensforge/embedded');
  const name = installed === undefined ? 'postgres' : 'installed-postgres';
  const postgres = await startPostgres({ dataDir: join(home, name), fast: true, installed });
  globalThis.lensforgeTestServers.servers.push(postgres);
  await makeTemplate(postgres.url);
  return { LENSFORGE_TEST_DATABASE_URL: postgres.url, LENSFORGE_TEST_TEMPLATE: template };
}

async function startCache() {
  const { startRedis } = await import('@lensforge/embedded');
  const redis = await startRedis();
  globalThis.lensforgeTestServers.servers.push(redis);
  return { LENSFORGE_TEST_REDIS_URL: redis.url };
}

/**
 * Starts the servers that all test files share, for test-servers.cjs. An installed PostgreSQL starts, too, when TEST_ON_INSTALLED
 * lists projects whose files use it.
 */
export default async function startServers() {
  if (process.env.LENSFORGE_TEST_WITHOUT_SERVERS) return;
  await build(built);
  const home = await mkdtemp(join(tmpdir(), 'lensforge-servers-'));
  globalThis.lensforgeTestServers = { home, servers: [] };
  const [redis, embedded, installed] = await Promise.all([
    startCache(),
    startDatabase(home),
    process.env.TEST_ON_INSTALLED && startDatabase(home, installedPostgres()),
  ]);
  process.env.TEST_SERVERS = JSON.stringify({
    embedded: { ...redis, ...embedded },
    installed: { ...redis, ...installed },
  });
}
