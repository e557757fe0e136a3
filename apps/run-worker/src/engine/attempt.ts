import type { ClaimedRun } from '@lensforge/runs';

/** lost: the run belongs to another attempt, so this one must write nothing. released: the process is stopping. */
export type StopCause = 'lost' | 'canceled' | 'timed_out' | 'released';

/** Rejects the work of an attempt that was stopped. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor(readonly stopCause: StopCause) {
    super(`the attempt was stopped: ${stopCause}`);
  }
}

/** The time that a lease must have left before a side effect outside of PostgreSQL. */
const marginMs = 500;

/** A run or node that this process holds by a lease. */
export abstract class LeasedWork {
  abstract readonly runId: string;
  /** Unique for the attempt. */
  abstract readonly name: string;
  /** By the clock of this process. */
  readonly deadline: number = Number.POSITIVE_INFINITY;
  /** True while its end is being written; from then on `stop` has no effect. */
  ending = false;
  private readonly controller = new AbortController();
  private stopped: Promise<never> | undefined;
  private rejectStopped: (reason: Stopped) => void = () => undefined;

  constructor(
    private readonly now: () => number,
    /** The lease began, or was extended, after this time. */
    public leaseFrom: number,
    private readonly leaseMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(cause: StopCause): void {
    if (this.ending || this.signal.aborted) return;
    const reason = new Stopped(cause);
    this.controller.abort(reason);
    this.rejectStopped(reason);
  }

  /** Resolves with the work, or rejects with Stopped as soon as the attempt is stopped, even if the work ignores the signal. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    this.stopped ??= new Promise<never>((_, reject) => {
      this.rejectStopped = reject;
      if (this.signal.aborted) reject(this.signal.reason as Stopped);
    });
    this.stopped.catch(() => undefined);
    return Promise.race([work, this.stopped]);
  }

  /**
   * Throws when the lease has expired by the clock of this process; call it before every side effect outside of PostgreSQL.
   * A process that was frozen continues with its variables intact, although its lease is over.
   */
  throwIfStale(): void {
    this.signal.throwIfAborted();
    if (this.now() - this.leaseFrom <= this.leaseMs - marginMs) return;
    this.stop('lost');
    throw new Stopped('lost');
  }
}

export class Attempt extends LeasedWork {
  /** The sequence number of the last event that this attempt has stored. */
  sequence: number;
  readonly runId: string;
  readonly name: string;
  override readonly deadline: number;

  constructor(
    readonly run: ClaimedRun,
    ...lease: ConstructorParameters<typeof LeasedWork>
  ) {
    super(...lease);
    const [now] = lease;
    this.runId = run.id;
    this.name = `${run.id} ${run.attempt}`;
    this.sequence = run.started.sequence;
    this.deadline = now() + run.msToDeadline;
  }
}
