import type { QueueName } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import type { JobContext, NextWork } from './handles.js';
import type { Trace } from './producer.js';

/** A job of Redis or of this process. */
export interface TakenJob extends Trace {
  id: string;
  name: string;
  /** Milliseconds since the epoch, like `dueAt`. */
  timestamp: number;
  dueAt: number;
}

/** A running job. Most handlers never use the signal, so it is created on first use. */
export class RunningJob implements JobContext {
  readonly id: string;
  readonly name: string;
  readonly requestId: string;
  readonly addedAt: Date;
  /** Milliseconds since the epoch; later than `addedAt` for a delayed job. */
  readonly dueAt: number;
  traceparent: string | undefined;
  /** Follows in the same place. */
  next: NextWork | undefined;
  private controller: AbortController | undefined;
  private aborted: Error | undefined;

  constructor(
    readonly queue: QueueName,
    { id, name, requestId, traceparent, timestamp, dueAt }: TakenJob,
    readonly mayContinue: () => Promise<boolean>,
  ) {
    this.id = id;
    this.name = name;
    this.requestId = requestId ?? newId();
    this.traceparent = traceparent ?? undefined;
    this.addedAt = new Date(timestamp);
    this.dueAt = dueAt;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted) this.controller.abort(this.aborted);
    return this.controller.signal;
  }

  continueWith(next: NextWork): void {
    this.next = next;
  }

  abort(reason: Error): void {
    this.aborted = reason;
    this.controller?.abort(reason);
  }
}
