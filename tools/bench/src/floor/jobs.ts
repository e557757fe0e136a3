import { createServer } from 'node:http';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { floorConcurrency, floorJobs, floorPrefix } from './schema.js';

// Jobs that do nothing but ask for the next one, when there is one: what a step of any graph costs in the queue alone.
const { REDIS_URL: redisUrl = '', PORT: port } = process.env;
process.on('disconnect', () => process.exit());

const queue = new Queue(floorJobs, {
  connection: new Redis(redisUrl),
  prefix: floorPrefix,
  defaultJobOptions: { removeOnComplete: true },
});
const worker = new Worker<{ left: number }>(
  floorJobs,
  async ({ data: { left } }) => {
    if (left > 0) await queue.add('job', { left: left - 1 });
  },
  {
    connection: new Redis(redisUrl, { maxRetriesPerRequest: null }),
    prefix: floorPrefix,
    concurrency: floorConcurrency,
  },
);

await worker.waitUntilReady();
createServer((_request, response) => response.end('{"ready":true}')).listen(Number(port), '127.0.0.1');
