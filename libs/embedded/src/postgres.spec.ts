import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { PostgresServer } from './index.js';
import { isAlive, startPostgres } from './index.js';
import { copyBinaries, findBinaries, linkLibraries } from './postgres-binaries.js';

const ask = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

const asRoot = process.getuid?.() === 0 ? it : it.skip;
const built = join(import.meta.dirname, '..', 'dist', 'index.js');

const inOtherProcess = (dataDir: string, identity: { uid?: number; gid?: number } = {}) => {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(built)});
    const server = await startPostgres({ dataDir: process.argv[1], fast: true });
    console.log(JSON.stringify({ pid: server.pid, url: server.url }));
    process.once('SIGTERM', () => server.stop());`;
  return spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    ...identity,
  });
};

const gone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('embedded PostgreSQL', () => {
  let home: string;
  let dataDir: string;

  const use = async <T>(folder: string, work: (server: PostgresServer) => Promise<T>): Promise<T> => {
    const server = await startPostgres({ dataDir: folder, fast: true });
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'lensforge embedded '));
    dataDir = join(home, 'a folder with spaces', 'postgres');
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('keeps its data and its address between starts, and leaves no process', async () => {
    const first = await use(dataDir, async (server) => {
      await ask(server.url, 'create table kept as select 42 as answer');
      return server;
    });
    expect(isAlive(first.pid)).toBe(false);
    await use(dataDir, async ({ url, pid }) => {
      expect(new URL(url).password).toBe(new URL(first.url).password);
      expect(isAlive(pid)).toBe(true);
      expect(await ask(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      const [row] = await ask(url, `select current_setting('server_version_num')::int / 10000 as major`);
      expect(row).toEqual({ major: 18 });
    });
  });

  it('is durable unless told to be fast', async () => {
    const slow = await startPostgres({ dataDir });
    expect(await ask(slow.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await slow.stop();
    await use(dataDir, async ({ url }) => expect(await ask(url, 'show fsync')).toEqual([{ fsync: 'off' }]));
  });

  it('serves 200 connections', async () => {
    await use(dataDir, async ({ url }) =>
      expect(await ask(url, 'show max_connections')).toEqual([{ max_connections: '200' }]),
    );
  });

  it('starts again after it was killed', async () => {
    const server = await startPostgres({ dataDir, fast: true });
    process.kill(server.pid, 'SIGKILL');
    expect(await server.ended).toContain('SIGKILL');
    await use(dataDir, async ({ url }) => expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]));
  });

  it('refuses a folder on which a server is running', async () => {
    await use(dataDir, async ({ pid }) => {
      await expect(startPostgres({ dataDir })).rejects.toThrow(
        `A PostgreSQL server (process ${pid}) is already running on ${dataDir}: stop it first.`,
      );
    });
  });

  it('copes with the lock file of a lost server whose number another program has now', async () => {
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.ppid}\n${dataDir}\n`);
    await use(dataDir, async ({ url }) => expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]));
  });

  it('goes when the process that started it is killed, so that the next start finds the folder free', async () => {
    const parent = inOtherProcess(dataDir);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const { pid } = JSON.parse(line.toString()) as { pid: number };
    parent.kill('SIGKILL');
    await use(dataDir, async ({ url }) => expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]));
    await gone(pid);
  });

  it('says which port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    await expect(startPostgres({ dataDir, port })).rejects.toThrow(`Port ${port} is already taken`);
    holder.close();
  });

  it('leaves a folder alone that is no database of its own', async () => {
    const folder = join(home, 'letters');
    await mkdir(folder);
    await writeFile(join(folder, 'letter.txt'), 'dear');
    await expect(startPostgres({ dataDir: folder })).rejects.toThrow('no embedded PostgreSQL database');
    expect(await readFile(join(folder, 'letter.txt'), 'utf8')).toBe('dear');
  });

  it('refuses the data of another major version', async () => {
    const version = join(dataDir, 'PG_VERSION');
    await writeFile(version, '17\n');
    await expect(startPostgres({ dataDir })).rejects.toThrow('was written by PostgreSQL 17');
    await writeFile(version, '18\n');
  });

  it('names a folder that cannot be made', async () => {
    const file = join(home, 'a file');
    await writeFile(file, '');
    await expect(startPostgres({ dataDir: join(file, 'postgres') })).rejects.toThrow(/cannot be written to/);
  });

  asRoot('works as root beneath a folder that nobody else can enter', async () => {
    const closed = join(home, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await use(join(closed, 'postgres'), async ({ url, pid }) => {
      expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      expect(status).not.toMatch(/^Uid:\s+0\s/m);
    });
  });

  asRoot.each([
    ['of the machine', 65_534],
    ['without a name', 12_345],
  ])('works as an ordinary user %s, and later as root on the same folder', async (_, uid) => {
    await chmod(home, 0o755);
    const mine = join(home, `of ${uid}`);
    await mkdir(mine);
    await chown(mine, uid, uid);
    const parent = inOtherProcess(join(mine, 'postgres'), { uid, gid: uid });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    await ask(url, 'create table kept as select 42 as answer');
    parent.kill('SIGTERM');
    await once(parent, 'exit');
    await use(join(mine, 'postgres'), async (server) => {
      expect(await ask(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });
  });
});

describe('the binaries of PostgreSQL', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge-binaries-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('run from a copy whose library links were never made by an install script', async () => {
    const copy = await copyBinaries(await findBinaries(), folder);
    const links = async (): Promise<string[]> => {
      const entries = await readdir(join(copy.root, 'native', 'lib'), { withFileTypes: true });
      return entries
        .filter((entry) => entry.isSymbolicLink())
        .map(({ name }) => join(copy.root, 'native', 'lib', name));
    };
    const made = await links();
    await Promise.all(made.map((link) => rm(link)));
    expect(await linkLibraries(copy.root)).toBe(true);
    expect(await links()).toEqual(made);
    expect(spawnSync(copy.postgres, ['--version'], { encoding: 'utf8' }).stdout).toContain('PostgreSQL) 18');
  });
});
