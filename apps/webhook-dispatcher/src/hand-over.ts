import type { OutboxRow } from '@lensforge/database';
import type { Relay } from '@lensforge/queue';

/** Gives jobs to the queue right after the commit that made them. What does not work out is in the outbox still. */
export class HandOver {
  constructor(private readonly relay: Relay) {}

  jobs(rows: readonly OutboxRow[]): Promise<void> {
    return rows.length > 0 ? this.relay.handOver(rows) : Promise.resolve();
  }
}
