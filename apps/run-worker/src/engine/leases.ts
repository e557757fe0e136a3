import { withDbRetry } from '@lensforge/database';
import { type Attempt, type HeldWork, toAttemptName } from './attempt.js';
import type { Timing } from './timing.js';

type AttemptState = HeldWork & { cancelRequested?: boolean };

/** `extended` is false when another transaction held the row; the lease stays as it was until the next heartbeat. */
type LeaseExtension = AttemptState & { extended: boolean };

/** Access to the rows of leases. An attempt that is missing in a result no longer belongs to this process. */
export interface LeaseRows<A extends Attempt> {
  extend: (held: readonly A['held'][], leaseMs: number) => Promise<readonly LeaseExtension[]>;
  readStates: (held: readonly A['held'][]) => Promise<readonly AttemptState[]>;
}

export interface LeaseOptions {
  leaseMs: number;
  heartbeatMs: number;
  timing: Timing;
  onError: (reason: unknown) => void;
}

const tickMs = 200;
const checkMs = 1000;

/**
 * Extends the leases of all attempts of this process with one statement, checks every second for cancellations, and stops
 * attempts whose deadline has passed. It stops an attempt at once when PostgreSQL no longer knows it.
 */
export class Leases<A extends Attempt> {
  private readonly held = new Map<string, A>();
  private timer: unknown;
  private releasing = false;
  private extendedAt = 0;
  private checkedAt = 0;

  constructor(
    private readonly rows: LeaseRows<A>,
    private readonly options: LeaseOptions,
  ) {}

  get attempts(): readonly A[] {
    return [...this.held.values()];
  }

  get size(): number {
    return this.held.size;
  }

  hold(attempt: A): void {
    this.held.set(attempt.name, attempt);
    this.arm();
    if (this.releasing) attempt.stop('released');
  }

  drop(attempt: A): void {
    if (this.held.get(attempt.name) === attempt) this.held.delete(attempt.name);
  }

  /** Stops all attempts, and later ones at once, because the process is stopping. */
  release(): void {
    this.releasing = true;
    for (const attempt of this.held.values()) attempt.stop('released');
  }

  /** Reads from PostgreSQL whether the attempts of a run must stop. */
  check(runId: string): void {
    this.apply(
      this.attempts.filter((attempt) => attempt.runId === runId),
      (held) => withDbRetry(() => this.rows.readStates(held)),
    );
  }

  checkAll(): void {
    this.apply(this.attempts, this.rows.readStates);
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
    if (now - this.extendedAt >= heartbeatMs) {
      this.extendedAt = this.checkedAt = now;
      this.extendAll(now);
    } else if (now - this.checkedAt >= checkMs) {
      this.checkedAt = now;
      this.apply(this.olderThan(checkMs, now), this.rows.readStates);
    }
  }

  private extendAll(now: number): void {
    const { leaseMs, heartbeatMs } = this.options;
    this.apply(this.olderThan(heartbeatMs / 2, now), async (held) => {
      const extensions = await this.rows.extend(held, leaseMs);
      for (const extension of extensions) {
        const known = this.held.get(toAttemptName(extension));
        if (extension.extended && known) known.leaseFrom = Math.max(known.leaseFrom, now);
      }
      return extensions;
    });
  }

  /** Attempts whose lease began or was extended at least this long ago. */
  private olderThan(ms: number, now: number): A[] {
    return this.attempts.filter(({ leaseFrom }) => now - leaseFrom >= ms);
  }

  /** Calls are independent: one that hangs on a dead connection does not delay the next. */
  private apply(attempts: readonly A[], read: LeaseRows<A>['readStates']): void {
    if (attempts.length === 0) return;
    read(attempts.map(({ held }) => held)).then((states) => {
      const byName = new Map(states.map((state) => [toAttemptName(state), state]));
      for (const attempt of attempts) {
        const state = byName.get(attempt.name);
        if (!state) attempt.stop('lost');
        else if (state.cancelRequested) attempt.stop('canceled');
      }
    }, this.options.onError);
  }
}
