import { createServer } from 'node:http';
import fastify from 'fastify';
import pg from 'pg';

/** The connections of each process of a peer to PostgreSQL. */
export const connections = 20;
export const url = process.env['DATABASE_URL'] ?? '';
export const isWorker = process.env['ROLE'] === 'worker';
const port = Number(process.env['PORT']);

process.on('disconnect', () => process.exit());

/** A package that the benchmark has installed for itself. */
export async function loadPeer<T>(name: string): Promise<T> {
  const { load } = (await import(process.env['PEERS'] ?? '')) as { load: (name: string) => Promise<T> };
  return load(name);
}

/** Accepts a job with the least that a program does: it answers once the engine has stored it. */
export async function serveAccepting(accept: (body: object) => Promise<unknown>): Promise<void> {
  const http = fastify();
  http.get('/ready', () => ({ ready: true }));
  http.post('/jobs', async (request, reply) => {
    await accept(request.body as object);
    reply.code(202);
    return { accepted: true };
  });
  await http.listen({ port, host: '127.0.0.1' });
}

/** Answers with the number of jobs that have ended. */
export function serveCount(count: () => Promise<number>): void {
  createServer((_request, response) => {
    count().then(
      (done) => response.end(`${done}`),
      () => response.writeHead(500).end(),
    );
  }).listen(port, '127.0.0.1');
}

/** Counts rows of the database of the peer. */
export function rowCounter(what: string): () => Promise<number> {
  const db = new pg.Pool({ connectionString: url, max: 1 });
  return async () => {
    const { rows } = await db.query<{ count: number }>(`select count(*)::int as count from ${what}`);
    return rows[0]?.count ?? 0;
  };
}
