import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Service, createLogger, startService } from '@lensforge/edge';
import { type FreshDatabase, freshDatabase, serviceSettings, until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mcpGateway } from '../src/service.js';

type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let database: FreshDatabase;
let service: Service;
let issuer: Server;
let respond: Behaviour;
let received: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];

const echo: Behaviour = (_request, response) =>
  response.setHeader('content-type', 'application/json').end('{"ok":true}');

beforeAll(async () => {
  issuer = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      // The gateway itself also fetches the keys of session tokens.
      if (request.headers['x-forwarded-for'] !== undefined)
        received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      respond(request, response, body);
    });
  });
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  respond = echo;
  database = await freshDatabase();
  service = await startService(mcpGateway, {
    logger: createLogger({ service: 'mcp-gateway', level: 'silent' }),
    environment: {
      ...serviceSettings(database.url),
      LENSFORGE_PUBLIC_MCP_URL: 'https://mcp.example.com',
      LENSFORGE_OAUTH_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`,
    },
  });
});
afterAll(async () => {
  await service.stop();
  issuer.closeAllConnections();
  issuer.close();
  await database.drop();
});

const fetchFrom = async (path: string, init: RequestInit = {}) => {
  received = [];
  const answer = await fetch(service.url + path, { redirect: 'manual', ...init });
  return { answer, text: await answer.text(), forwarded: received[0] };
};

describe('the issuer behind the MCP gateway', () => {
  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/id',
    '/oauth/authorize?client_id=x&state=%C3%BC%20%2F&a=1&a=2',
    '/oauth/../metrics',
    '/id/',
    '/id',
    '/id/jwks.json',
    '/id/device?user_code=BCDF-GHJK',
  ])('receives %s with the same path', async (path) => {
    const raw = await new Promise<{ status: number | undefined }>((resolve, reject) => {
      received = [];
      send(`${service.url}/`, { path, headers: { host: 'localhost:4100' } }, (answer) => {
        answer.resume().on('end', () => resolve({ status: answer.statusCode }));
      })
        .on('error', reject)
        .end();
    });
    expect(raw.status).toBe(200);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ method: 'GET', url: path, headers: { host: 'localhost:4100' } });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('receives %s requests', async (method) => {
    const { forwarded } = await fetchFrom('/oauth/token', { method });
    expect(forwarded).toMatchObject({ method, url: '/oauth/token' });
  });

  it('receives bodies of any type unchanged', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'application/json', 'text/plain', 'x/y']) {
      const body = 'grant_type=authorization_code&code=%00&x={';
      const { forwarded } = await fetchFrom('/oauth/token', {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      expect(forwarded).toMatchObject({
        body,
        headers: { 'content-type': type, 'content-length': String(body.length) },
      });
    }
  });

  it('receives the address of the client in x-forwarded-for and no hop-by-hop headers', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1', te: 'trailers', 'x-mine': 'kept', cookie: 'a=b' };
    const { forwarded } = await fetchFrom('/id/', { headers });
    expect(forwarded?.headers).toMatchObject({
      'x-forwarded-for': '198.51.100.1, 127.0.0.1',
      'x-mine': 'kept',
      cookie: 'a=b',
    });
    expect(forwarded?.headers).not.toHaveProperty('te');
  });

  it('does not receive headers that the Connection header names', async () => {
    received = [];
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      'GET /id/ HTTP/1.1\r\nHost: localhost\r\nX-Hop: 1\r\nX-Kept: 2\r\nConnection: close, x-hop, host\r\n\r\n',
    );
    await once(socket, 'data');
    socket.destroy();
    expect(received[0]?.headers).toMatchObject({ host: 'localhost', 'x-kept': '2' });
    expect(received[0]?.headers).not.toHaveProperty('x-hop');
  });

  it('has its status, headers, redirects, cookies and body returned unchanged', async () => {
    respond = (_request, response) => {
      response.writeHead(
        303,
        [
          ['location', 'http://127.0.0.1:7777/callback?code=x'],
          ['set-cookie', 'a=1; HttpOnly'],
          ['set-cookie', 'b=2; HttpOnly'],
          ['cache-control', 'public, max-age=600'],
          ['content-security-policy', "default-src 'none'"],
          ['content-type', 'text/html; charset=utf-8'],
          ['keep-alive', 'timeout=5'],
          ['access-control-allow-origin', '*'],
        ].flat(),
      );
      response.end('<p>ü');
    };
    const { answer, text } = await fetchFrom('/oauth/authorize');
    respond = echo;
    expect([answer.status, text]).toEqual([303, '<p>ü']);
    expect(answer.headers.get('location')).toBe('http://127.0.0.1:7777/callback?code=x');
    expect(answer.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2; HttpOnly']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=600');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'");
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('returns no body for HEAD and 204', async () => {
    respond = (_request, response) => response.writeHead(204).end();
    const { answer } = await fetchFrom('/oauth/token', { method: 'OPTIONS' });
    respond = echo;
    expect(answer.status).toBe(204);
    const head = await fetchFrom('/.well-known/oauth-authorization-server', { method: 'HEAD' });
    expect([head.answer.status, head.text]).toEqual([200, '']);
    expect(head.forwarded?.method).toBe('HEAD');
  });

  it('does not receive bodies above the limit, with or without a content length', async () => {
    const large = await fetchFrom('/oauth/register', { method: 'POST', body: 'x'.repeat(70_000) });
    expect([large.answer.status, large.forwarded]).toEqual([413, undefined]);
    expect(JSON.parse(large.text)).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    const chunked = await new Promise<number | undefined>((resolve) => {
      const sent = send(`${service.url}/oauth/register`, { method: 'POST' }, (answer) => {
        resolve(answer.resume().statusCode);
      });
      sent.on('error', () => resolve(413));
      for (let chunk = 0; chunk < 70; chunk++) sent.write('x'.repeat(1000));
      sent.end();
    });
    expect(chunked).toBe(413);
  });

  it('receives no other paths', async () => {
    for (const path of ['/metrics', '/oauth', '/oauthx', '/.well-known/openid-configuration', '/v1/me']) {
      expect((await fetchFrom(path)).forwarded).toBeUndefined();
    }
  });

  it('sees the request abort when the client disconnects', async () => {
    let gone = false;
    respond = (_request, response) => response.once('close', () => (gone = true));
    const controller = new AbortController();
    const waiting = fetch(`${service.url}/id/`, { signal: controller.signal }).catch(() => undefined);
    await until(() => received.some(({ url }) => url === '/id/'));
    controller.abort();
    await waiting;
    await expect(until(() => gone)).resolves.toBe(true);
    respond = echo;
  });

  it('causes 502 when it breaks off and 503 when it is down, as text for browsers and as an OAuth error for clients', async () => {
    respond = (_request, response) => response.socket?.destroy();
    const broken = await fetchFrom('/oauth/token', { method: 'POST' });
    expect(broken.answer.status).toBe(502);
    issuer.closeAllConnections();
    issuer.close();
    const client = await fetchFrom('/oauth/token', { method: 'POST' });
    expect(client.answer.status).toBe(503);
    expect(client.answer.headers.get('retry-after')).toBe('1');
    expect(JSON.parse(client.text)).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'The sign-in service cannot be reached; try again in a second',
    });
    const person = await fetchFrom('/oauth/authorize', { headers: { accept: 'text/html,*/*' } });
    expect([person.answer.status, person.answer.headers.get('content-type'), person.text]).toEqual([
      503,
      'text/plain; charset=utf-8',
      'The sign-in service cannot be reached; try again in a second.\n',
    ]);
    const port = Number(new URL(service.platform.environment.LENSFORGE_OAUTH_URL).port);
    issuer.listen(port, '127.0.0.1');
    await once(issuer, 'listening');
    respond = echo;
    expect((await fetchFrom('/oauth/token', { method: 'POST' })).answer.status).toBe(200);
  });
});

describe('the protected resource metadata', () => {
  it.each([
    ['/.well-known/oauth-protected-resource', ''],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
  ])('at %s names the issuer, for all origins', async (path, resource) => {
    const { answer, text, forwarded } = await fetchFrom(path);
    expect(forwarded).toBeUndefined();
    expect(JSON.parse(text)).toEqual({
      resource: service.url + resource,
      authorization_servers: [service.url],
      bearer_methods_supported: ['header'],
      resource_name: 'Lensforge tools',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect((await fetchFrom(path, { method: 'OPTIONS' })).answer.status).toBe(204);
    const { headers } = await fetch(`${service.url}/mcp`, { method: 'POST' });
    expect(headers.get('www-authenticate')).toContain(`${service.url}/.well-known/oauth-protected-resource/mcp`);
  });
});
