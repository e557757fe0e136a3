import { withDbRetry } from '@lensforge/database';
import type { InHand } from './attempt.js';
import type { Timing } from './timing.js';

export interface Pulse {
  /** Of the attempt. */
  name: string;
  cancelRequested?: boolean;
}

export interface Beat extends Pulse {
  /** False when the row was being written at that moment; the lease stays as it was until the next beat. */
  extended: boolean;
}

/** The rows that leases stand in. Attempts that are missing in an answer are no longer this process's own. */
export interface LeaseRows<A> {
  extend: (attempts: readonly A[], leaseMs: number) => Promise<Beat[]>;
  look: (attempts: readonly A[]) => Promise<Pulse[]>;
}

export interface LeaseOptions {
  leaseMs: number;
  heartbeatMs: number;
  timing: Timing;
  onFault: (reason: unknown) => void;
}

const tickMs = 200;
const pulseMs = 1000;

/**
 * Keeps the leases of all attempts of this process with one statement, looks every second whether any of them shall
 * stop, and stops those whose deadline has passed. An attempt that Postgres no longer knows is stopped at once.
 */
export class Leases<A extends InHand> {
  private readonly held = new Map<string, A>();
  private timer: unknown;
  private beatAt = 0;
  private pulseAt = 0;

  constructor(
    private readonly rows: LeaseRows<A>,
    private readonly options: LeaseOptions,
  ) {}

  get inHand(): readonly A[] {
    return [...this.held.values()];
  }

  get size(): number {
    return this.held.size;
  }

  hold(attempt: A): void {
    this.held.set(attempt.name, attempt);
    this.arm();
  }

  drop(attempt: A): void {
    if (this.held.get(attempt.name) === attempt) this.held.delete(attempt.name);
  }

  /** Somebody says that a run shall stop; Postgres says whether that is so. */
  look(runId: string): void {
    this.attend(
      this.inHand.filter((attempt) => attempt.runId === runId),
      (attempts) => withDbRetry(() => this.rows.look(attempts)),
    );
  }

  lookAtAll(): void {
    this.attend(this.inHand, this.rows.look);
  }

  private arm(): void {
    if (this.timer || this.held.size === 0) return;
    this.timer = this.options.timing.after(tickMs, () => {
      this.timer = undefined;
      this.tick();
      this.arm();
    });
  }

  private tick(): void {
    const { timing, heartbeatMs } = this.options;
    const now = timing.now();
    for (const attempt of this.held.values()) if (now >= attempt.deadline) attempt.stop('timed_out');
    if (now - this.beatAt >= heartbeatMs) {
      this.beatAt = this.pulseAt = now;
      this.beat(now);
    } else if (now - this.pulseAt >= pulseMs) {
      this.pulseAt = now;
      this.attend(this.olderThan(pulseMs, now), this.rows.look);
    }
  }

  private beat(now: number): void {
    const { leaseMs, heartbeatMs } = this.options;
    this.attend(this.olderThan(heartbeatMs / 2, now), async (attempts) => {
      const beats = await this.rows.extend(attempts, leaseMs);
      for (const { name, extended } of beats) {
        const known = this.held.get(name);
        if (extended && known) known.leaseFrom = Math.max(known.leaseFrom, now);
      }
      return beats;
    });
  }

  /** What was just claimed, or has just had a beat, needs none. */
  private olderThan(ms: number, now: number): A[] {
    return this.inHand.filter(({ leaseFrom }) => now - leaseFrom >= ms);
  }

  /** Each look stands for itself: one that hangs on a dead connection keeps no other waiting. */
  private attend(attempts: readonly A[], ask: (attempts: readonly A[]) => Promise<Pulse[]>): void {
    if (attempts.length === 0) return;
    ask(attempts).then((pulses) => {
      const answered = new Map(pulses.map((pulse) => [pulse.name, pulse]));
      for (const attempt of attempts) {
        const pulse = answered.get(attempt.name);
        if (!pulse) attempt.stop('lost');
        else if (pulse.cancelRequested) attempt.stop('canceled');
      }
    }, this.options.onFault);
  }
}
