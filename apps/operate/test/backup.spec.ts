import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '@lensforge/identity/testing';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { type FreshDatabase, freshDatabase } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operate } from '../src/operate.js';
import { connectionSettings } from '../src/postgres-client.js';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'operate-backup-'));
});
afterAll(() => database.close());

async function run(line: string, url = database.url, path = process.env['PATH'] ?? '') {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await operate(line.split(' '), {
    environment: { DATABASE_URL: url, PATH: path },
    print: (each) => output.push(each),
    printError: (each) => errors.push(each),
  });
  return { code, output, errors: errors.join('\n') };
}

describe('connectionSettings', () => {
  it('gives libpq a URL as its environment, without loss', () => {
    expect(
      connectionSettings('postgres://me%40x:p%3Aw%20d@db.example.com:6432/lens%20forge?sslmode=verify-full'),
    ).toEqual({
      PGHOST: 'db.example.com',
      PGPORT: '6432',
      PGUSER: 'me@x',
      PGPASSWORD: 'p:w d',
      PGDATABASE: 'lens forge',
      PGSSLMODE: 'verify-full',
    });
    expect(connectionSettings('postgres:///lensforge?host=/run/postgresql')).toEqual({
      PGHOST: '/run/postgresql',
      PGDATABASE: 'lensforge',
    });
  });
});

describe('backup and restore', () => {
  it('explain a missing program, file name or existing file, and leave no partial file', async () => {
    const file = join(folder, 'none.dump');
    expect(await run(`backup ${file}`, database.url, folder)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('pg_dump is not on PATH: install'),
    });
    expect(await readdir(folder)).toEqual([]);
    expect(await run('backup')).toMatchObject({ code: 2, errors: 'backup takes a file name' });
    expect(await run('restore --help')).toMatchObject({ code: 2, errors: 'restore takes a file name' });
    await writeFile(join(folder, 'there'), '');
    expect(await run(`backup ${join(folder, 'there')}`)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('exists: name a new file'),
    });
  });

  it('restore refuses a database with tables', async () => {
    expect(await run('restore some.dump')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^the database has \d+ tables: create an empty one/),
    });
  });

  // pg_dump refuses servers that are newer than itself.
  (canDump() ? it : it.skip)('write a file for its owner alone, which an empty database takes', async () => {
    const { handle } = await anAccount(database.ctx);
    const file = join(folder, 'whole.dump');
    const saved = await run(`backup ${file}`);
    expect(saved).toMatchObject({
      code: 0,
      output: [expect.stringMatching(/\d+ tables, schema \d+, SHA-256 [0-9a-f]{64}$/)],
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const empty: FreshDatabase = await freshDatabase({ empty: true });
    const restored = await run(`restore ${file}`, empty.url);
    expect(restored).toMatchObject({ code: 0, errors: '' });
    expect(restored.output[0]).toContain('0 runs; its schema is that of this program');
    expect(await run(`grant-credits ${handle} 5`, empty.url)).toMatchObject({ code: 0 });
    await empty.drop();
  });
});

/** True where pg_dump is at least as new as the server of the tests. */
function canDump(): boolean {
  try {
    const version = /(\d+)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1];
    if (Number(version) >= 18 || process.env['LENSFORGE_POSTGRES_BIN']) return true;
    process.stderr.write(`skipped: a backup of the tests' PostgreSQL, as pg_dump ${version} is older\n`);
  } catch {
    process.stderr.write('skipped: a backup, as pg_dump is not installed\n');
  }
  return false;
}
