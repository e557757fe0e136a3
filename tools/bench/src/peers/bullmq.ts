import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { isWorker, serveAccepting, serveCount } from './peer-program.js';

// Its Redis writes to the disk before each answer.
const connection = new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
const queue = new Queue('jobs', { connection });
if (isWorker) {
  const worker = new Worker('jobs', () => Promise.resolve({ done: true }), {
    connection: connection.duplicate(),
    concurrency: 60,
  });
  await worker.waitUntilReady();
  serveCount(() => queue.getCompletedCount());
} else {
  await serveAccepting((body) => queue.add('job', body));
}
