import { request } from 'node:http';
import { type Service, createLogger, startService } from '@lensforge/edge';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { type FreshDatabase, aContext, freshDatabase, serviceSettings } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tools } from '@lensforge/tools';
import { mcpGateway } from '../src/service.js';

let database: FreshDatabase;
let service: Service;
let token: string;

const tokenOf = async (kind: 'mcp' | 'developer' | 'organisation' | 'service') => {
  const ctx = aContext(service.platform.database.manager);
  const { id: accountId } = await anAccount(ctx);
  return (await aToken(ctx, { accountId, kind })).value;
};

beforeAll(async () => {
  database = await freshDatabase();
  service = await startService(mcpGateway, {
    logger: createLogger({ service: 'mcp-gateway', level: 'silent' }),
    environment: {
      ...serviceSettings(database.url),
      LENSFORGE_PUBLIC_MCP_URL: 'https://mcp.example.com',
      LENSFORGE_PUBLIC_HOSTS: 'alias.example',
      LENSFORGE_MCP_ALLOWED_ORIGINS: 'https://console.example.com, https://other.example.com',
      LENSFORGE_RATE_MCP_PER_MINUTE: '200',
    },
  });
  token = await tokenOf('mcp');
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

interface Call {
  body?: unknown;
  headers?: Record<string, string>;
  method?: string;
  bearer?: string | null;
  raw?: boolean;
}

async function call({ body, headers = {}, method = 'POST', bearer = token, raw = false }: Call = {}) {
  const answer = await fetch(`${service.url}/mcp`, {
    method,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (text && !raw ? JSON.parse(text) : undefined) as unknown,
  };
}

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
const rpcError = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: expect.objectContaining({ code }),
});

describe('POST /mcp', () => {
  it('answers a request with JSON for any other Accept header', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/event-stream', 'text/html', 'x']) {
      const answer = await call({ body: ping, headers: { accept } });
      expect(answer).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: 7, result: {} } });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it.each(['text/event-stream', 'text/event-stream;q=0.9, application/json;q=0'])(
    'answers with one event when the client accepts only %s',
    async (accept) => {
      const { status, headers, text } = await call({ body: ping, headers: { accept }, raw: true });
      expect({ status, type: headers.get('content-type'), text }).toEqual({
        status: 200,
        type: 'text/event-stream',
        text: 'event: message\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\n\n',
      });
    },
  );

  it('needs no session id, returns none and ignores one', async () => {
    for (const session of ['mine', 'x'.repeat(500), 'a b', '\u00e9']) {
      const { status, headers } = await call({ body: ping, headers: { 'mcp-session-id': session } });
      expect(status).toBe(200);
      expect(headers.has('mcp-session-id')).toBe(false);
    }
  });

  it('answers initialize and lists its tools', async () => {
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
    expect(await call({ body: hello })).toMatchObject({
      status: 200,
      body: { result: { protocolVersion: '2025-06-18', serverInfo: { name: 'lensforge' } } },
    });
    expect(await call({ body: { ...ping, method: 'tools/list' } })).toMatchObject({
      body: { result: { tools: tools.map(({ listed }) => listed) } },
    });
  });

  it('answers a notification with 202 and no body', async () => {
    const body = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await call({ body })).toMatchObject({ status: 202, text: '' });
  });

  it('answers JSON-RPC errors with 200, so that clients read their code', async () => {
    expect(await call({ body: { ...ping, method: 'frob' } })).toMatchObject({ status: 200, body: rpcError(-32601, 7) });
    expect(await call({ body: { ...ping, method: 'tools/call', params: { name: 'frob' } } })).toMatchObject({
      status: 200,
      body: rpcError(-32602, 7),
    });
  });

  it.each([
    ['invalid JSON', '{', -32700],
    ['an empty body', '', -32700],
    ['an object that is not a request', '{}', -32600],
    ['an empty batch', '[]', -32600],
  ])('answers %s with 400 and a JSON-RPC error', async (_what, body, code) => {
    expect(await call({ body })).toMatchObject({ status: 400, body: rpcError(code) });
  });

  it('handles 100,000 levels of nesting', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await call({ body: deep })).toMatchObject({ status: 200, body: [rpcError(-32600)] });
    const inside = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":${deep}}}`;
    expect(await call({ body: inside })).toMatchObject({ status: 200, body: { id: 7, result: {} } });
  });

  it('answers 400 for an unsupported protocol version', async () => {
    for (const [version, code, id] of [
      ['2099-01-01', -32022, 7],
      ['2025-01-01', -32600, null],
      ['latest', -32600, null],
    ] as const) {
      const headers = { 'mcp-protocol-version': version };
      expect(await call({ body: ping, headers })).toMatchObject({ status: 400, body: rpcError(code, id) });
    }
    const known = { 'mcp-protocol-version': '2025-06-18' };
    expect(await call({ body: ping, headers: known })).toMatchObject({ status: 200 });
  });

  it('answers 415 for another content type and 413 for a large body, in the REST envelope', async () => {
    expect(await call({ body: ping, headers: { 'content-type': 'text/plain' } })).toMatchObject({
      status: 415,
      body: { error: { code: 'unsupported_media_type' } },
    });
    expect(await call({ body: 'x'.repeat(2_097_153) })).toMatchObject({ status: 413, body: { error: {} } });
    expect(await call({ body: { ...ping, params: { x: 'x'.repeat(2_000_000) } } })).toMatchObject({ status: 200 });
  });
});

