import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Queue } from 'bullmq';
import fastify from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';
import { baselineChannel, baselinePrefix, baselineQueue } from './schema.js';

// The minimal program that accepts and follows: one INSERT, one add, one subscription, one SELECT.
const { DATABASE_URL: connectionString, REDIS_URL: redisUrl = '', PORT: port } = process.env;
process.on('disconnect', () => process.exit());

const db = new pg.Pool({ connectionString, max: 10 });
const queue = new Queue(baselineQueue, { connection: new Redis(redisUrl), prefix: baselinePrefix });
const subscriber = new Redis(redisUrl);
const watchers = new Map<string, Set<ServerResponse>>();
const http = fastify();

http.get('/ready', () => ({ ready: subscriber.status === 'ready' }));

http.post('/jobs', async (request, reply) => {
  const id = randomUUID();
  await db.query({
    name: 'add',
    text: 'insert into baseline_jobs (id, body) values ($1, $2)',
    values: [id, request.body],
  });
  await queue.add('job', { id, watched: request.headers['x-watched'] === 'yes', notify: request.headers['x-notify'] });
  reply.code(202);
  return { id };
});

http.get<{ Params: { id: string } }>('/jobs/:id/events', async (request, reply) => {
  const { id } = request.params;
  reply.hijack();
  const response = reply.raw;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  await watch(baselineChannel(id), response);
  const { rows } = await db.query<{ done: boolean }>({
    name: 'state',
    text: 'select done_at is not null as done from baseline_jobs where id = $1',
    values: [id],
  });
  if (response.writableEnded) return;
  const done = rows[0]?.done ?? false;
  response.write(`data: {"done":${done}}\n\n`);
  if (done) response.end();
});

async function watch(channel: string, response: ServerResponse): Promise<void> {
  const others = watchers.get(channel) ?? new Set();
  watchers.set(channel, others.add(response));
  response.on('close', () => {
    others.delete(response);
    if (others.size > 0) return;
    watchers.delete(channel);
    void subscriber.unsubscribe(channel);
  });
  if (others.size === 1) await subscriber.subscribe(channel);
}

subscriber.on('message', (channel, message) => {
  const frame = Buffer.from(`data: ${message}\n\n`);
  const last = message === '{"done":true}';
  for (const response of watchers.get(channel) ?? []) {
    response.write(frame);
    if (last) response.end();
  }
});

await http.listen({ port: Number(port), host: '127.0.0.1' });
