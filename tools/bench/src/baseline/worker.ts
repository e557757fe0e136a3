import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { baselineChannel, baselineConcurrency, baselineConnections, baselinePrefix, baselineQueue } from './schema.js';

// The minimal queue worker: one UPDATE for each job, and one message if it is followed, and one signed POST if a receiver wants it.
const { DATABASE_URL: connectionString, REDIS_URL: redisUrl = '', PORT: port } = process.env;
process.on('disconnect', () => process.exit());

const db = new pg.Pool({ connectionString, max: baselineConnections });
const publisher = new Redis(redisUrl);

const worker = new Worker<{ id: string; watched: boolean; notify?: string }>(
  baselineQueue,
  async ({ data: { id, watched, notify } }) => {
    await db.query({ name: 'end', text: 'update baseline_jobs set done_at = now() where id = $1', values: [id] });
    if (watched) await publisher.publish(baselineChannel(id), '{"done":true}');
    if (notify !== undefined) await post(notify, id);
  },
  {
    connection: new Redis(redisUrl, { maxRetriesPerRequest: null }),
    prefix: baselinePrefix,
    concurrency: baselineConcurrency,
    removeOnComplete: { count: 0 },
  },
);

async function post(url: string, runId: string): Promise<void> {
  const body = JSON.stringify({ event: 'run.completed', timestamp: new Date().toISOString(), data: { runId } });
  const signature = `sha256=${createHmac('sha256', 'whsec_bench').update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
  const answer = await fetch(url, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the receiver answered with ${answer.status}`);
}

await worker.waitUntilReady();
createServer((_request, response) => response.end('{"ready":true}')).listen(Number(port), '127.0.0.1');
