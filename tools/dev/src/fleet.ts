import type { StartupError } from './startup-error.js';
import { type Start, Supervised } from './supervise.js';
import type { Log } from './log.js';

/** Process ids by name: one for a server, one for each replica of a service. */
export type Pids = Record<string, number | number[]>;

export const servers = ['postgres', 'redis'];
const isServer = (name: string): boolean => servers.includes(name);

/** Every process of a platform. */
export class Fleet {
  private readonly members = new Map<string, Supervised[]>();
  private closed = false;
  private tellGivenUp: (fault: StartupError) => void = () => undefined;

  /** Settles when a process cannot be kept running. */
  readonly givenUp = new Promise<StartupError>((resolve) => {
    this.tellGivenUp = resolve;
  });

  onChange: () => void = () => undefined;

  constructor(private readonly log: Log) {}

  /** Starts another process and resolves when it is ready. */
  async add(name: string, instance: string, tries: number, start: Start): Promise<void> {
    if (this.closed) throw new Error('the platform is stopping');
    const kept = new Supervised({
      name: instance,
      start,
      tries,
      log: this.log,
      changed: () => this.onChange(),
      givenUp: (fault) => this.tellGivenUp(fault),
    });
    this.members.set(name, [...(this.members.get(name) ?? []), kept]);
    await kept.begin();
  }

  one(name: string, index = 0): Supervised {
    const kept = this.members.get(name)?.[index];
    if (kept) return kept;
    throw new Error(`there is no ${name} ${index} in this platform (it has ${[...this.members.keys()].join(', ')})`);
  }

  get pids(): Pids {
    const pids: Pids = {};
    for (const [name, all] of this.members) {
      const alive = all.flatMap(({ pid }) => pid ?? []);
      const [first] = alive;
      if (!isServer(name)) pids[name] = alive;
      else if (first !== undefined) pids[name] = first;
    }
    return pids;
  }

  /** Stops services first, so that they can store finished work. */
  async close(): Promise<void> {
    this.closed = true;
    const names = [...this.members.keys()];
    await this.stop(names.filter((name) => !isServer(name)));
    await this.stop(names.filter(isServer));
  }

  private async stop(names: readonly string[]): Promise<void> {
    const kept = names.flatMap((name) => this.members.get(name) ?? []);
    await Promise.all(kept.map((one) => one.stop()));
  }
}
