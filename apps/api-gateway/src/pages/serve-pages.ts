import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { acceptsHtml, refuseQuery, serveFolder, version } from '@lensforge/edge';
import type { FastifyInstance } from 'fastify';

/** The pages that the build writes: next to the bundled program, or of the last build when it runs from source. */
const publicFolder =
  [join(import.meta.dirname, 'public'), join(import.meta.dirname, '..', '..', '..', '..', 'bundle', 'public')].find(
    (each) => existsSync(each),
  ) ?? join(import.meta.dirname, 'public');

/** The viewer of the API reference creates style elements; everything else is as strict as for other pages. */
const referencePolicy = { 'style-src': "'self' 'unsafe-inline'", 'trusted-types': 'vue' };

/** Addresses of this server for programs that ask for `/`. */
const program = {
  name: 'Lensforge API',
  version,
  links: {
    console: '/console/',
    documentation: '/docs/',
    reference: '/reference/',
    openapi: '/v1/openapi.json',
    llms: '/llms.txt',
    health: '/health',
  },
};

/** The addresses that the pages name. */
export interface PageAddresses {
  /** The address of this server; undefined if it is that of the page. */
  api?: string | undefined;
  /** The address of the oauth service, where the console signs in. */
  signIn: string;
  /** The address of a trace, with {traceId}; undefined without a tracing system that the console can link to. */
  trace?: string | undefined;
}

/** Serves the documentation, the API reference, the console, and what `/` says about them. */
export function servePages(http: FastifyInstance, addresses: PageAddresses, folder = publicFolder): void {
  serveConsole(http, addresses, join(folder, 'console'));
  http.errorPage = '/docs/errors';
  const docs = serveFolder(http, { path: '/docs', folder: join(folder, 'docs'), notFound: '404.html' });
  serveFolder(http, { path: '/reference', folder: join(folder, 'reference'), policy: referencePolicy });
  for (const name of ['llms.txt', 'llms-full.txt']) {
    http.get(`/${name}`, (request, reply) => docs(request, reply, name));
  }
  http.get('/', async (request, reply) => {
    refuseQuery(request);
    reply.header('vary', 'accept');
    return acceptsHtml(request) ? docs(request, reply, 'home.html') : program;
  });
}

/** The console is one page, which routes in the browser. It talks to this server and to the oauth service. */
function serveConsole(http: FastifyInstance, addresses: PageAddresses, folder: string): void {
  const policy = { 'connect-src': `'self' ${new URL(addresses.signIn).origin}` };
  serveFolder(http, { path: '/console', folder, policy, fallback: 'index.html' });
  http.get('/console/settings.json', (request, reply) => {
    refuseQuery(request);
    return reply.header('cache-control', 'no-cache').send(addresses);
  });
}
