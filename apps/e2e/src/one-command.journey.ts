import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { until } from '@lensforge/testing';

jest.setTimeout(180_000);

const program = join(import.meta.dirname, '..', '..', '..', 'tools', 'start.mjs');
const within = 120_000;

interface DevFile {
  ready: boolean;
  pids: Record<string, number | number[]>;
  urls: Record<string, string>;
  users: { email: string; password: string; handle: string; lenserId: string }[];
  tokens: Record<string, string>;
  lensId: string;
}

class Start {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  text = '';

  constructor(
    readonly home: string,
    portBase: number,
    more: Record<string, string> = {},
  ) {
    this.process = spawn(process.execPath, [program], {
      env: {
        ...process.env,
        DATABASE_URL: '',
        REDIS_URL: '',
        LENSFORGE_HOME: home,
        LENSFORGE_PORT_BASE: `${portBase}`,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    }
    this.ended = once(this.process, 'exit');
  }

  async facts(): Promise<DevFile> {
    return JSON.parse(await readFile(join(this.home, 'dev.json'), 'utf8')) as DevFile;
  }

  async ready(): Promise<DevFile> {
    return until(() => (this.process.exitCode === null ? this.facts() : Promise.reject(new Error(this.text))), {
      within,
      what: () => `dev.json (so far: ${this.text.slice(-3000)})`,
    });
  }

  async stop(): Promise<number | null> {
    if (this.process.exitCode === null) this.process.kill('SIGTERM');
    await this.ended;
    return this.process.exitCode;
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const pidsOf = ({ pids }: DevFile): number[] => Object.values(pids).flat();

/** Far below the ports of freePort, and apart from the default ports of a platform. */
const base = 6010 + (process.pid % 59) * 10;

describe('npm start', () => {
  let folder: string;
  let first: Start;
  let second: Start;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lensforge one command '));
    first = new Start(join(folder, 'one'), base, { LENSFORGE_REPLICAS: 'run-worker=2' });
    await first.ready();
    second = new Start(join(folder, 'two'), base + 1000);
    await second.ready();
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('prints a table of addresses and tokens and the demo run', () => {
    expect(first.text).toContain('Lensforge is ready');
    expect(first.text).toContain(`http://127.0.0.1:${base}`);
    expect(first.text).toContain('alice@lensforge.test');
    expect(first.text).toMatch(/id: 1 {2}event: run\.queued/);
    expect(first.text).toMatch(/event: done {2}data: \{"eventType":"done","payload":\{"status":"succeeded"\}/);
  });

  it('writes the same to dev.json, readable by its owner only', async () => {
    const facts = await first.facts();
    expect(facts).toMatchObject({
      ready: true,
      pids: {
        postgres: expect.any(Number),
        redis: expect.any(Number),
        'run-worker': [expect.any(Number), expect.any(Number)],
      },
      urls: {
        api: `http://127.0.0.1:${base}`,
        mcp: `http://127.0.0.1:${base + 100}`,
        oauth: `http://127.0.0.1:${base + 200}`,
      },
      users: [{ handle: 'alice' }, { handle: 'bob' }],
    });
    for (const [name, token] of Object.entries(lasting(facts))) {
      expect(first.text).toContain(token);
      expect([name, token]).toEqual([name, expect.stringMatching(/^lf_(dev|mcp|org|svc)_[0-9a-f]{64}$/)]);
    }
    expect(pidsOf(facts).every(isAlive)).toBe(true);
    expect((await stat(join(first.home, 'dev.json'))).mode & 0o777).toBe(0o600);
  });

  it('signs both demo users in', async () => {
    const { tokens, urls, users } = await first.facts();
    expect(first.text).toContain(`sign-ins at ${urls['oauth']}/id/sign-in`);
    for (const [at, name] of ['session', 'session2'].entries()) {
      const headers = { authorization: `Bearer ${tokens[name]}` };
      const answer = await fetch(`${urls['api']}/v1/me`, { headers });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(users[at]?.handle ?? '?')]);
    }
  });

  it('prints a curl command that works, and its receiver gets the webhook of that run', async () => {
    const line = /^ +(curl .*)$/m.exec(first.text)?.[1];
    const { stdout } = await promisify(execFile)('sh', ['-c', String(line)]);
    const { data } = JSON.parse(stdout) as { data: { runId: string } };
    expect(data).toMatchObject({ runId: expect.any(String), status: 'queued' });
    const isDelivered = (each: string): boolean => each.includes('signature ok') && each.includes(data.runId);
    await until(() => first.text.split('\n').some(isDelivered), { what: 'the webhook' });
  });

  it('runs beside another platform with other data', async () => {
    const [mine, other] = [await first.facts(), await second.facts()];
    const token = { authorization: `Bearer ${mine.tokens['developer']}` };
    const runOf = (api: string | undefined): Promise<Response> =>
      fetch(`${api}/v1/runs/00000000-0000-7000-8000-000000000000`, { headers: token });
    expect((await runOf(mine.urls['api'])).status).toBe(404);
    expect((await runOf(other.urls['api'])).status).toBe(401);
  });

  it('restarts a dead service and updates dev.json', async () => {
    const before = await first.facts();
    const [victim] = before.pids['run-worker'] as number[];
    process.kill(Number(victim), 'SIGKILL');
    await until(
      async () => {
        const { pids } = await first.facts();
        const workers = pids['run-worker'] as number[];
        return workers.length === 2 && !workers.includes(Number(victim));
      },
      { within: 60_000, what: 'another worker' },
    );
    expect(first.text).toMatch(/run-worker\.\d died and is started again/);
  });

  it('refuses a second platform in the same folder', async () => {
    const again = new Start(first.home, base + 2000);
    await again.ended;
    expect(again.process.exitCode).toBe(1);
    expect(again.text.trimEnd().split('\n').at(-1)).toContain(`(process ${first.process.pid}) is already running in`);
  });

  it('stops all processes on SIGTERM and has the same data and tokens after the next start', async () => {
    const before = await first.facts();
    expect(await first.stop()).toBe(0);
    expect(pidsOf(before).filter(isAlive)).toEqual([]);
    await expect(first.facts()).rejects.toThrow('ENOENT');

    first = new Start(first.home, base);
    const after = await first.ready();
    expect(lasting(after)).toEqual(lasting(before));
    expect(after.lensId).toBe(before.lensId);
  });

  it('leaves no processes when it is killed, and starts again', async () => {
    const before = await first.facts();
    first.process.kill('SIGKILL');
    await first.ended;
    first = new Start(first.home, base);
    const after = await until(
      async () => {
        const facts = await first.facts();
        return facts.pids['postgres'] !== before.pids['postgres'] && facts;
      },
      { within, what: () => `another start (so far: ${first.text.slice(-3000)})` },
    );
    await until(() => !pidsOf(before).some(isAlive), {
      within,
      what: 'the end of all that the killed one had started',
    });
    expect(lasting(after)).toEqual(lasting(before));
  });
});

/** Tokens that stay the same after a restart; session tokens are new each time. */
const lasting = ({ tokens }: { tokens: Readonly<Record<string, string>> }): Record<string, string> =>
  Object.fromEntries(Object.entries(tokens).filter(([name]) => !name.startsWith('session')));
