// Streams the answer of a lens into a browser. The token stays in this server; the browser gets events of its run only:
//   LENS=… node examples/streaming/server.mjs   and open http://127.0.0.1:8090
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { call, fetchEvents } from '../api.mjs';

const { LENS: lensId, PORT: port = '8090' } = process.env;
if (!lensId) throw new Error('Set LENS to the id of a lens with the parameters Product and Audience');

/** The runs that this server started. */
const started = new Set();

const routes = {
  'GET /': async (request, response) => {
    const page = await readFile(new URL('index.html', import.meta.url));
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  },
  'POST /runs': async (request, response, { searchParams }) => {
    const params = { Product: searchParams.get('product') ?? '', Audience: 'visitors of a page' };
    const { runId } = await call('POST', `/lenses/${lensId}/execute`, { params });
    started.add(runId);
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ runId }));
  },
  'GET /events': async (request, response, { searchParams }) => {
    const runId = searchParams.get('run');
    if (!started.has(runId)) return response.writeHead(404).end();
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    const { 'last-event-id': lastEventId } = request.headers;
    const events = await fetchEvents(runId, lastEventId && { 'last-event-id': lastEventId }, closed.signal);
    response.writeHead(events.status, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    if (events.body) await pipeline(Readable.fromWeb(events.body), response);
    return response.end();
  },
};

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const route = routes[`${request.method} ${url.pathname}`];
  if (!route) return response.writeHead(404).end();
  return route(request, response, url).catch((error) => {
    if (!response.headersSent) response.writeHead(502).end(error.message);
    else response.destroy();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
