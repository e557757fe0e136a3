import type { RunEvent } from '@lensforge/contracts';
import { cancelChannel, runChannel } from '@lensforge/contracts';
import { batchCalls } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import type { Publisher, OutboxPublisher } from '@lensforge/queue';
import type { AcceptedRun } from '@lensforge/runs';

type Waits = NonNullable<AcceptedRun['waits']>;

/** Publishes jobs and events after a commit, without waiting. Lost ones are found again in PostgreSQL. */
export class RunChangesPublisher {
  private readonly admit: (waits: Waits) => Promise<undefined>;

  constructor(
    private readonly outboxPublisher: OutboxPublisher,
    private readonly publisher: Publisher,
    /** Admits waiting runs to the queue while their accounts have free slots. */
    admitWaiting: (waits: readonly Waits[]) => Promise<readonly OutboxRow[]>,
  ) {
    this.admit = batchCalls(
      async (waits: Waits[]) => {
        void this.outboxPublisher.handOver(await admitWaiting(waits));
        return waits.map(() => undefined);
      },
      { most: 1000, atOnce: 1 },
    );
  }

  /** Publishes the job and events of an accepted run, and those of runs that it cancels. */
  publishAccepted({ handOver, waits, others }: AcceptedRun): void {
    if (handOver) this.enqueue(handOver);
    if (waits) this.admitInBackground(waits);
    if (!others) return;
    this.publishEvents(others.events);
    for (const runId of others.runsToStop) this.requestStop(runId);
  }

  /** Admits a waiting run of an account after another one has ended. */
  admitNext(accountId: string): void {
    this.admitInBackground({ accountId, concurrencyKey: null });
  }

  enqueue(row: OutboxRow): void {
    void this.outboxPublisher.handOver([row]);
  }

  publishEvents(events: readonly RunEvent[]): void {
    for (const event of events) this.publisher.publish(runChannel(event.runId), JSON.stringify(event));
  }

  requestStop(runId: string): void {
    this.publisher.publish(cancelChannel, runId);
  }

  /** Ignores errors: a worker admits the run within a second. */
  private admitInBackground(waits: Waits): void {
    this.admit(waits).catch(() => undefined);
  }
}
