import type { Context } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import type { Held, Pulse } from '@lensforge/runs';
import { extendLeases, readPulses } from '@lensforge/runs';
import type { Attempt } from './attempt.js';
import type { Timing } from './timing.js';

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
export class Leases {
  private readonly held = new Map<string, Attempt>();
  private timer: unknown;
  private beatAt = 0;
  private pulseAt = 0;

  constructor(
    private readonly db: Context['db'],
    private readonly options: LeaseOptions,
  ) {}

  get inHand(): readonly Attempt[] {
    return [...this.held.values()];
  }

  get size(): number {
    return this.held.size;
  }

  hold(attempt: Attempt): void {
    this.held.set(attempt.run.id, attempt);
    this.arm();
  }

  drop(attempt: Attempt): void {
    if (this.held.get(attempt.run.id) === attempt) this.held.delete(attempt.run.id);
  }

  /** Somebody says that a run shall stop; Postgres says whether that is so. */
  look(runId: string): void {
    const attempt = this.held.get(runId);
    if (attempt) this.attend([attempt], (held) => rideOut(() => readPulses(this.db, held)));
  }

  lookAtAll(): void {
    this.attend(this.inHand, (held) => readPulses(this.db, held));
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
      this.attend(this.olderThan(pulseMs, now), (held) => readPulses(this.db, held));
    }
  }

  private beat(now: number): void {
    const { leaseMs, heartbeatMs } = this.options;
    this.attend(this.olderThan(heartbeatMs / 2, now), async (held) => {
      const beats = await extendLeases(this.db, held, leaseMs);
      for (const { runId, attempt, extended } of beats) {
        const known = this.held.get(runId);
        if (extended && known?.run.attempt === attempt) known.leaseFrom = Math.max(known.leaseFrom, now);
      }
      return beats;
    });
  }

  /** A run that was just claimed, or has just had a beat, needs none. */
  private olderThan(ms: number, now: number): Attempt[] {
    return this.inHand.filter(({ leaseFrom }) => now - leaseFrom >= ms);
  }

  /** Each look stands for itself: one that hangs on a dead connection keeps no other waiting. */
  private attend(attempts: readonly Attempt[], ask: (held: Held[]) => Promise<Pulse[]>): void {
    if (attempts.length === 0) return;
    ask(attempts.map(({ run }) => ({ runId: run.id, attempt: run.attempt }))).then((pulses) => {
      const answered = new Map(pulses.map((pulse) => [pulse.runId, pulse]));
      for (const attempt of attempts) {
        const pulse = answered.get(attempt.run.id);
        if (!pulse) attempt.stop('lost');
        else if (pulse.cancelRequested) attempt.stop('canceled');
      }
    }, this.options.onFault);
  }
}
