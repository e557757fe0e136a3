import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@lensforge/embedded';
import { until } from '@lensforge/testing';
import { type AnsweringProvider, openAnsweringProvider } from './answering-provider.js';
import { differences, runSteps, stepsOf } from './shell-page.js';
import {
  type DevFile,
  type PortBase,
  StartCommand,
  type StartOptions,
  reservePortBase,
  within,
} from './start-command.js';

const root = join(import.meta.dirname, '..', '..', '..');

const start = (...[home, portBase, more, options]: [string, number, object?, StartOptions?]): StartCommand =>
  new StartCommand(home, portBase, { ...process.env, ...more }, options);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
/** A command of a page with another port for its receiver. */
const withPort = (command: string, port: number): string =>
  command.replaceAll('8091', `${port}`).replaceAll(/node \S*receiver\.mjs/g, `PORT=${port} $&`);
/** Starts quicker; where a test is about single processes, each service has its own. */
const oneProcess = { LENSFORGE_ALL_IN_ONE: 'on' };
const pidsOf = ({ pids }: DevFile): number[] => Object.values(pids).flat();

describe('npm start', () => {
  let folder: string;
  let first: StartCommand;
  let second: StartCommand;
  let provider: AnsweringProvider;
  let ports: PortBase[];
  let base: number;

  beforeAll(async () => {
    ports = [await reservePortBase(), await reservePortBase()];
    const [one, two] = ports.map((reserved) => reserved.base) as [number, number];
    base = one;
    folder = await mkdtemp(join(tmpdir(), 'lensforge one command '));
    first = start(join(folder, 'one'), base, { LENSFORGE_REPLICAS: 'run-worker=2' });
    await first.ready();
    provider = await openAnsweringProvider('The answer of a model.');
    const environment = {
      ...oneProcess,
      LENSFORGE_OPENAI_BASE_URL: provider.url,
      LENSFORGE_EGRESS_ALLOW: 'loopback',
    };
    const input = 'sk-key-of-the-journey\n';
    second = start(join(folder, 'two'), two, environment, {
      args: ['--with', 'openai', '--logs'],
      input,
    });
    await second.ready();
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
    await Promise.all(ports.map((reserved) => reserved.release()));
    provider.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('prints a page that fits on 80 × 24, without the logs of services', async () => {
    const { urls, lensId, tokens } = await first.facts();
    const page = first.text.slice(first.text.indexOf('\n  Lensforge is ready'));
    const lines = page.split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80 && !line.includes(first.home))).toEqual([]);
    for (const text of [urls['api'], `${urls['mcp']}/mcp`, `${urls['oauth']}/id/sign-in`, lensId, tokens['developer']])
      expect(page).toContain(text);
    expect(page).toContain('alice@lensforge.test');
    expect(page).toMatch(/Demo run \S+: succeeded/);
    expect(first.text).not.toContain('"service":');
  });

  it('prints the page of the running platform again for --show, and says when none runs', async () => {
    const page = first.text.slice(first.text.indexOf('\n  Lensforge is ready'));
    const shown = start(first.home, base, {}, { args: ['--show'] });
    await shown.ended;
    expect([shown.process.exitCode, shown.text.trim()]).toEqual([0, page.trim()]);
    const none = start(join(folder, 'none'), base, {}, { args: ['--show'] });
    await none.ended;
    expect([none.process.exitCode, none.text]).toEqual([1, expect.stringContaining('No platform is running in')]);
  });

  it('writes the logs of all processes to a file, and shows them with --logs', async () => {
    const log = await first.log();
    expect(log).toContain('"service":"api-gateway"');
    expect(log).toContain('"service":"dev"');
    expect(second.text).toContain('"service":"api-gateway"');
  });

  it('uses the models of a provider whose key was asked for once, and stores the key encrypted', async () => {
    const { tokens, urls, lensId } = await second.facts();
    expect(second.text).toMatch(/Models +openai, offline/);
    const headers = { authorization: `Bearer ${tokens['developer']}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ params: { Product: 'x', Audience: 'y' } });
    const accepted = await fetch(`${urls['api']}/v1/lenses/${lensId}/execute`, { method: 'POST', headers, body });
    const { data } = (await accepted.json()) as { data: { runId: string } };
    const run = await until(
      async () => {
        const answer = await fetch(`${urls['api']}/v1/runs/${data.runId}`, { headers });
        const { data: found } = (await answer.json()) as { data: { status: string } };
        return ['queued', 'running'].includes(found.status) ? undefined : found;
      },
      { within, what: 'the end of the run' },
    );
    expect(run).toMatchObject({ status: 'succeeded', providerKey: 'openai' });
    expect(provider.authorizations).toEqual(['Bearer sk-key-of-the-journey']);
    const files = ['provider-keys.json', 'dev.json', 'lensforge.log'];
    for (const file of files) expect(await readFile(join(second.home, file), 'utf8')).not.toContain('sk-key-of');
  });

  it('carries a first integration as docs/first-integration.md describes it', async () => {
    const page = await readFile(join(root, 'docs', 'first-integration.md'), 'utf8');
    const [begin, ...steps] = stepsOf(page);
    expect(begin?.command).toBe('npm start -- --with openai\n');
    expect(steps.length).toBeGreaterThan(4);
    // Receivers of other tests may listen on the port of the page.
    const receiver = await freePort();
    const timed = steps.map(({ command, shown }) => ({
      command: `${withPort(command, receiver)}date +%s.%N >> "$TIMES"\n`,
      shown,
    }));
    const times = join(folder, 'times');
    const { DATABASE_URL: _, REDIS_URL: __, ...env } = process.env;
    const since = Date.now() / 1000;
    const printed = await runSteps(timed, { ...env, TIMES: times, LENSFORGE_HOME: second.home }, root);
    await rm(join(root, 'receiver.log'));
    expect(differences(timed, printed)).toEqual([]);
    const ends = (await readFile(times, 'utf8')).trim().split('\n').map(Number);
    const seconds = ends.map((end, at) => (end - (ends[at - 1] ?? since)).toFixed(1));
    process.stdout.write(`first integration: ${seconds.join(', ')} s for its steps\n`);
  });

  it('writes the addresses and tokens to dev.json, readable by its owner only', async () => {
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
      expect([name, token]).toEqual([name, expect.stringMatching(/^lf_(dev|mcp|org|svc)_[0-9a-f]{64}$/)]);
    }
    expect(pidsOf(facts).every(isAlive)).toBe(true);
    expect((await stat(join(first.home, 'dev.json'))).mode & 0o777).toBe(0o600);
  });

  it('signs both demo users in', async () => {
    const { tokens, urls, users } = await first.facts();
    for (const [at, name] of ['session', 'session2'].entries()) {
      const headers = { authorization: `Bearer ${tokens[name]}` };
      const answer = await fetch(`${urls['api']}/v1/me`, { headers });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(users[at]?.handle ?? '?')]);
    }
  });

  it('prints commands for a first run that work, and its receiver gets the webhook of that run', async () => {
    const [commands] = /^ {2}TOKEN=[^]*?(?=^ {2}export)/m.exec(first.text) ?? [];
    const { stdout } = await promisify(execFile)('sh', ['-c', String(commands)]);
    const { data } = JSON.parse(stdout) as { data: { runId: string } };
    expect(data).toMatchObject({ runId: expect.any(String), status: 'queued' });
    const isDelivered = (each: string): boolean => each.includes('signature ok') && each.includes(data.runId);
    await until(async () => (await first.log()).split('\n').some(isDelivered), { what: 'the webhook' });
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
      { what: 'another worker' },
    );
    expect(first.text).toMatch(/run-worker\.\d died and is started again/);
  });

  it('refuses a second platform in the same folder', async () => {
    const again = start(first.home, base);
    await again.ended;
    expect(again.process.exitCode).toBe(1);
    expect(again.text.trimEnd().split('\n').at(-1)).toContain(`(process ${first.process.pid}) is already running in`);
  });

  it('stops all processes on SIGTERM and has the same data and tokens after the next start', async () => {
    const before = await first.facts();
    expect(await first.stop()).toBe(0);
    expect(pidsOf(before).filter(isAlive)).toEqual([]);
    await expect(first.facts()).rejects.toThrow('ENOENT');

    first = start(first.home, base);
    const after = await first.ready();
    expect(lasting(after)).toEqual(lasting(before));
    expect(after.lensId).toBe(before.lensId);
  });

  it('leaves no processes when it is killed, and starts again', async () => {
    const before = await first.facts();
    first.process.kill('SIGKILL');
    await first.ended;
    first = start(first.home, base, oneProcess);
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

  it('starts in the background with --detach, says so with --status, and stops with --stop', async () => {
    const command = async (option: string): Promise<[code: number | null, text: string]> => {
      const called = start(first.home, base, oneProcess, { args: [option] });
      await called.ended;
      return [called.process.exitCode, called.text];
    };
    expect(await command('--detach')).toEqual([1, expect.stringContaining(`is already running in ${first.home}`)]);
    expect(await command('--stop')).toEqual([0, 'Lensforge is stopped.\n']);
    await first.ended;
    expect(await command('--status')).toEqual([1, expect.stringContaining('No platform is running in')]);
    expect(await command('--detach')).toEqual([0, expect.stringMatching(/Lensforge is ready[^]*in the background/)]);
    const facts = await first.facts();
    const headers = { authorization: `Bearer ${facts.tokens['developer']}` };
    expect((await fetch(`${facts.urls['api']}/v1/me`, { headers })).status).toBe(200);
    expect(await command('--status')).toEqual([0, expect.stringContaining(`API ${facts.urls['api']}`)]);
    expect(await command('--stop')).toEqual([0, 'Lensforge is stopped.\n']);
    expect(pidsOf(facts).filter(isAlive)).toEqual([]);
    expect(await command('--stop')).toEqual([0, expect.stringContaining('No platform is running')]);
  });
});

/** Tokens that stay the same after a restart; session tokens are new each time. */
const lasting = ({ tokens }: { tokens: Readonly<Record<string, string>> }): Record<string, string> =>
  Object.fromEntries(Object.entries(tokens).filter(([name]) => !name.startsWith('session')));