const everyMethod = ['POST', 'GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'];

describe('POST /mcp in the stateless revision', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headersFor = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
  const post = (method: string, headers: Record<string, string> = headersFor(method), params: object = { _meta }) =>
    call({ body: { jsonrpc: '2.0', id: 7, method, params }, headers });

  it('answers server/discover and lists its tools', async () => {
    expect(await post('server/discover')).toMatchObject({
      status: 200,
      body: { result: { resultType: 'complete', supportedVersions: expect.arrayContaining(['2026-07-28']) } },
    });
    expect(await post('tools/list')).toMatchObject({ status: 200, body: { result: { cacheScope: 'private' } } });
  });

  it.each(['initialize', 'ping', 'frob', 'resources/subscribe'])('answers 404 for %s', async (method) => {
    expect(await post(method)).toMatchObject({ status: 404, body: rpcError(-32601, 7) });
  });

  it('answers 400 when headers and body differ or one of them is missing', async () => {
    const { 'mcp-method': _, ...withoutMethod } = headersFor('tools/list');
    const other = { ...headersFor('tools/list'), 'mcp-protocol-version': '2025-11-25' };
    expect(await post('tools/list', headersFor('ping'))).toMatchObject({ status: 400, body: rpcError(-32020, 7) });
    expect(await post('tools/list', withoutMethod)).toMatchObject({ status: 400, body: rpcError(-32020, 7) });
    expect(await post('tools/list', other)).toMatchObject({ status: 400, body: rpcError(-32020, 7) });
    expect(await post('tools/list', {})).toMatchObject({ status: 400, body: rpcError(-32020, 7) });
    expect(await post('tools/list', headersFor('tools/list'), {})).toMatchObject({
      status: 400,
      body: rpcError(-32602, 7),
    });
  });

  it('answers 400 for a batch and 202 for a notification', async () => {
    const headers = headersFor('tools/list');
    expect(await call({ body: [ping], headers })).toMatchObject({ status: 400, body: rpcError(-32600) });
    const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    expect(await call({ body, headers })).toMatchObject({ status: 202, text: '' });
  });
});

describe('POST /mcp authenticates:', () => {
  const metadata = (base: string) => `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`;

  it.each(everyMethod)('%s without a token gets 401 with the address of the metadata', async (method) => {
    const { status, headers } = await call({ method, bearer: null });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(`Bearer ${metadata(service.url)}`);
  });

  it('an invalid token or one for REST gets 401 invalid_token', async () => {
    for (const bearer of [`lf_mcp_${'0'.repeat(64)}`, 'x', await tokenOf('developer')]) {
      const { status, headers } = await call({ body: ping, bearer });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${metadata(service.url)}`);
    }
  });

  it('an unknown web origin gets 403', async () => {
    const from = async (origin: string) => (await call({ body: ping, headers: { origin } })).status;
    for (const origin of ['https://console.example.com', 'https://other.example.com', 'http://localhost:6274']) {
      expect(await from(origin)).toBe(200);
    }
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'https://mcp.example.com.evil',
    ]) {
      expect(await from(origin)).toBe(403);
    }
  });

  it('an unknown host name gets 403, against DNS rebinding', async () => {
    const from = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { hostname, port } = new URL(service.url);
        const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const options = { hostname, port, path: '/mcp', method: 'POST', headers };
        const outgoing = request(options, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        });
        outgoing.once('error', reject).end(JSON.stringify(ping));
      });
    for (const host of [
      'localhost',
      '127.0.0.1:9',
      '[::1]:80',
      'mcp.example.com',
      'MCP.example.com',
      'alias.example',
    ]) {
      expect({ host, status: await from(host) }).toEqual({ host, status: 200 });
    }
    for (const host of ['evil.example', 'mcp.example.com.evil.example', 'localhost.evil.example', '127.0.0.1.nip.io']) {
      expect({ host, status: await from(host) }).toEqual({ host, status: 403 });
    }
  });

  it('organisation and service tokens are accepted', async () => {
    for (const kind of ['organisation', 'service'] as const) {
      expect(await call({ body: ping, bearer: await tokenOf(kind) })).toMatchObject({ status: 200 });
    }
  });

  it('each token has its own rate limit', async () => {
    const bearer = await tokenOf('mcp');
    const answers = await Promise.all(Array.from({ length: 230 }, () => call({ body: ping, bearer })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await call({ body: ping, bearer: await tokenOf('mcp') })).toMatchObject({ status: 200 });
  });
});

describe('other methods and paths', () => {
  it.each(everyMethod.slice(1))('%s /mcp gets 405', async (method) => {
    const { status, headers } = await call({ method });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
  });

  it('GET /health gets 200', async () => {
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
  });
});
