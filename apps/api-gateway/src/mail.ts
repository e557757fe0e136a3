import type { RunEvent } from '@lensforge/contracts';
import { cancelChannel, runChannel } from '@lensforge/contracts';
import type { OutboxRow } from '@lensforge/database';
import type { Publisher, Relay } from '@lensforge/queue';

/** What leaves the gateway after a commit. Nothing here is waited for: what gets lost is found again in Postgres. */
export class Mail {
  constructor(
    private readonly relay: Relay,
    private readonly publisher: Publisher,
  ) {}

  post(row: OutboxRow): void {
    void this.relay.handOver([row]);
  }

  tell(events: readonly RunEvent[]): void {
    for (const event of events) this.publisher.publish(runChannel(event.runId), JSON.stringify(event));
  }

  askToStop(runId: string): void {
    this.publisher.publish(cancelChannel, runId);
  }
}
