import type { QueueName } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import type { Job as BullJob } from 'bullmq';
import type { JobContext } from './handles.js';
import type { StoredJob } from './producer.js';

/** A running job. Most handlers never use the signal, so it is created on first use. */
export class RunningJob implements JobContext {
  readonly id: string;
  readonly name: string;
  readonly requestId: string;
  readonly addedAt: Date;
  /** Milliseconds since the epoch; later than `addedAt` for a delayed job. */
  readonly dueAt: number;
  traceparent: string | undefined;
  private controller: AbortController | undefined;
  private aborted: Error | undefined;

  constructor(
    readonly queue: QueueName,
    { id, name, timestamp, opts, data }: BullJob<Partial<StoredJob>>,
  ) {
    this.id = id ?? '';
    this.name = name;
    this.requestId = data.requestId ?? newId();
    this.traceparent = data.traceparent;
    this.addedAt = new Date(timestamp);
    this.dueAt = timestamp + (opts.delay ?? 0);
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted) this.controller.abort(this.aborted);
    return this.controller.signal;
  }

  abort(reason: Error): void {
    this.aborted = reason;
    this.controller?.abort(reason);
  }
}
