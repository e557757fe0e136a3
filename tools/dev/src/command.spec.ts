import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@lensforge/embedded';
import { root } from './services.js';

/* Starts the program itself, so what it stands on is built first where that has not been done. */
describe('npm start', () => {
  let folder: string;

  const start = (environment: Record<string, string>, ...args: string[]) => {
    const child = spawn(process.execPath, [join(root, 'tools', 'start.mjs'), ...args], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', LENSFORGE_HOME: join(folder, 'home'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const hasWritten = async (words: string): Promise<void> => {
      while (!text.includes(words) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    return { child, ended, hasWritten, lastLine: () => text.trimEnd().split('\n').at(-1) };
  };

  const processesOn = async (path: string): Promise<string[]> => {
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const seen = pids.map(async (pid) => {
      const [command, environment] = await Promise.all(
        ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
      );
      return `${command} ${environment}`.includes(path) ? command : undefined;
    });
    return (await Promise.all(seen)).filter((command) => command !== undefined);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge start '));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('ends with one sentence and exit code 1 when a port is taken', async () => {
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    const { ended, lastLine } = start({ LENSFORGE_PORT_BASE: `${port}` });
    expect(await ended).toBe(1);
    expect(lastLine()).toMatch(
      new RegExp(`^Port ${port}, which \\S+ needs, is already taken: .*LENSFORGE_PORT_BASE\\.$`),
    );
    holder.close();
  });

  it.each([
    [{ LENSFORGE_HOME: '/proc/lensforge' }, 'The folder /proc/lensforge cannot be written to'],
    [{ DATABASE_URL: 'postgres://u:p@127.0.0.1:9/x' }, 'PostgreSQL at 127.0.0.1:9 (DATABASE_URL) cannot be used'],
    [{ REDIS_URL: 'redis://127.0.0.1:9' }, 'Redis at 127.0.0.1:9 (REDIS_URL) cannot be used'],
    [{ LENSFORGE_REPLICAS: 'worker=2' }, 'LENSFORGE_REPLICAS has "worker=2"'],
    [{ LENSFORGE_REPLICAS: 'api-gateway=0' }, 'LENSFORGE_REPLICAS asks for 0 of api-gateway: it must be 1 to 50'],
    [{ LENSFORGE_ALL_IN_ONE: 'yes' }, 'LENSFORGE_ALL_IN_ONE is "yes": it must be on or off'],
    [{ LENSFORGE_ALL_IN_ONE: 'on', LENSFORGE_REPLICAS: 'run-worker=2' }, 'set it or LENSFORGE_REPLICAS, not both'],
    [{ LENSFORGE_PORT_BASE: 'high' }, 'LENSFORGE_PORT_BASE is "high"'],
  ])('ends with one sentence and exit code 1 given %j', async (environment, sentence) => {
    const port = await freePort();
    const { ended, lastLine } = start({ LENSFORGE_PORT_BASE: `${port}`, ...environment });
    expect(await ended).toBe(1);
    expect(lastLine()).toContain(sentence);
    expect(await processesOn(folder)).toEqual([]);
  });

  it.each(['starting PostgreSQL', 'schema'])('leaves no processes when it is stopped at "%s"', async (moment) => {
    const port = await freePort();
    const { child, ended, hasWritten } = start({ LENSFORGE_PORT_BASE: `${port}` });
    await hasWritten(moment);
    child.kill('SIGTERM');
    expect(await ended).toBe(130);
    expect(await processesOn(folder)).toEqual([]);
    expect(await readdir(join(folder, 'home'))).not.toContain('lock.json');
  });
});
