import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type PostgresServer, isAlive, startPostgres } from './index.js';
import { copyBinaries, findBinaries, linkLibraries } from './postgres-binaries.js';

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
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
const compiled = join(import.meta.dirname, '..', 'dist', 'index.js');

const inOtherProcess = (dataDir: string, identity: { uid?: number; gid?: number } = {}) => {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(compiled)});
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

const hasExited = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('startPostgres', () => {
  let home: string;
  let dataDir: string;

  const withServer = async <T>(folder: string, work: (server: PostgresServer) => Promise<T>): Promise<T> => {
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

  it('keeps its data and password between starts, and leaves no process', async () => {
    const first = await withServer(dataDir, async (server) => {
      await query(server.url, 'create table kept as select 42 as answer');
      return server;
    });
    expect(isAlive(first.pid)).toBe(false);
    await withServer(dataDir, async ({ url, pid }) => {
      expect(new URL(url).password).toBe(new URL(first.url).password);
      expect(isAlive(pid)).toBe(true);
      expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      const [row] = await query(url, `select current_setting('server_version_num')::int / 10000 as major`);
      expect(row).toEqual({ major: 18 });
    });
  });

  it('begins with a copy of the data of a server that has stopped', async () => {
    const copy = await startPostgres({ dataDir: join(home, 'copy'), fast: true, copyOf: dataDir });
    expect(await query(copy.url, 'update kept set answer = 43 returning answer')).toEqual([{ answer: 43 }]);
    await copy.stop();
    await withServer(dataDir, async ({ url }) =>
      expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }]),
    );
  });

  it('switches fsync off only with `fast`', async () => {
    const slow = await startPostgres({ dataDir });
    expect(await query(slow.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await slow.stop();
    await withServer(dataDir, async ({ url }) => expect(await query(url, 'show fsync')).toEqual([{ fsync: 'off' }]));
  });

  it('allows 200 connections', async () => {
    await withServer(dataDir, async ({ url }) =>
      expect(await query(url, 'show max_connections')).toEqual([{ max_connections: '200' }]),
    );
  });

  it('starts again after it was killed', async () => {
    const server = await startPostgres({ dataDir, fast: true });
    process.kill(server.pid, 'SIGKILL');
    expect(await server.ended).toContain('SIGKILL');
    await withServer(dataDir, async ({ url }) => expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]));
  });

  it('refuses a folder on which a server is running', async () => {
    await withServer(dataDir, async ({ pid }) => {
      await expect(startPostgres({ dataDir })).rejects.toThrow(
        `A PostgreSQL server (process ${pid}) is already running on ${dataDir}: stop it first.`,
      );
    });
  });

  it('removes a stale lock file whose process id belongs to another program', async () => {
    await writeFile(join(dataDir, 'postmaster.pid'), `${process.ppid}\n${dataDir}\n`);
    await withServer(dataDir, async ({ url }) => expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]));
  });

  it('stops the server when its parent process is killed, so that the next start succeeds', async () => {
    const parent = inOtherProcess(dataDir);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const { pid } = JSON.parse(line.toString()) as { pid: number };
    parent.kill('SIGKILL');
    await withServer(dataDir, async ({ url }) => expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]));
    await hasExited(pid);
  });

  it('names the port that is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    await expect(startPostgres({ dataDir, port })).rejects.toThrow(`Port ${port} is already taken`);
    holder.close();
  });

  it('refuses a folder with other files and does not change it', async () => {
    const folder = join(home, 'other files');
    await mkdir(folder);
    await writeFile(join(folder, 'file.txt'), 'content');
    await expect(startPostgres({ dataDir: folder })).rejects.toThrow('no embedded PostgreSQL database');
    expect(await readFile(join(folder, 'file.txt'), 'utf8')).toBe('content');
  });

  it('refuses the data of another major version', async () => {
    const version = join(dataDir, 'PG_VERSION');
    await writeFile(version, '17\n');
    await expect(startPostgres({ dataDir })).rejects.toThrow('was written by PostgreSQL 17');
    await writeFile(version, '18\n');
  });

  it('names a folder that is not writable', async () => {
    const file = join(home, 'a file');
    await writeFile(file, '');
    await expect(startPostgres({ dataDir: join(file, 'postgres') })).rejects.toThrow(/cannot be written to/);
  });

  asRoot('works as root in a folder that only root can enter', async () => {
    const closed = join(home, 'closed');
    await mkdir(closed, { mode: 0o700 });
    await withServer(join(closed, 'postgres'), async ({ url, pid }) => {
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      expect(status).not.toMatch(/^Uid:\s+0\s/m);
    });
  });

  asRoot.each([
    ['with a name', 65_534],
    ['without a name', 12_345],
  ])('works as an ordinary user (%s), and later as root on the same folder', async (_, uid) => {
    await chmod(home, 0o755);
    const mine = join(home, `of ${uid}`);
    await mkdir(mine);
    await chown(mine, uid, uid);
    const parent = inOtherProcess(join(mine, 'postgres'), { uid, gid: uid });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    await query(url, 'create table kept as select 42 as answer');
    parent.kill('SIGTERM');
    await once(parent, 'exit');
    await withServer(join(mine, 'postgres'), async (server) => {
      expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    });
  });
});

describe('linkLibraries', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge-binaries-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('makes the library links of a copy that has none', async () => {
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
