import type { QueueName } from '@lensforge/contracts';
import type { Message } from './producer.js';

interface Offer {
  message: Message;
  resolve: (taken: boolean) => void;
}

/**
 * Jobs that this process writes and executes itself, in the place of a job that it just ended, without a way through Redis.
 * Their outbox rows are as for other jobs, so that nothing is lost with this process.
 */
export class LocalJobs {
  private readonly offers = new Map<QueueName, Offer[]>();
  private accepts: (queue: QueueName) => boolean = () => false;

  /** Sets when a queue takes local jobs; none does before. */
  acceptWhile(accepts: (queue: QueueName) => boolean): void {
    this.accepts = accepts;
  }

  /** Offers a job to the jobs that end now. False when none of them took it: then Redis has to deliver it. */
  offer(message: Message): Promise<boolean> {
    const { queue } = message.job;
    if (!this.accepts(queue)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const offer = { message, resolve };
      const offers = this.offers.get(queue) ?? [];
      this.offers.set(queue, offers);
      offers.push(offer);
      // The job whose statement wrote this one ends before the next turn of the event loop.
      setImmediate(() => {
        const index = offers.indexOf(offer);
        if (index < 0) return;
        offers.splice(index, 1);
        resolve(false);
      });
    });
  }

  /** Takes the oldest offer, for a job that ends. */
  take(queue: QueueName): Message | undefined {
    if (!this.accepts(queue)) return undefined;
    const offer = this.offers.get(queue)?.shift();
    offer?.resolve(true);
    return offer?.message;
  }
}
