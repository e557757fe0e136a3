import { createServer } from 'node:http';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { baselineChannel, baselineConcurrency, baselineConnections, baselinePrefix, baselineQueue } from './schema.js';

// The minimal queue worker: one UPDATE for each job, and one message if it is followed.
const { DATABASE_URL: connectionString, REDIS_URL: redisUrl = '', PORT: port } = process.env;
process.on('disconnect', () => process.exit());

const db = new pg.Pool({ connectionString, max: baselineConnections });
const publisher = new Redis(redisUrl);

const worker = new Worker<{ id: string; watched: boolean }>(
  baselineQueue,
  async ({ data: { id, watched } }) => {
    await db.query({ name: 'end', text: 'update baseline_jobs set done_at = now() where id = $1', values: [id] });
    if (watched) await publisher.publish(baselineChannel(id), '{"done":true}');
  },
  {
    connection: new Redis(redisUrl, { maxRetriesPerRequest: null }),
    prefix: baselinePrefix,
    concurrency: baselineConcurrency,
    removeOnComplete: { count: 0 },
  },
);

await worker.waitUntilReady();
createServer((_request, response) => response.end('{"ready":true}')).listen(Number(port), '127.0.0.1');
