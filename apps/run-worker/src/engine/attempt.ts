import type { JobContext } from '@lensforge/queue';
import type { ClaimedRun, HeldNode, HeldRun } from '@lensforge/runs';
import type { Used } from './model-request.js';

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

/** The key of an attempt of a run or node. */
export type HeldWork = HeldRun & Partial<Pick<HeldNode, 'nodeKey'>>;

/** A name that is unique for the attempt. */
export const toAttemptName = ({ runId, nodeKey = '', attempt }: HeldWork): string => `${runId} ${nodeKey} ${attempt}`;

export interface Lease {
  /** Monotonic. */
  now: () => number;
  /** The lease began after this time. */
  from: number;
  ms: number;
}

/** An attempt of a run or node that this process holds by a lease. */
export class Attempt<H extends HeldWork = HeldWork> {
  readonly name: string;
  /** By the clock of this process. */
  readonly deadline: number = Number.POSITIVE_INFINITY;
  /** The lease began, or was extended, after this time. */
  leaseFrom: number;
  /** True while its end is being written; from then on `stop` has no effect. */
  ending = false;
  private readonly controller = new AbortController();
  private stopped: Promise<never> | undefined;
  private rejectStopped: (reason: Stopped) => void = () => undefined;

  constructor(
    readonly held: H,
    private readonly lease: Lease,
  ) {
    this.name = toAttemptName(held);
    this.leaseFrom = lease.from;
  }

  get runId(): string {
    return this.held.runId;
  }

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
    if (this.lease.now() - this.leaseFrom <= this.lease.ms - marginMs) return;
    this.stop('lost');
    throw new Stopped('lost');
  }
}

export type NodeAttempt = Attempt<HeldNode>;

export class RunAttempt extends Attempt {
  /** The sequence number of the last event that this attempt has stored. */
  sequence: number;
  override readonly deadline: number;
  /** The number of this attempt among those that made no progress. */
  fruitless: number;
  /** The use so far; absent before the first text. */
  used: (() => Promise<Used>) | undefined;

  constructor(
    readonly run: ClaimedRun,
    lease: Lease,
    /** Absent in a process for one run. */
    readonly place?: Pick<JobContext, 'mayContinue' | 'continueWith'>,
  ) {
    super({ runId: run.id, attempt: run.attempt }, lease);
    this.sequence = run.sequence;
    this.fruitless = run.attempt;
    this.deadline = lease.now() + run.msToDeadline;
  }
}
