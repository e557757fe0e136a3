import { createServer } from 'node:http';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { baselineConcurrency, baselineJobs, baselinePrefix } from './schema.js';

// Jobs that only add the next one: the cost of a step of a graph in the queue alone.
const { REDIS_URL: redisUrl = '', PORT: port } = process.env;
process.on('disconnect', () => process.exit());

const queue = new Queue(baselineJobs, {
  connection: new Redis(redisUrl),
  prefix: baselinePrefix,
  defaultJobOptions: { removeOnComplete: true },
});
const worker = new Worker<{ left: number }>(
  baselineJobs,
  async ({ data: { left } }) => {
    if (left > 0) await queue.add('job', { left: left - 1 });
  },
  {
    connection: new Redis(redisUrl, { maxRetriesPerRequest: null }),
    prefix: baselinePrefix,
    concurrency: baselineConcurrency,
  },
);

await worker.waitUntilReady();
createServer((_request, response) => response.end('{"ready":true}')).listen(Number(port), '127.0.0.1');
