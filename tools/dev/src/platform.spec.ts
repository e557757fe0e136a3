import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, isAlive } from '@lensforge/embedded';
import { type Platform, type PlatformOptions, openLog, startPlatform } from './index.js';
import { standIn } from '../test/stand-in.js';

/** The ports above belong to the platform that a test starts, so it is none that outgoing connections take. */
const listening = async (): Promise<{ server: Server; port: number }> => {
  const server = createServer((socket) => socket.destroy());
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, port };
};

/** Implements just enough of PostgreSQL's protocol to report an old version. */
const oldPostgres = async (): Promise<{ server: Server; port: number }> => {
  const message = (type: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const number = (value: number, bytes: 2 | 4): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeIntBE(value, 0, bytes);
    return buffer;
  };
  const ready = message('Z', Buffer.from('I'));
  const column = (name: string): Buffer =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      number(0, 4),
      number(0, 2),
      number(25, 4),
      Buffer.from([255, 255]),
      number(-1, 4),
      number(0, 2),
    ]);
  const value = (text: string): Buffer => Buffer.concat([number(text.length, 4), Buffer.from(text)]);
  const answer = Buffer.concat([
    message('T', number(2, 2), column('number'), column('name')),
    message('D', number(2, 2), value('140011'), value('14.11')),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ]);
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', number(0, 4)), ready]));
      socket.on('data', (chunk) => {
        if (chunk.toString().startsWith('Q')) socket.write(answer);
        else socket.end();
      });
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
};

