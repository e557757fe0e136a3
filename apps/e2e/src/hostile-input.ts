import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@lensforge/core';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { seededRandom } from '@lensforge/workflows/testing';
import { type HostileCase, hostileCase } from './hostile-cases.js';
import { type Reply, type TestPlatform, countBy, withConcurrency } from './test-platform.js';

export interface HostileReport {
  requests: number;
  statuses: Record<string, number>;
  /** Refusals without a reason, server errors, and runs that did not end. */
  wrong: string[];
  /** The longest delay of the event loop of each service, in milliseconds. */
  maxDelayMs: Record<string, number>;
  /** The longest delay in an idle process: the part of those delays that the machine causes. */
  idleDelayMs: number;
  /** The peak memory of each service and of the largest sandbox process. */
  maxMemoryMb: Record<string, number>;
  /** Services whose process was replaced during the test. */
  exited: string[];
}

const atOnce = 6;
const lookMs = 2000;
/** Services run a garbage collection shortly after their start. */
const settledMs = 5000;
/** The runs of a case need up to a second of the sandbox, after those of all earlier cases. */
const msPerCase = 1000;

/** Sends `count` cases as a signed-in and as an anonymous caller, and measures the services meanwhile. */
export async function sendHostileInput(setup: TestPlatform, first: number, count: number): Promise<HostileReport> {
  const owner = await aCaller(setup);
  const stranger = await aCaller(setup);
  const anonymous = await anAnonymousToken(setup);
  const before = pidsOf(setup);
  const watch = new ServiceSampler(setup);
  await pause(settledMs);
  await watch.begin();
  const sender = new Sender(setup, { owner, stranger, anonymous });
  await withConcurrency(count, atOnce, (n) => sender.send(first + n, hostileCase(first + n, seededRandom)));
  await setup.allEnded(300_000 + count * msPerCase).catch((reason: unknown) => sender.wrong.push(String(reason)));
  const { delays, idle, memory } = await watch.end();
  const after = pidsOf(setup);
  return {
    requests: sender.statuses.length,
    statuses: countBy(sender.statuses),
    wrong: sender.wrong,
    maxDelayMs: delays,
    idleDelayMs: idle,
    maxMemoryMb: memory,
    exited: Object.keys(before).filter((name) => before[name] !== after[name]),
  };
}

async function aCaller(setup: TestPlatform): Promise<string> {
  const { id: accountId } = await anAccount({ ...setup.ctx, requestId: newId() });
  return (await aToken(setup.ctx, { accountId })).value;
}

