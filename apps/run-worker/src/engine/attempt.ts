import type { ClaimedRun } from '@lensforge/runs';

/** lost: the run is no longer this attempt's, so nothing more may be touched. released: the process is stopping. */
export type StopCause = 'lost' | 'canceled' | 'timed_out' | 'released';

/** Thrown into the work of an attempt that shall not go on. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor(readonly why: StopCause) {
    super(`the attempt was stopped: ${why}`);
  }
}

/** Time that a lease must have left for anything to be done outside. */
const marginMs = 500;

/** What this process has in its hands from claim to end, by a lease: a run, or a node of one. */
export abstract class InHand {
  abstract readonly runId: string;
  /** Of this attempt and no other. */
  abstract readonly name: string;
  /** By the clock of this process. */
  readonly deadline: number = Number.POSITIVE_INFINITY;
  /** From here on nothing stops it any more: its end is on the way to Postgres. */
  ending = false;
  private readonly controller = new AbortController();
  private stopped: Promise<never> | undefined;
  private giveUp: (reason: Stopped) => void = () => undefined;

  constructor(
    private readonly now: () => number,
    /** The latest moment at which the lease was certainly not yet begun or extended. */
    public leaseFrom: number,
    private readonly leaseMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(why: StopCause): void {
    if (this.ending || this.signal.aborted) return;
    const reason = new Stopped(why);
    this.controller.abort(reason);
    this.giveUp(reason);
  }

  /** The outcome of the work, or Stopped as soon as the attempt is, whether the work listens to the signal or not. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    this.stopped ??= new Promise<never>((_, reject) => {
      this.giveUp = reject;
      if (this.signal.aborted) reject(this.signal.reason as Stopped);
    });
    this.stopped.catch(() => undefined);
    return Promise.race([work, this.stopped]);
  }

  /**
   * To be called before everything that is done outside of Postgres. A process that was frozen wakes up with all its
   * variables intact and its lease long over; its own clock tells it so before anybody else can.
   */
  refuseWhenStale(): void {
    this.signal.throwIfAborted();
    if (this.now() - this.leaseFrom <= this.leaseMs - marginMs) return;
    this.stop('lost');
    throw new Stopped('lost');
  }
}

export class Attempt extends InHand {
  /** The sequence number of the last event that this attempt knows to be written. */
  sequence: number;
  readonly runId: string;
  readonly name: string;
  override readonly deadline: number;

  constructor(
    readonly run: ClaimedRun,
    ...kept: ConstructorParameters<typeof InHand>
  ) {
    super(...kept);
    const [now] = kept;
    this.runId = run.id;
    this.name = `${run.id} ${run.attempt}`;
    this.sequence = run.started.sequence;
    this.deadline = now() + run.msToDeadline;
  }
}
