import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../observability/logging.js';

type Hook = () => unknown;

/** Stops a process: runs drain hooks concurrently, then exit hooks one by one, the last registered first. */
export class Drain {
  private readonly drainHooks: { name: string; hook: Hook }[] = [];
  private readonly exitHooks: { name: string; hook: Hook }[] = [];
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

  /** Registers a hook that ends work in progress: streams, jobs and open requests. */
  onDrain(name: string, hook: Hook): void {
    this.drainHooks.push({ name, hook });
  }

  /** Registers a hook that closes resources, such as pools and connections, after the drain hooks have ended or timed out. */
  onExit(name: string, hook: Hook): void {
    this.exitHooks.push({ name, hook });
  }

  /**
   * Resolves with true when all hooks ended in time. For the first `leaveMs` the process serves as before while /ready
   * says 503, so that load balancers stop sending requests.
   */
  run(timeoutMs: number, leaveMs = 0): Promise<boolean> {
    this.outcome ??= this.stop(timeoutMs, leaveMs);
    return this.outcome;
  }

  private async stop(timeoutMs: number, leaveMs: number): Promise<boolean> {
    this.started.abort();
    if (leaveMs > 0) await pause(leaveMs);
    const deadline = performance.now() + timeoutMs;
    const reserve = Math.min(2000, timeoutMs / 4);
    const drained = await this.endsWithin(
      timeoutMs - reserve,
      this.drainHooks.map(({ name, hook }) => this.call(name, hook)),
    );
    let exited = true;
    for (const { name, hook } of [...this.exitHooks].reverse()) {
      exited =
        (await this.endsWithin(Math.max(deadline - performance.now(), 100), [this.call(name, hook)], name)) && exited;
    }
    return drained && exited;
  }

  private async endsWithin(ms: number, work: Promise<boolean>[], name = 'draining'): Promise<boolean> {
    const timer = new AbortController();
    const late = pause(ms, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    const ended = await Promise.race([Promise.all(work), late]);
    timer.abort();
    if (ended !== 'late') return !ended.includes(false);
    this.logger.warn({ name, ms: Math.round(ms) }, 'the hook did not end in time and was abandoned');
    return false;
  }

  private async call(name: string, hook: Hook): Promise<boolean> {
    try {
      await hook();
      return true;
    } catch (err) {
      this.logger.error({ err, name }, 'the hook failed');
      return false;
    }
  }
}
