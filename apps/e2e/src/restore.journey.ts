import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@lensforge/database';
import { type PostgresServer, freePort, startPostgres } from '@lensforge/embedded';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nothingFound } from './audit.js';
import { TestPlatform, withConcurrency } from './test-platform.js';

const run = promisify(execFile);
/** Every platform of this test is given the keys of the first one, as after a real restore. */
const byokMasterKey = randomBytes(32).toString('base64');
const operateProgram = join(import.meta.dirname, '..', '..', '..', 'bundle', 'lensforge-operate.js');

/** The programs of the newest PostgreSQL that is installed; pg_dump refuses servers that are newer than itself. */
function installedPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  return versions.map((version) => join(root, version, 'bin')).find((folder) => existsSync(join(folder, 'pg_dump')));
}
const programs = installedPrograms();
const withPostgres = programs === undefined ? describe.skip : describe;
if (programs === undefined) process.stderr.write('skipped: backup and restore, as no PostgreSQL is installed\n');

interface StoredRun {
  id: string;
  status: string;
  cost: string | null;
}

withPostgres('a platform that lost its database and its Redis', () => {
  const path = `${programs}:${process.env['PATH']}`;
  let home: string;
  let server: PostgresServer;
  let copy: PostgresServer | undefined;
  let setup: TestPlatform | undefined;
  let ended: StoredRun[];
  let open: StoredRun[];
  let afterDump: string[];
  let momentBefore: string;

  const operate = async (databaseUrl: string, ...words: string[]): Promise<string> => {
    const env = { PATH: path, DATABASE_URL: databaseUrl, LENSFORGE_MASTER_KEY: setup?.masterKey };
    const { stdout } = await run(process.execPath, [operateProgram, ...words], { env });
    return stdout;
  };
  const runsOf = ({ db }: TestPlatform): Promise<StoredRun[]> =>
    db.query<StoredRun[]>('select id, status, credit_cost as cost from runs order by id');
  const openPlatform = (databaseUrl: string, allInOne = true): Promise<TestPlatform> =>
    TestPlatform.open({
      allInOne,
      databaseUrl,
      signIn: false,
      environment: { LENSFORGE_BYOK_MASTER_KEY: byokMasterKey },
    });

  /** Runs that have ended and were charged, one that is executing and some that wait in the queue. */
  async function makeRuns(platform: TestPlatform): Promise<void> {
    const { key } = await aPricedModel(platform.ctx, { perThousand: 1000, maxOutputTokens: 60 });
    const order = (script: object) => ({
      body: { params: { Name: 'Ada', Script: `\n@offline ${JSON.stringify(script)}\n` }, modelOverride: key },
    });
    await withConcurrency(20, 10, () => platform.accepted(order({ pieces: 1 })));
    await platform.allEnded();
    const slow = await platform.accepted(order({ delayMs: 8000 }));
    await until(async () => (await platform.statusOf(slow)) === 'running');
    // The worker keeps its lease and takes no other run.
    platform.platform.kill('run-worker', 0, 'SIGSTOP');
    await withConcurrency(20, 10, () => platform.accepted(order({ pieces: 1 })));
  }

  async function expectWhole(platform: TestPlatform, expected: readonly StoredRun[]): Promise<void> {
    await platform.allEnded();
    expect(await platform.findings()).toEqual(nothingFound);
    const runs = new Map((await runsOf(platform)).map((each) => [each.id, each]));
    for (const { id } of expected) expect(runs.get(id)?.status).toBe('succeeded');
    for (const each of ended) expect(runs.get(each.id)).toEqual(each);
    const charged = await platform.db.query<{ runId: string; captures: number }[]>(
      `select run_id as "runId", count(*)::int as captures from credit_entries where kind = 'capture' group by 1`,
    );
    expect(charged.filter(({ captures }) => captures !== 1)).toEqual([]);
    expect(charged.map(({ runId }) => runId)).toEqual(expect.arrayContaining(expected.map(({ id }) => id)));
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'lensforge-restore-'));
    await chmod(home, 0o755);
    await mkdir(join(home, 'archive'));
    await chmod(join(home, 'archive'), 0o777);
    const dataDir = join(home, 'data');
    const first = await startPostgres({ dataDir, installed: programs });
    await first.stop();
    await appendFile(
      join(dataDir, 'postgresql.auto.conf'),
      `archive_mode = on\narchive_command = 'cp %p ${home}/archive/%f'\nmax_connections = 200\n`,
    );
    server = await startPostgres({ dataDir, installed: programs });
    // Its worker is stopped by itself.
    setup = await openPlatform(server.url, false);
    await makeRuns(setup);
    const runs = await runsOf(setup);
    ended = runs.filter(({ status }) => status === 'succeeded');
    open = runs.filter(({ status }) => status !== 'succeeded');
    expect([ended.length, open.length]).toEqual([20, 21]);
    expect(Number(ended[0]?.cost)).toBeGreaterThan(0);
  });
  afterAll(async () => {
    await setup?.close();
    await copy?.stop();
    await server.stop();
    await rm(home, { recursive: true, force: true });
  });

  it('is backed up while it works, and copied for recovery to a point in time', async () => {
    expect(await operate(server.url, 'backup', join(home, 'lensforge.dump'))).toMatch(/SHA-256 [0-9a-f]{64}/);
    const { port, password } = new URL(server.url);
    await run(
      'pg_basebackup',
      [
        '-h',
        '127.0.0.1',
        '-p',
        port,
        '-U',
        new URL(server.url).username,
        '-D',
        join(home, 'copy'),
        '--checkpoint=fast',
      ],
      {
        env: { PATH: path, PGPASSWORD: password },
      },
    );
    const current = setup as TestPlatform;
    afterDump = await withConcurrency(5, 5, () => current.accepted());
    const [{ now }] = await current.db.query<[{ now: string }]>('select clock_timestamp()::text as now');
    momentBefore = now;
    await current.db.query('select pg_switch_wal()');
    // The accident.
    await current.db.query('update credit_accounts set available = 0');
    await current.db.query('select pg_switch_wal()');
    current.platform.kill('run-worker', 0, 'SIGCONT');
    await current.close();
    setup = undefined;
  });

  it('continues from the dump with an empty Redis: no run is lost, none is charged twice', async () => {
    const db = await createDatabase(server.url, 'restored');
    expect(await operate(db, 'restore', join(home, 'lensforge.dump'))).toContain('restored');
    setup = await openPlatform(db);
    expect(await operate(db, 'rebuild-queue')).toMatch(/^\d+ queued runs have new jobs/);
    await expectWhole(setup, open);
    await setup.close();
    setup = undefined;
  });

  it('continues from the moment before an accident, with the runs that came after the dump', async () => {
    const dataDir = join(home, 'copy');
    await writeFile(join(dataDir, 'recovery.signal'), '');
    await appendFile(
      join(dataDir, 'postgresql.auto.conf'),
      `archive_mode = off\nrestore_command = 'cp ${home}/archive/%f %p'\nrecovery_target_time = '${momentBefore}'\nrecovery_target_action = promote\n`,
    );
    copy = await startPostgres({ dataDir, installed: programs, port: await freePort() });
    setup = await openPlatform(copy.url);
    expect(await operate(copy.url, 'rebuild-queue')).toMatch(/^\d+ queued runs have new jobs/);
    await expectWhole(setup, open);
    const runs = new Map((await runsOf(setup)).map(({ id, status }) => [id, status]));
    expect(afterDump.map((id) => runs.get(id))).toEqual(afterDump.map(() => 'succeeded'));
  });
});

/** Creates an empty database on a server, and returns its URL. */
async function createDatabase(url: string, name: string): Promise<string> {
  const source = await openDatabase({ url, applicationName: 'restore.journey' });
  await source.query(`create database ${name}`);
  await source.destroy();
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}
