import { Redis } from 'ioredis';
import pg from 'pg';
import { bytesOf } from './connection.js';
import { eventsAfter } from './fan-out.js';
import { sequenceOf } from './frames.js';
import type { Crowd, OutcomeOf } from './orders.js';
import { Stream } from './stream.js';

const openAtOnce = 100;
const commitsAtOnce = 8;
const patienceMs = 60_000;
/** The maximum number of undelivered events for each reader. */
const window = 2;

/** Checks that every reader gets every event of its run once and in order, and counts missing events. */
export async function crowd(order: Crowd): Promise<OutcomeOf<Crowd>> {
  const { live, stream, readersEach, eventsEach, databaseUrl, redisUrl, commit } = order;
  const db = new pg.Pool({ connectionString: databaseUrl, max: commitsAtOnce });
  const redis = new Redis(redisUrl);
  const streams: Stream[] = [];
  let delivered = 0;
  let gaps = 0;

  const seat = async ({ id, after }: Crowd['live'][number]): Promise<void> => {
    let expected = after + 1;
    let sit: () => void = () => undefined;
    const seated = new Promise<void>((resolve) => (sit = resolve));
    const reader = await Stream.connect(stream.port, (frame) => {
      const sequence = sequenceOf(frame);
      if (sequence <= after) return sit();
      if (sequence !== expected) gaps += 1;
      expected = sequence + 1;
      delivered += 1;
    });
    streams.push(reader);
    reader.ask(bytesOf({ ...stream, path: stream.path.replace('{id}', id) }));
    const status = await reader.begun;
    if (status !== 200) throw new Error(`a stream was answered with ${status}`);
    await seated;
  };

  const has = async (wanted: number): Promise<void> => {
    const until = performance.now() + patienceMs;
    while (delivered < wanted && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  try {
    const seats = live.flatMap((run) => Array.from({ length: readersEach }, () => run));
    for (let at = 0; at < seats.length; at += openAtOnce) {
      await Promise.all(seats.slice(at, at + openAtOnce).map(seat));
    }
    const since = performance.now();
    for (let round = 0; round < eventsEach; round += 1) {
      const left = [...live];
      const commitEvent = async (): Promise<void> => {
        for (let run = left.pop(); run; run = left.pop()) {
          const events = eventsAfter(run.after + round, 1, run.id);
          await db.query({ name: 'commit', text: commit, values: [run.id, JSON.stringify(events)] });
          await redis.publish(run.channel, JSON.stringify(events[0]));
        }
      };
      await Promise.all(Array.from({ length: commitsAtOnce }, commitEvent));
      await has((round + 1 - window) * seats.length);
    }
    const wanted = eventsEach * seats.length;
    await has(wanted);
    return { delivered, ms: performance.now() - since, lost: Math.max(wanted - delivered, gaps) };
  } finally {
    for (const reader of streams) reader.close();
    redis.disconnect();
    await db.end();
  }
}
