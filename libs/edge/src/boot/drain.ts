import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../observability/logging.js';

type Hook = () => unknown;

/** How a process stops: drain hooks at once and side by side, then exit hooks one by one, last registered first. */
export class Drain {
  private readonly hooks: { name: string; hook: Hook }[] = [];
  private readonly lastHooks: { name: string; hook: Hook }[] = [];
  private readonly started = new AbortController();
  private outcome: Promise<boolean> | undefined;

  constructor(private readonly logger: Logger) {}

  /** Aborted when the process begins to stop. */
  get signal(): AbortSignal {
    return this.started.signal;
  }

  get draining(): boolean {
    return this.started.signal.aborted;
  }

  /** Ends work in hand: event streams say goodbye, workers finish what they hold, servers let requests end. */
  onDrain(name: string, hook: Hook): void {
    this.hooks.push({ name, hook });
  }

  /** Gives back what work stood on (pools, connections, traces), when all drain hooks are done or time is up. */
  onExit(name: string, hook: Hook): void {
    this.lastHooks.push({ name, hook });
  }

  /**
   * True when all ended by itself within the time. For the first `leaveMs` the process only says that it is leaving, and
   * still does everything: balancers have to notice before they can send callers elsewhere.
   */
  run(withinMs: number, leaveMs = 0): Promise<boolean> {
    this.outcome ??= this.stop(withinMs, leaveMs);
    return this.outcome;
  }

  private async stop(withinMs: number, leaveMs: number): Promise<boolean> {
    this.started.abort();
    if (leaveMs > 0) await pause(leaveMs);
    const until = performance.now() + withinMs;
    const reserve = Math.min(2000, withinMs / 4);
    const drained = await this.within(
      withinMs - reserve,
      this.hooks.map(({ name, hook }) => this.call(name, hook)),
    );
    let left = true;
    for (const { name, hook } of [...this.lastHooks].reverse()) {
      left = (await this.within(Math.max(until - performance.now(), 100), [this.call(name, hook)], name)) && left;
    }
    return drained && left;
  }

  private async within(ms: number, work: Promise<boolean>[], name = 'draining'): Promise<boolean> {
    const timer = new AbortController();
    const late = pause(ms, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    const ended = await Promise.race([Promise.all(work), late]);
    timer.abort();
    if (ended !== 'late') return !ended.includes(false);
    this.logger.warn({ name, ms: Math.round(ms) }, 'did not end in time and is cut off');
    return false;
  }

  private async call(name: string, hook: Hook): Promise<boolean> {
    try {
      await hook();
      return true;
    } catch (err) {
      this.logger.error({ err, name }, 'failed while stopping');
      return false;
    }
  }
}
