import { type Child, startChild } from './child-program.js';
import { freePort, waitUntilReady } from './ports.js';

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
    await waitUntilReady(port, `the baseline's ${name}`, () => child.process.exitCode === null);
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
