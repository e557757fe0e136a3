import type { RunEvent } from '@lensforge/contracts';
import { cancelChannel, runChannel } from '@lensforge/contracts';
import { batchCalls } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import type { Publisher, OutboxPublisher } from '@lensforge/queue';
import type { AcceptedRun } from '@lensforge/runs';

type Waits = NonNullable<AcceptedRun['waits']>;

/** What leaves the gateway after a commit. Nothing here is waited for: what gets lost is found again in Postgres. */
export class RunChangesPublisher {
  private readonly admit: (waits: Waits) => Promise<undefined>;

  constructor(
    private readonly relay: OutboxPublisher,
    private readonly publisher: Publisher,
    /** Gives waiting runs to the queue as far as there are places for them. */
    admitWaiting: (waits: readonly Waits[]) => Promise<readonly OutboxRow[]>,
  ) {
    this.admit = batchCalls(
      async (waits: Waits[]) => {
        void this.relay.handOver(await admitWaiting(waits));
        return waits.map(() => undefined);
      },
      { most: 1000, atOnce: 1 },
    );
  }

  /** All that follows from the acceptance of a run. */
  follow({ handOver, waits, others }: AcceptedRun): void {
    if (handOver) this.post(handOver);
    if (waits) this.admitTo(waits);
    if (!others) return;
    this.tell(others.events);
    for (const runId of others.runsToStop) this.askToStop(runId);
  }

  /** A run of this account has ended: another may have its place. */
  ended(accountId: string): void {
    this.admitTo({ accountId, concurrencyKey: null });
  }

  post(row: OutboxRow): void {
    void this.relay.handOver([row]);
  }

  tell(events: readonly RunEvent[]): void {
    for (const event of events) this.publisher.publish(runChannel(event.runId), JSON.stringify(event));
  }

  askToStop(runId: string): void {
    this.publisher.publish(cancelChannel, runId);
  }

  /** A worker does it within a second when this fails. */
  private admitTo(waits: Waits): void {
    this.admit(waits).catch(() => undefined);
  }
}