describe('a platform', () => {
  let folder: string;
  let lines: string[];
  const started: Platform[] = [];

  const log = openLog({ format: 'json', write: (line) => lines.push(line) });
  const startIn = async (home: Pick<PlatformOptions, 'home'>, options: PlatformOptions): Promise<Platform> => {
    const platform = await startPlatform({ demo: false, fast: true, redis: 'wasm', log, ...home, ...options });
    started.push(platform);
    return platform;
  };
  /** Starts in a home with an existing database, unless the options name another. */
  const start = (options: PlatformOptions): Promise<Platform> => startIn({ home: join(folder, 'usual') }, options);
  const pidsOf = (platform: Platform): number[] => Object.values(platform.pids).flat();
  const hasLine = (text: string): boolean => lines.some((line) => line.includes(text));
  const eventually = async (fact: () => boolean): Promise<void> => {
    while (!fact()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  /** The processes that run programs or use data of this folder. */
  const leftovers = async (): Promise<string[]> => {
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    return commands.filter((command) => command.includes(folder));
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge dev '));
    await mkdir(join(folder, 'usual'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((platform) => platform.stop()));
    expect(await leftovers()).toEqual([]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  beforeEach(() => {
    lines = [];
  });

  it('runs every replica as a process and stops all of them', async () => {
    const worker = await standIn(folder, 'run-worker', 'good');
    const gateway = { ...(await standIn(folder, 'api-gateway', 'good')), publicName: 'api' as const };
    const platform = await startIn({}, { services: [gateway, worker], replicas: { 'run-worker': 2 } });
    expect(platform.pids).toEqual({
      postgres: expect.any(Number),
      redis: expect.any(Number),
      'api-gateway': [expect.any(Number)],
      'run-worker': [expect.any(Number), expect.any(Number)],
    });
    expect(platform.urls).toEqual({ api: platform.urlOf('api-gateway') });
    const answers = [platform.urlOf('api-gateway'), platform.urlOf('run-worker'), platform.urlOf('run-worker', 1)];
    for (const url of answers) expect((await fetch(`${url}/ready`)).status).toBe(200);
    const pids = pidsOf(platform);
    await platform.stop();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('prints the log lines of services with their replica', async () => {
    const worker = await standIn(folder, 'run-worker', 'shouting');
    await start({ services: [worker], replicas: { 'run-worker': 2 }, environment: { GREETING: 'hello' } });
    await eventually(() => hasLine('"instance":"run-worker.1"') && hasLine('"instance":"run-worker.2"'));
    expect(hasLine('"msg":"hello"')).toBe(true);
  });

  it.each(['run-worker', 'postgres', 'redis'])('restarts %s when it dies and logs it', async (name) => {
    const platform = await start({ services: [await standIn(folder, 'run-worker', 'good')] });
    const before = JSON.stringify(platform.pids[name]);
    let changes = 0;
    platform.onPidsChange(() => (changes += 1));
    platform.kill(name, 0, 'SIGKILL');
    await eventually(() => changes >= 2);
    expect(JSON.stringify(platform.pids[name])).not.toBe(before);
    expect(hasLine(`${name} died and is started again`)).toBe(true);
  });

  it('keeps a service stopped until it is resumed', async () => {
    const platform = await start({ services: [await standIn(folder, 'run-worker', 'good')] });
    await platform.hold('run-worker');
    expect(platform.pids['run-worker']).toEqual([]);
    await expect(fetch(platform.urlOf('run-worker'))).rejects.toThrow('fetch failed');
    await platform.resume('run-worker');
    expect((await fetch(platform.urlOf('run-worker'))).status).toBe(200);
  });

  it('kills a service that does not stop', async () => {
    const deaf = await standIn(folder, 'run-worker', 'deaf');
    const platform = await start({ services: [deaf], environment: { LENSFORGE_DRAIN_MS: '100' } });
    const pids = pidsOf(platform);
    await platform.stop();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('gives up with the last output of a service that fails to start five times in a row', async () => {
    const services = [await standIn(folder, 'good', 'good'), await standIn(folder, 'broken', 'broken')];
    await expect(start({ services })).rejects.toThrow(
      'broken could not start 5 times in a row. Its last words: the engine is missing (exit code 3)',
    );
    expect(lines.filter((line) => line.includes('broken did not start and is tried again'))).toHaveLength(4);
  });

  it('names the port that is in use', async () => {
    const { server, port } = await listening();
    const services = [await standIn(folder, 'api-gateway', 'good')];
    await expect(start({ services, portBase: port })).rejects.toThrow(
      `Port ${port}, which api-gateway needs, is already taken`,
    );
    server.close();
  });

  it('waits for the ports of a platform that was killed in the same home', async () => {
    const { server, port } = await listening();
    const home = join(folder, 'usual');
    await writeFile(join(home, 'lock.json'), JSON.stringify({ pid: process.pid, began: 'long ago' }));
    const starting = start({ services: [await standIn(folder, 'api-gateway', 'good')], portBase: port });
    setTimeout(() => server.close(), 300);
    await expect(starting).resolves.toBeDefined();
  });

  it('counts ports from its base', async () => {
    const portBase = await freePort();
    const services = [{ ...(await standIn(folder, 'api-gateway', 'good')), offset: 0 }];
    const platform = await start({ services, portBase });
    expect(platform.urlOf('api-gateway')).toBe(`http://127.0.0.1:${portBase}`);
  });

  it('names a home that cannot be written to', async () => {
    const file = join(folder, 'a file');
    await writeFile(file, '');
    for (const home of [file, join(file, 'home'), '/proc/home', '/proc/deep/home']) {
      await expect(start({ services: [], home })).rejects.toThrow(`The folder ${home} cannot be written to (E`);
    }
  });

  it('keeps data and master key in its home, for one platform at a time', async () => {
    const home = join(folder, 'home');
    const first = await start({ services: [], home });
    await expect(start({ services: [], home })).rejects.toThrow(
      `A platform (process ${process.pid}) is already running in ${home}`,
    );
    await first.stop();
    const second = await start({ services: [], home });
    expect(new URL(second.databaseUrl).password).toBe(new URL(first.databaseUrl).password);
    await second.stop();
    const third = await start({ services: [], home, fresh: true });
    expect(new URL(third.databaseUrl).password).not.toBe(new URL(first.databaseUrl).password);
  });

  it('names a database that cannot be reached', async () => {
    const port = await freePort();
    const databaseUrl = `postgres://u:secret@127.0.0.1:${port}/x`;
    await expect(start({ services: [], databaseUrl })).rejects.toThrow(
      `PostgreSQL at 127.0.0.1:${port} (DATABASE_URL) cannot be used: no server answers there.`,
    );
  });

  it('names a database that is too old', async () => {
    const { server, port } = await oldPostgres();
    await expect(start({ services: [], databaseUrl: `postgres://u:p@127.0.0.1:${port}/x` })).rejects.toThrow(
      `PostgreSQL 14.11 at 127.0.0.1:${port} is too old: Lensforge needs version 15 or newer.`,
    );
    server.close();
  });

  it('names a Redis that cannot be reached, and stops the PostgreSQL it had started', async () => {
    const port = await freePort();
    await expect(start({ services: [], redisUrl: `redis://127.0.0.1:${port}` })).rejects.toThrow(
      `Redis at 127.0.0.1:${port} (REDIS_URL) cannot be used: no server answers there.`,
    );
  });

  it.each([
    [0, 'usual'],
    [300, 'interrupted'],
    [900, 'usual'],
  ])('leaves no processes when it is interrupted after %i ms in the home %s', async (ms, name) => {
    const interruption = new AbortController();
    setTimeout(() => interruption.abort(), ms);
    const services = [await standIn(folder, 'good', 'good'), await standIn(folder, 'slow', 'slow')];
    const home = join(folder, name);
    await expect(start({ services, home, signal: interruption.signal })).rejects.toThrow('interrupted');
    await expect(start({ services: [], home })).resolves.toBeDefined();
  });
});
