import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFree, reserve } from '@lensforge/embedded';
import { until } from '@lensforge/testing';

const program = join(import.meta.dirname, '..', '..', '..', 'tools', 'start.mjs');
export const within = 120_000;

export interface DevFile {
  ready: boolean;
  pids: Record<string, number | number[]>;
  urls: Record<string, string>;
  users: { email: string; password: string; handle: string; lenserId: string }[];
  tokens: Record<string, string>;
  lensId: string;
  workflowId: string;
}

export interface StartOptions {
  args?: readonly string[];
  /** The text that is typed when it asks. */
  input?: string;
}

/** Below the ports of `freePort`; the default ports of a platform and of known servers are not among them. */
const portBases = [1100, 1700, 2300, 2900, 4700, 6500, 7100, 7700, 8300, 8900, 9500];
/** The ports of a platform, counted from its base, without replicas; a base is reserved by the last one. */
const offsets = [0, 1, 100, 200, 300, 301, 400, 500, 532, 579];
const lockOffset = 599;

export interface PortBase {
  base: number;
  release(): Promise<void>;
}

/** A base for the ports of a platform that no other test has until it is released. */
export async function reservePortBase(): Promise<PortBase> {
  for (const base of portBases) {
    const reserved = await reserve(base + lockOffset);
    if (!reserved) continue;
    const free = await Promise.all(offsets.map((offset) => isFree(base + offset)));
    if (!free.includes(false)) return { base, ...reserved };
    await reserved.release();
  }
  throw new Error('all bases of ports are in use');
}

/** `npm start` in a folder of its own. */
export class StartCommand {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  text = '';

  constructor(
    readonly home: string,
    portBase: number,
    environment: NodeJS.ProcessEnv,
    { args = [], input }: StartOptions = {},
  ) {
    this.process = spawn(process.execPath, [program, ...args], {
      env: {
        ...environment,
        DATABASE_URL: '',
        REDIS_URL: '',
        LENSFORGE_HOME: home,
        LENSFORGE_PORT_BASE: `${portBase}`,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.process.stdin?.end(input);
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    }
    this.ended = once(this.process, 'exit');
  }

  log(): Promise<string> {
    return readFile(join(this.home, 'lensforge.log'), 'utf8');
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
