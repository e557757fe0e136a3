import { Redis } from 'ioredis';
import pg from 'pg';
import { bytesOf } from './connection.js';
import { sequenceOf } from './frames.js';
import type { FanOut, OutcomeOf, Writer } from './orders.js';
import { Stream } from './stream.js';

const patienceMs = 10_000;
const openAtOnce = 100;

/** The events that all readers received, and the missing ones. */
class Audience {
  readonly streams: Stream[] = [];
  delivered = 0;
  gaps = 0;
  private wake: (() => void) | undefined;

  async gather({ stream: call, readers, writer: { after } }: FanOut): Promise<void> {
    const request = bytesOf(call);
    for (let left = readers; left > 0; left -= openAtOnce) {
      await Promise.all(
        Array.from({ length: Math.min(left, openAtOnce) }, async () => {
          let sit: () => void = () => undefined;
          const seated = new Promise<void>((resolve) => (sit = resolve));
          const stream = await this.seat(call.port, after, sit);
          stream.ask(request);
          this.streams.push(stream);
          const status = await stream.begun;
          if (status !== 200) throw new Error(`a stream was answered with ${status}`);
          await seated;
        }),
      );
    }
  }

  /** Resolves to false after the timeout. */
  async has(delivered: number): Promise<boolean> {
    const until = performance.now() + patienceMs;
    while (this.delivered < delivered) {
      if (performance.now() > until) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return true;
  }

  close(): void {
    for (const stream of this.streams) stream.close();
  }

  /** The first frame of a reader is a replayed event; after it the reader gets live events. */
  private seat(port: number, after: number, onFirst: () => void): Promise<Stream> {
    let expected = after + 1;
    return Stream.connect(port, (frame) => {
      const sequence = sequenceOf(frame);
      if (sequence <= after) return onFirst();
      if (sequence !== expected) this.gaps += 1;
      expected = sequence + 1;
      this.delivered += 1;
      const { wake } = this;
      this.wake = undefined;
      wake?.();
    });
  }
}

const text = 'twelve words of output as a model would say them, no more ';

export function eventsAfter(sequence: number, count: number, id: string): object[] {
  return Array.from({ length: count }, (_, index) => ({
    eventType: 'node.output.delta',
    payload: { nodeId: 'lens', text },
    occurredAt: new Date().toISOString(),
    runId: id,
    sequence: sequence + index + 1,
  }));
}

/** Commits batches ahead of time, so that the database works in parallel with the readers. */
class Committer {
  private next: Promise<object[]> | undefined;
  private at: number;

  constructor(
    private readonly db: pg.Client,
    private readonly writer: Writer,
    private readonly batch: number,
  ) {
    this.at = writer.after;
  }

  take(): Promise<object[]> {
    const batch = this.next ?? this.commit();
    this.next = batch.then(() => this.commit());
    this.next.catch(() => undefined);
    return batch;
  }

  async settle(): Promise<void> {
    await this.next;
  }

  private async commit(): Promise<object[]> {
    const events = eventsAfter(this.at, this.batch, this.writer.id);
    this.at += this.batch;
    await this.db.query({
      name: 'commit',
      text: this.writer.commit,
      values: [this.writer.id, JSON.stringify(events)],
    });
    return events;
  }
}

export async function fanOut(order: FanOut): Promise<OutcomeOf<FanOut>> {
  const { readers, window, batch, ms, writer } = order;
  const db = new pg.Client({ connectionString: writer.databaseUrl });
  await db.connect();
  const redis = new Redis(writer.redisUrl);
  const audience = new Audience();
  try {
    await audience.gather(order);
    const committer = new Committer(db, writer, batch);
    let published = 0;
    const publish = async (): Promise<void> => {
      const pipeline = redis.pipeline();
      for (const event of await committer.take()) pipeline.publish(writer.channel, JSON.stringify(event));
      await pipeline.exec();
      published += batch;
    };
    await publish();
    if (!(await audience.has(readers * batch))) throw new Error('not all readers follow');
    const [since, before] = [performance.now(), audience.delivered];
    while (performance.now() - since < ms) {
      await publish();
      await audience.has((published - window) * readers);
    }
    const whole = await audience.has(published * readers);
    const elapsed = performance.now() - since;
    const delivered = Math.min(audience.delivered, published * readers) - before;
    await committer.settle();
    const missing = whole ? 0 : published * readers - audience.delivered;
    return { delivered, ms: elapsed, lost: Math.max(missing, audience.gaps) };
  } finally {
    audience.close();
    redis.disconnect();
    await db.end();
  }
}
