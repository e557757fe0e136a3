import { createServer } from 'node:http';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { floorChannel, floorConcurrency, floorConnections, floorPrefix, floorQueue } from './schema.js';

// The least program that works off a queue: one UPDATE per job, and one message where somebody watches.
const { DATABASE_URL: connectionString, REDIS_URL: redisUrl = '', PORT: port } = process.env;
process.on('disconnect', () => process.exit());

const db = new pg.Pool({ connectionString, max: floorConnections });
const publisher = new Redis(redisUrl);

const worker = new Worker<{ id: string; watched: boolean }>(
  floorQueue,
  async ({ data: { id, watched } }) => {
    await db.query({ name: 'end', text: 'update floor_jobs set done_at = now() where id = $1', values: [id] });
    if (watched) await publisher.publish(floorChannel(id), '{"done":true}');
  },
  {
    connection: new Redis(redisUrl, { maxRetriesPerRequest: null }),
    prefix: floorPrefix,
    concurrency: floorConcurrency,
    removeOnComplete: { count: 0 },
  },
);

await worker.waitUntilReady();
createServer((_request, response) => response.end('{"ready":true}')).listen(Number(port), '127.0.0.1');
