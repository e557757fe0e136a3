import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '@lensforge/database';
import { type PostgresServer, startPostgres } from '@lensforge/embedded';
import type { EventStream } from '@lensforge/testing';
import { nothingFound } from '../audit.js';
import { TestPlatform, countBy } from '../test-platform.js';
import { type PgBouncer, followsStatements, startPgBouncer } from './pgbouncer.js';
import { describeWith, temporaryFolder } from './programs.js';

const folder = temporaryFolder();
let postgres: PostgresServer;
let poolers: PgBouncer[] = [];
let setup: TestPlatform | undefined;

beforeAll(async () => {
  postgres = await startPostgres({ dataDir: join(folder.path, 'pg'), fast: true });
});
afterAll(async () => {
  await setup?.close();
  for (const pooler of poolers) await pooler.stop();
  poolers = [];
  await postgres.stop();
  folder.remove();
});

async function pooler(...args: Parameters<typeof startPgBouncer>): Promise<PgBouncer> {
  const started = await startPgBouncer(...args);
  poolers.push(started);
  return started;
}

const root = join(import.meta.dirname, '..', '..', '..', '..');

function run(program: string, args: readonly string[], environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('bundle', `${program}.js`), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    timeout: 30_000,
  });
  return { status, output: `${stdout.toString()}${stderr.toString()}`.trim() };
}

const openThrough = async (url: string): Promise<string> => {
  const source = await openDatabase({ url, applicationName: 'journey', timeoutFactor: 3 });
  const [row] = await source.query<[{ limits: string }]>(
    `select string_agg(setting, ' ' order by name) as limits from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'jit')`,
  );
  await source.destroy();
  return row.limits;
};

async function lastEventOf(stream: EventStream): Promise<string> {
  let last = '';
  for await (const { event } of stream) last = event ?? '';
  return last;
}

/** Runs lenses with open streams on a platform whose services go through the pooler. */
async function useThrough(url: string): Promise<void> {
  setup = await TestPlatform.open({ allInOne: true, databaseUrl: postgres.url, servicesDatabaseUrl: url });
  const platform = setup;
  const slow = { pieces: 8, pieceDelayMs: 100 };
  const runs = await Promise.all(Array.from({ length: 10 }, () => platform.accepted({ script: slow })));
  const streams = runs.map((runId) => lastEventOf(platform.follow(runId)));
  const answers = await Promise.all(Array.from({ length: 60 }, () => platform.execute()));
  expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: 60 });
  await platform.allEnded();
  expect(countBy(await Promise.all(streams))).toEqual({ done: 10 });
  expect(await platform.findings()).toEqual(nothingFound);
}

const describeAll = process.env['LENSFORGE_PGBOUNCER'] === undefined ? describeWith(['pgbouncer']) : describeWith([]);

describeAll('PgBouncer', () => {
  it('in session mode applies the limits of services to each session', async () => {
    const { url } = await pooler(postgres.url, 'session');
    expect(await openThrough(url)).toBe('30000 off 6000 15000');
  });

  it('in statement mode is refused in a sentence', async () => {
    const { url } = await pooler(postgres.url, 'statement');
    await expect(openThrough(url)).rejects.toThrow(
      'the connection pooler there is in statement mode: set pool_mode to transaction or session',
    );
  });

  it('in transaction mode is refused for migrations, which a direct address allows', async () => {
    const { url } = await pooler(postgres.url, 'transaction');
    const refused = run('lensforge-operate', ['migrate'], { DATABASE_URL: url });
    expect(refused).toEqual({
      status: 1,
      output: expect.stringContaining('set DATABASE_DIRECT_URL to the address of PostgreSQL itself'),
    });
    const direct = run('lensforge-operate', ['migrate'], { DATABASE_URL: url, DATABASE_DIRECT_URL: postgres.url });
    expect(direct).toMatchObject({ status: 0 });
    const again = run('lensforge-operate', ['migrate'], { DATABASE_URL: postgres.url });
    expect(again).toEqual({ status: 0, output: 'the schema is up to date' });
  });

  if (followsStatements()) {
    it('in transaction mode needs the limits as defaults of the role, and then carries the platform', async () => {
      const { url, restart } = await pooler(postgres.url, 'transaction', ['max_prepared_statements = 200']);
      const withoutLimits =
        'its role has no default for statement_timeout, lock_timeout, idle_in_transaction_session_timeout, jit, random_page_cost, seq_page_cost';
      await expect(openThrough(url)).rejects.toThrow(withoutLimits);
      expect(
        run('lensforge-operate', ['set-role-limits'], { DATABASE_URL: url, DATABASE_PATIENCE: '3' }),
      ).toMatchObject({
        status: 0,
      });
      await restart();
      expect(await openThrough(url)).toBe('30000 off 6000 15000');
      await useThrough(url);
    });

    it('in transaction mode is refused while it does not follow prepared statements', async () => {
      const { url } = await pooler(postgres.url, 'transaction', ['max_prepared_statements = 0']);
      await expect(openThrough(url)).rejects.toThrow('is in transaction mode without prepared statements');
    });
  } else {
    it('before 1.21 is refused in transaction mode, and carries the platform in session mode', async () => {
      const transaction = await pooler(postgres.url, 'transaction');
      await expect(openThrough(transaction.url)).rejects.toThrow('is in transaction mode without prepared statements');
      const { url } = await pooler(postgres.url, 'session');
      await useThrough(url);
    });
  }
});