async function anAnonymousToken(setup: TestPlatform): Promise<string> {
  const answer = await fetch(`${setup.platform.urlOf('oauth')}/id/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:lensforge:grant-type:anonymous' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const watched = ['api-gateway', 'mcp-gateway', 'oauth', 'run-worker', 'webhook-dispatcher'];

const pidsOf = (setup: TestPlatform): Record<string, string> =>
  Object.fromEntries(watched.map((name) => [name, String(setup.platform.pids[name])]));

class Sender {
  readonly statuses: number[] = [];
  readonly wrong: string[] = [];

  constructor(
    private readonly setup: TestPlatform,
    private readonly tokens: Record<'owner' | 'stranger' | 'anonymous', string>,
  ) {}

  async send(seed: number, each: HostileCase): Promise<void> {
    if (each.graph) await this.graph(seed, each);
    if (each.templates) await this.templates(seed, each);
  }

  private async graph(seed: number, { kind, what, graph, inputs = {} }: HostileCase): Promise<void> {
    const { owner, stranger, anonymous } = this.tokens;
    const title = `${seed}: ${kind} that ${what}`;
    const made = await this.request(title, owner, 'POST /v1/workflows', { title, visibility: 'public', graph });
    const id = idIn(made);
    if (id === undefined) return;
    const path = `/v1/workflows/${id}`;
    await Promise.all([
      this.request(title, stranger, `POST ${path}/dry-run`, { inputs }),
      this.request(title, anonymous, `POST ${path}/dry-run`, { inputs }),
      this.request(title, owner, `POST ${path}/run`, { inputs }),
      this.request(title, anonymous, `GET ${path}/export`),
      this.request(title, anonymous, `GET ${path}/diff?from=1`),
    ]);
  }

  private async templates(seed: number, { kind, what, templates = [], params = {} }: HostileCase): Promise<void> {
    const { owner, stranger, anonymous } = this.tokens;
    const title = `${seed}: ${kind} that ${what}`;
    const [body, ...later] = templates;
    const lens = { title, visibility: 'public', templateBody: body };
    const id = idIn(await this.request(title, owner, 'POST /v1/lenses', lens));
    if (id === undefined) return;
    await this.request(title, owner, `POST /v1/lenses/${id}/publish`, {});
    for (const templateBody of later) await this.request(title, owner, `PATCH /v1/lenses/${id}`, { templateBody });
    await Promise.all([
      ...Array.from({ length: 4 }, () => this.request(title, anonymous, `GET /v1/lenses/${id}/diff?from=1.0.0`)),
      this.request(title, anonymous, `GET /v1/lenses/${id}/export`),
      this.request(title, stranger, `POST /v1/lenses/${id}/execute`, { params }),
      this.request(title, anonymous, `GET /v1/lenses?q=${encodeURIComponent(String(body).slice(0, 200))}`),
    ]);
  }

  private async request(title: string, token: string, endpoint: string, body?: object): Promise<Reply> {
    const [method = '', path = ''] = endpoint.split(' ');
    const reply = await this.setup
      .call(method, path, { token, patience: 60_000, ...(body && { body: body as Record<string, unknown> }) })
      .catch((reason: unknown): Reply => ({
        status: 0,
        ms: 0,
        headers: new Headers(),
        body: { error: { code: 'none', message: String(reason) } },
      }));
    const { status, body: answer } = reply;
    this.statuses.push(status);
    const message = answer.error?.message ?? '';
    const isTooMuch = (status === 429 || status === 503) && reply.headers.has('retry-after');
    const isClear = (status >= 200 && status < 300) || ((status < 500 || isTooMuch) && message.length > 10);
    if (!isClear) this.wrong.push(`${title}: ${endpoint} → ${status} ${message}`);
    return reply;
  }
}

const idIn = ({ status, body }: Reply): string | undefined => {
  const id = body.data?.['id'];
  return status === 201 && typeof id === 'string' ? id : undefined;
};

/** Samples the event loop delays and the memory of the services. */
class ServiceSampler {
  private readonly delays: Record<string, number> = {};
  private readonly memory: Record<string, number> = {};
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private idle: IdleProcess | undefined;

  constructor(private readonly setup: TestPlatform) {}

  /** Resets the delays from before. */
  async begin(): Promise<void> {
    await this.look();
    for (const name of Object.keys(this.delays)) this.delays[name] = 0;
    this.idle = new IdleProcess();
    this.timer = setInterval(() => {
      this.looking = this.looking.then(() => this.look());
    }, lookMs);
  }

  async end(): Promise<{ delays: Record<string, number>; idle: number; memory: Record<string, number> }> {
    clearInterval(this.timer);
    await this.looking;
    await this.look();
    return { delays: this.delays, idle: (await this.idle?.end()) ?? 0, memory: this.memory };
  }

  private async look(): Promise<void> {
    await Promise.all(watched.map((name) => this.lookAt(name).catch(() => undefined)));
  }

  private async lookAt(name: string): Promise<void> {
    const text = await (await fetch(`${this.setup.platform.urlOf(name)}/metrics`)).text();
    const [, seconds] = /^nodejs_eventloop_lag_max_seconds\S* (\S+)/m.exec(text) ?? [];
    this.note(this.delays, name, Math.round(Number(seconds) * 1000));
    for (const pid of [this.setup.platform.pids[name] ?? []].flat()) {
      this.note(this.memory, name, await memoryOf(pid, 'VmHWM'));
      for (const child of await childrenOf(pid)) this.note(this.memory, 'sandbox', await memoryOf(child, 'VmHWM'));
    }
  }

  private note(figures: Record<string, number>, name: string, value: number): void {
    if (value > (figures[name] ?? 0)) figures[name] = value;
  }
}

/** A process that only measures the delay of its own event loop. */
class IdleProcess {
  private readonly child = spawn(
    process.execPath,
    [
      '--eval',
      `const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 });
       setTimeout(() => delay.enable(), 1000);
       process.stdin.on('end', () => process.stdout.write(String(delay.max / 1e6))).resume();`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );

  /** Its longest delay in milliseconds. */
  async end(): Promise<number> {
    this.child.stdin.end();
    const output = await this.child.stdout.toArray();
    return Math.round(Number(Buffer.concat(output)));
  }
}

async function memoryOf(pid: number, line: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kb] = new RegExp(`${line}:\\s+(\\d+)`).exec(text) ?? [];
  return Math.round(Number(kb ?? 0) / 1024);
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
