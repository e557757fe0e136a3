import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startChild } from './child-program.js';

export type BaselineName =
  | 'api'
  | `${'worker' | 'jobs'}${'' | `-${number}`}`
  | 'endpoints'
  | 'battles'
  | 'bare-tools'
  | 'sdk-tools'
  | 'receiver'
  | 'receiver-2'
  | 'sender';

export const baselineWorker = (at: number): BaselineName => (at === 0 ? 'worker' : `worker-${at + 1}`);
export const baselineJobber = (at: number): BaselineName => (at === 0 ? 'jobs' : `jobs-${at + 1}`);

const patienceMs = 20_000;
const beatMs = 30;

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const call = get({ host: '127.0.0.1', port, path: '/ready', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    call.on('error', () => resolve(false));
  });

/** The baseline programs, started and stopped on demand. */
export class BaselinePrograms {
  private readonly running = new Map<BaselineName, Child>();
  private readonly ports = new Map<BaselineName, number>();

  constructor(private readonly environment: Readonly<Record<string, string>>) {}

  async start(name: BaselineName): Promise<void> {
    if (this.running.has(name)) return;
    const port = this.ports.get(name) ?? (await freePort());
    this.ports.set(name, port);
    const child = startChild(`baseline/${name.replace(/-\d+$/, '')}.js`, { ...this.environment, PORT: `${port}` });
    this.running.set(name, child);
    const until = performance.now() + patienceMs;
    while (!(await isReady(port))) {
      if (child.process.exitCode !== null || performance.now() > until)
        throw new Error(`the baseline's ${name} did not start`);
      await pause(beatMs);
    }
  }

  async stop(name: BaselineName): Promise<void> {
    const child = this.running.get(name);
    this.running.delete(name);
    await child?.stop();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.running.keys()].map((name) => this.stop(name)));
  }

  get port(): number {
    return this.portOf('api');
  }

  portOf(name: BaselineName): number {
    return this.ports.get(name) ?? 0;
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.running].map(([name, { pid }]) => [`baseline ${name}`, pid]));
  }

  pidOf(name: BaselineName): number {
    const child = this.running.get(name);
    if (!child) throw new Error(`the baseline's ${name} is not running`);
    return child.pid;
  }
}
