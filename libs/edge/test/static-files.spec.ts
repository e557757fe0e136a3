import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Drain, Metrics, createLogger, serveFolder } from '../src/index.js';
import { openHttpServer } from '../src/rest/http-server.js';

const logger = createLogger({ service: 'tiny', level: 'silent' });
const script = 'const greeting = "hello";\n'.repeat(100);
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let http: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lensforge-static-'));
  await mkdir(join(folder, 'pages', 'deep'), { recursive: true });
  const files = {
    'secret.txt': 'outside of the folder',
    'pages/index.html': '<h1>Home</h1>',
    'pages/about.html': '<h1>About</h1>',
    'pages/404.html': '<h1>Not found</h1>',
    'pages/deep/index.html': '<h1>Deep</h1>',
    'pages/app-D3k9fa2B.js': script,
    'pages/app-D3k9fa2B.js.br': brotliCompressSync(script),
    'pages/app-D3k9fa2B.js.gz': gzipSync(script),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  http = openHttpServer({ logger, metrics: new Metrics('tiny'), drain: new Drain(logger), bodyLimit: 1000 });
  const pages = join(folder, 'pages');
  serveFolder(http, { path: '/site', folder: pages, notFound: '404.html' });
  serveFolder(http, { path: '/console', folder: pages, fallback: 'index.html', policy: { 'img-src': "'self'" } });
  serveFolder(http, { path: '/absent', folder: join(folder, 'absent') });
  await http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await http.close();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  statusCode: number | undefined;
  headers: IncomingHttpHeaders;
  rawPayload: Buffer;
  body: string;
}

/** Sends the path as it is, and decodes nothing. */
const call = (method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port } = http.server.address() as AddressInfo;
    const sent = request({ method, path, headers, port, host: '127.0.0.1', agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const rawPayload = Buffer.concat(parts);
        resolve({
          statusCode: response.statusCode,
          headers: response.headers,
          rawPayload,
          body: rawPayload.toString(),
        });
      });
    });
    sent.on('error', reject).end();
  });
const get = (path: string, headers?: Record<string, string>) => call('GET', path, headers);

describe('a static folder', () => {
  it.each([
    ['/site/', 'Home'],
    ['/site/about', 'About'],
    ['/site/about.html', 'About'],
    ['/site/deep/', 'Deep'],
    ['/site/?a=1', 'Home'],
  ])('serves %s', async (url, title) => {
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, body]).toEqual([200, `<h1>${title}</h1>`]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'; ");
  });

  it.each([
    ['/site', 'site/'],
    ['/site/deep', 'deep/'],
  ])('redirects %s to the folder', async (url, location) => {
    const { statusCode, headers } = await get(url);
    expect([statusCode, headers.location]).toEqual([308, location]);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('sends the form for Accept-Encoding: %s', async (accepted, encoding) => {
    const answer = await get('/site/app-D3k9fa2B.js', { 'accept-encoding': accepted });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(answer.headers['content-encoding']).toBe(encoding);
    const forms: Record<string, Buffer> = { br: brotliCompressSync(script), gzip: gzipSync(script) };
    expect(answer.rawPayload.equals(forms[encoding ?? ''] ?? Buffer.from(script))).toBe(true);
  });

  it('sends the plain form for an Accept-Encoding of 15 kB, which is not read', async () => {
    const answer = await get('/site/app-D3k9fa2B.js', { 'accept-encoding': `gzip${' '.repeat(15_000)}, br` });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it('answers 304 to the ETag of the same form only', async () => {
    const url = '/site/app-D3k9fa2B.js';
    const brotli = await get(url, { 'accept-encoding': 'br' });
    const known = { 'if-none-match': `"x", W/${String(brotli.headers.etag)}` };
    expect((await get(url, { ...known, 'accept-encoding': 'br' })).statusCode).toBe(304);
    expect((await get(url, known)).statusCode).toBe(200);
  });

  it('answers HEAD without a body', async () => {
    const { statusCode, headers, body } = await call('HEAD', '/site/about');
    expect([statusCode, headers['content-length'], body]).toEqual([200, '14', '']);
  });

  it.each([
    '/site/none',
    '/site/../secret.txt',
    '/site/%2e%2e/secret.txt',
    '/site/..%2fsecret.txt',
    '/site/app-D3k9fa2B.js.br',
  ])('has no page at %s, and says so to browsers and programs', async (url) => {
    const page = await get(url, browser);
    const program = await get(url);
    expect([page.statusCode, program.statusCode]).toEqual([404, 404]);
    expect(page.body + program.body).not.toContain('outside of the folder');
    expect(JSON.parse(program.body)).toMatchObject({ error: { code: 'not_found' } });
  });

  it('sends the page for unknown paths to browsers', async () => {
    const { statusCode, body } = await get('/site/none', browser);
    expect([statusCode, body]).toEqual([404, '<h1>Not found</h1>']);
  });

  it('sends the fallback, with the policy of the folder', async () => {
    const { statusCode, body, headers } = await get('/console/runs/17', browser);
    expect([statusCode, body]).toEqual([200, '<h1>Home</h1>']);
    expect(headers['content-security-policy']).toContain("; img-src 'self'; ");
    expect((await get('/console/assets/index-Old45678.js')).statusCode).toBe(404);
  });

  it('says that pages are not built', async () => {
    expect(JSON.parse((await get('/absent/')).body)).toMatchObject({
      error: { message: 'The pages under /absent are not built; npm run build builds them' },
    });
  });

  it('refuses other methods', async () => {
    const { statusCode, headers } = await call('POST', '/site/about');
    expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
