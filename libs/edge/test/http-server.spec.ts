import { request } from 'node:http';
import { isUuid } from '@lensforge/core';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TinyService, type TinySetup, tinySetup } from './tiny-service.js';

let setup: TinySetup;
let service: TinyService;
let token: { value: string; accountId: string };

beforeAll(async () => {
  setup = await tinySetup();
  service = await setup.start();
  token = await setup.token();
});
afterAll(() => setup.stop());

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token.value}`, ...(init.headers as Record<string, string>) };
  const answer = await fetch(`${service.url}${path}`, { ...init, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? (JSON.parse(text) as Answer['body']) : {} };
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

const errorBody = (code: string, message: unknown = expect.any(String)) => ({
  error: expect.objectContaining({ code, message }),
  meta: { requestId: expect.any(String), durationMs: expect.any(Number) },
});

describe('a response', () => {
  it('has the status of its row and its data in the envelope', async () => {
    const { status, body } = await post('/v1/things', { name: 'one', params: { a: [1, null] } });
    expect(status).toBe(202);
    expect(body).toEqual({
      data: { name: 'one', params: { a: [1, null] }, account: token.accountId, requestId: expect.any(String) },
      meta: { requestId: expect.any(String), durationMs: expect.any(Number) },
      error: null,
    });
  });

  it('has one new request id in header, meta and context, and ignores that of the caller', async () => {
    const { headers, body } = await post('/v1/things', { name: 'one' }, { 'x-request-id': 'mine' });
    const { requestId } = body['meta'] as { requestId: string };
    expect(isUuid(requestId)).toBe(true);
    expect(headers.get('x-request-id')).toBe(requestId);
    expect(body['data']).toMatchObject({ requestId });
  });

  it('has the security headers and none that describe the server', async () => {
    for (const path of ['/v1/things', '/nothing', '/health']) {
      const { headers } = await call(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      for (const name of ['x-powered-by', 'server', 'access-control-allow-origin'])
        expect(headers.has(name)).toBe(false);
    }
  });

  it('is compressed when it is long JSON and the client accepts that', async () => {
    const send = async (note: string, encodings: string) => {
      const { headers, body } = await post(
        '/v1/things',
        { name: 'one', params: { note } },
        { 'accept-encoding': encodings },
      );
      expect(body['data']).toMatchObject({ params: { note } });
      return { encoding: headers.get('content-encoding'), vary: headers.get('vary') };
    };
    const [long, short] = ['ä'.repeat(2000), 'ä'];
    expect(await send(long, 'br, gzip')).toEqual({ encoding: 'gzip', vary: 'accept-encoding' });
    expect(await send(long, 'gzip;q=0, br')).toEqual({ encoding: null, vary: 'accept-encoding' });
    expect(await send(short, 'gzip')).toEqual({ encoding: null, vary: null });
  });

  it('has no envelope where the row says plain', async () => {
    expect((await call('/open', { headers: { authorization: '' } })).body).toEqual({ open: true });
  });

  it('of a list has paging members in meta', async () => {
    const { body } = await call('/v1/things?limit=3');
    expect(body).toMatchObject({ data: ['a', 'b'], meta: { limit: 3, total: 2, hasNextPage: false } });
  });

  it('is created with an inbound traceparent in the context, unless that is malformed', async () => {
    const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    const id = '01a1fbc9-f58d-705d-9eb8-b04103a0a177';
    const read = async (sent: string) =>
      (await call(`/v1/things/${id}`, { headers: { traceparent: sent } })).body['data'];
    await expect(read(traceparent)).resolves.toMatchObject({ id, one: 1, traceparent });
    await expect(read('00-x-y-01')).resolves.not.toHaveProperty('traceparent');
  });
});

describe('an invalid request', () => {
  it('gets a list of the faults of its members with their paths', async () => {
    const { status, body } = await post('/v1/things', { name: '', params: [] });
    expect(status).toBe(400);
    expect(body).toEqual(errorBody('invalid_request'));
    expect(body['error']).toMatchObject({
      details: {
        issues: [
          { in: 'body', path: 'name' },
          { in: 'body', path: 'params' },
        ],
      },
    });
  });

  it.each([
    ['an unknown member', { name: 'x', role: 'admin' }],
    ['no object', [1]],
    ['null', null],
    ['a text', '"x"'],
    ['a number', '7'],
  ])('gets 400 for a body with %s', async (_what, body) => {
    expect(await post('/v1/things', body)).toMatchObject({ status: 400, body: errorBody('invalid_request') });
  });

  it.each(['x', '01a1fbc9', '%00', 'a'.repeat(400), '%zz', '%ff', '%2e%2e%2fx', '%F0%9F%92%A9'])(
    'gets 400 for an id that is no UUID: %s',
    async (id) => {
      expect(await call(`/v1/things/${id}`)).toMatchObject({ status: 400, body: errorBody('invalid_request') });
    },
  );

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2', 'limit=1e1', 'limit=', 'depth=1', '__proto__=1'])(
    'gets 400 for the query %s',
    async (query) => {
      expect(await call(`/v1/things?${query}`)).toMatchObject({ status: 400, body: errorBody('invalid_request') });
    },
  );

  it('gets 404 for a path parameter of more than 500 characters', async () => {
    expect(await call(`/v1/things/${'a'.repeat(2000)}`)).toMatchObject({ status: 404, body: errorBody('not_found') });
  });

  it.each(['x', '01a1fbc9', 'lf_dev_0123'])(
    'gets 404 for the id %s of a parameter with idOf, before its query is validated',
    async (id) => {
      const message = 'There is no thing with this id: an id is a UUID';
      expect(await call(`/v1/named/${id}?x=1`)).toMatchObject({ status: 404, body: errorBody('not_found', message) });
    },
  );

  it.each([
    ['/nothing', 'There is no such path; the API reference lists all paths'],
    ['/v1/things/x/y', 'There is no such path; the API reference lists all paths'],
    ['/v1/things/', 'There is no path /v1/things/; did you mean /v1/things?'],
    ['/v1/thnigs', 'There is no such path; did you mean /v1/things?'],
    ['/v1/thing/secret', 'There is no such path; did you mean /v1/things/{thingId}?'],
    ['/v1//things', 'There is no path /v1//things; did you mean /v1/things?'],
    ['/health/', 'There is no path /health/; did you mean /health?'],
    ['/V1/things?secret=x', 'There is no path /V1/things; did you mean /v1/things?'],
    ['/v1/things/secret/', 'There is no path /v1/things/{thingId}/; did you mean /v1/things/{thingId}?'],
  ])('gets 404 for the path %s', async (path, message) => {
    expect(await call(path)).toMatchObject({ status: 404, body: errorBody('not_found', message) });
  });

  it.each(['Bearer x', `Bearer lf_dev_${'0'.repeat(64)}`, ''])(
    'gets 401 under /v1 with the Authorization %j, before 404, 405 or a bad escape',
    async (authorization) => {
      for (const [method, path] of [
        ['GET', '/v1/nothing'],
        ['GET', '/v1'],
        ['GET', '/v1/things/'],
        ['DELETE', '/v1/things'],
        ['GET', '/v1/things/%zz'],
      ] as const) {
        const answer = await call(path, { method, headers: { authorization } });
        expect([path, answer.status, answer.body]).toEqual([path, 401, errorBody('unauthorized')]);
      }
      expect(await call('/nothing', { headers: { authorization } })).toMatchObject({ status: 404 });
      expect(await call('/health', { method: 'POST', headers: { authorization } })).toMatchObject({ status: 405 });
    },
  );

  it('gets 405 for an unknown method, with the known ones', async () => {
    const { status, headers, body } = await call('/v1/things', { method: 'DELETE' });
    const message = 'DELETE is not possible on /v1/things; use GET, HEAD or POST';
    expect({ status, body }).toEqual({ status: 405, body: errorBody('method_not_allowed', message) });
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await call('/health', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
    expect((await call('/v1/things', { method: 'OPTIONS' })).status).toBe(405);
    const secret = await call('/v1/named/secret', { method: 'POST' });
    const repeated = 'POST is not possible on /v1/named/{thingId}; use GET or HEAD';
    expect(secret.body).toEqual(errorBody('method_not_allowed', repeated));
  });

  it.each([
    ['text/plain', 'sent as text/plain'],
    ['application/x-www-form-urlencoded', 'sent as application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x', 'sent as multipart/form-data'],
    ['application/vnd.api+json', 'sent as application/vnd.api+json'],
    ['application/json; charset=utf-16', 'sent as application/json; charset=utf-16'],
    ['application/json; charset=latin1', 'sent as application/json; charset=latin1'],
    ['application', 'sent with another Content-Type'],
    ['lf_dev_0123', 'sent with another Content-Type'],
  ])('gets 415 for a body of the type %s', async (type, sent) => {
    const answer = await post('/v1/things', { name: 'x' }, { 'content-type': type });
    const message = `The body is ${sent}: send it as application/json in UTF-8`;
    expect(answer).toMatchObject({ status: 415, body: errorBody('unsupported_media_type', message) });
  });

  it.each([['gzip'], ['br'], ['deflate']])(
    'gets 415 for a body in %s, which is never decompressed',
    async (encoding) => {
      const answer = await post('/v1/things', { name: 'x' }, { 'content-encoding': encoding });
      expect(answer).toMatchObject({ status: 415, body: errorBody('unsupported_media_type') });
    },
  );

  it('gets 415 for a type of 15 kB, which is not read', async () => {
    const type = `application/json; charset=utf-8${' '.repeat(15_000)};`;
    const answer = await post('/v1/things', { name: 'x' }, { 'content-type': type });
    expect(answer).toMatchObject({ status: 415, body: errorBody('unsupported_media_type') });
  });

  it('gets 415 for a body without a type, and 400 without a body', async () => {
    const blob = new Blob(['{"name":"x"}']);
    expect(await call('/v1/things', { method: 'POST', body: blob })).toMatchObject({ status: 415 });
    expect(await call('/v1/things', { method: 'POST' })).toMatchObject({
      status: 400,
      body: errorBody('invalid_request'),
    });
  });

  it.each([
    ['', 'The body is not valid JSON (unexpected end at position 0). Send {} or leave out Content-Type'],
    ['{"name":}', 'The body is not valid JSON (unexpected character } at position 8)'],
    ['{\n"name":"x",\n}', 'The body is not valid JSON (unexpected character } at position 14, in line 3)'],
  ])('gets the position of the fault in the JSON %j', async (body, message) => {
    const answer = await post('/v1/things', body);
    expect(answer).toMatchObject({ status: 400, body: errorBody('invalid_request', message) });
    expect(answer.body['error']).toMatchObject({ details: { issues: [{ in: 'body', path: '' }] } });
  });

  it.each([
    ['/v1/things/%zz', 'The path is not valid: "%zz" at position 11 is not a percent-encoding: write % as %25'],
    ['/v1/things/%', 'The path is not valid: "%" at position 11 is not a percent-encoding: write % as %25'],
    ['/v1/things/%ff', 'The path is not valid: its percent-encoding is not UTF-8'],
  ])('gets the fault of the escape in %s', async (path, message) => {
    expect(await call(path)).toMatchObject({ status: 400, body: errorBody('invalid_request', message) });
  });

  it('gets 400 for a member called __proto__', async () => {
    expect(await post('/v1/things', '{"name":"x","params":{"a":{"\\u005f_proto__":{}}}}')).toMatchObject({
      status: 400,
      body: errorBody(
        'invalid_request',
        'The request is not valid: params.a.__proto__ is a name that no member may have',
      ),
    });
  });

  it('gets 400 with the names of query parameters that the endpoint does not have', async () => {
    const id = '01a1fbc9-f58d-705d-9eb8-b04103a0a177';
    const answer = await call(`/v1/things/${id}?expand=all&x=1`);
    expect(answer).toMatchObject({ status: 400, body: errorBody('invalid_request') });
    expect(answer.body['error']).toMatchObject({
      details: {
        issues: [
          { in: 'query', path: 'expand' },
          { in: 'query', path: 'x' },
        ],
      },
    });
    expect((await post('/v1/limited?x=1', { name: 'x' })).status).toBe(400);
    expect((await call('/health?x=1')).status).toBe(200);
  });

  it('is not one with a JSON Content-Type and no body, where the endpoint takes no body', async () => {
    const id = '01a1fbc9-f58d-705d-9eb8-b04103a0a177';
    const headers = { 'content-type': 'application/json' };
    expect(await call(`/v1/things/${id}`, { method: 'DELETE', headers })).toMatchObject({ status: 200 });
    expect(await call(`/v1/things/${id}`, { method: 'DELETE' })).toMatchObject({ status: 200 });
    expect(await call(`/v1/things/${id}`, { method: 'DELETE', headers, body: '{' })).toMatchObject({ status: 400 });
  });

  it.each([['application/json'], ['application/json; charset=utf-8'], ['APPLICATION/JSON;charset="UTF-8"']])(
    'is not one with the Content-Type %s',
    async (type) => {
      expect(await post('/v1/things', { name: 'x' }, { 'content-type': type })).toMatchObject({ status: 202 });
    },
  );

  it('gets 413 for a body one byte above the limit', async () => {
    const limit = 262_144;
    const fill = (bytes: number) =>
      JSON.stringify({ name: 'x', params: { a: '' } }).replace('""', `"${'a'.repeat(bytes)}"`);
    const empty = fill(0).length;
    expect(await post('/v1/things', fill(limit - empty))).toMatchObject({ status: 202 });
    const tooLarge = async (bytes: number) => (await post('/v1/things', fill(bytes - empty))).body['error'];
    expect(await tooLarge(limit + 1)).toEqual({
      code: 'payload_too_large',
      message: 'The body is 262145 bytes; the limit is 262144 bytes',
      details: { limitBytes: limit, bodyBytes: limit + 1 },
    });
    expect(await tooLarge(319_488)).toMatchObject({ message: 'The body is 312 kB; the limit is 256 kB' });
  });
});

describe('a large body', () => {
  const fill = (bytes: number, members: number) => {
    const params = Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, 0]));
    const document = (filler: string) => JSON.stringify({ name: 'x', params: { ...params, filler } });
    return document('a'.repeat(bytes - document('').length));
  };

  /** Sends the beginning of a large body. */
  const beginUpload = (): { answer: Promise<number>; end: () => void; isAnswered: () => boolean } => {
    const body = fill(500_000, 10);
    const headers = {
      authorization: `Bearer ${token.value}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const sending = request(`${service.url}/v1/things/import`, { method: 'POST', headers });
    sending.write(body.slice(0, 1000));
    let answered = false;
    const answer = new Promise<number>((resolve, reject) => {
      sending.once('error', reject).once('response', (response) => {
        answered = true;
        response.resume();
        resolve(response.statusCode ?? 0);
      });
    });
    return { answer, end: () => sending.end(body.slice(1000)), isAnswered: () => answered };
  };

  it('has its own limits of bytes and members', async () => {
    expect(await post('/v1/things/import', fill(600_000, 4900))).toMatchObject({ status: 200 });
    expect(await post('/v1/things/import', fill(600_001, 10))).toMatchObject({ status: 413 });
    expect(await post('/v1/things/import', fill(200_000, 5000))).toMatchObject({ status: 400 });
    expect(await post('/v1/things', fill(200_000, 4900))).toMatchObject({ status: 400 });
  });

  it('gets 503 while others are being read; a small one does not', async () => {
    let others = [beginUpload(), beginUpload()];
    await until(async () => {
      // An upload that was refused because this request came first starts again.
      others = others.map((each) => (each.isAnswered() ? beginUpload() : each));
      return (await post('/v1/things/import', fill(300_000, 10))).status === 503;
    });
    expect(await post('/v1/things/import', { name: 'small' })).toMatchObject({ status: 200 });
    for (const { end } of others) end();
    expect(await Promise.all(others.map(({ answer }) => answer))).toEqual([200, 200]);
    await until(async () => (await post('/v1/things/import', fill(300_000, 10))).status === 200);
  });
});

describe('an error of a use case', () => {
  it.each([
    ['missing', 404, 'not_found'],
    ['reused', 400, 'idempotency_key_reused'],
    ['unique', 409, 'conflict'],
    ['form', 400, 'invalid_request'],
    ['unreachable', 503, 'service_unavailable'],
  ])('%s becomes %i %s', async (name, status, code) => {
    expect(await post('/v1/fail', { name })).toMatchObject({ status, body: errorBody(code) });
  });

  it('has Retry-After when the database is unavailable', async () => {
    expect((await post('/v1/fail', { name: 'unreachable' })).headers.get('retry-after')).toBe('1');
  });

  it.each(['unexpected', 'no error'])('becomes 500 without its message when it is unexpected: %s', async (name) => {
    const { status, body } = await post('/v1/fail', { name });
    expect({ status, body }).toEqual({ status: 500, body: errorBody('internal_error') });
    expect(JSON.stringify(body)).not.toMatch(/secret|just words|stack|at /);
    const { requestId } = body['meta'] as { requestId: string };
    const line = service.lines.find((each) => each.includes(requestId) && each.includes('request failed'));
    expect(line).toMatch(/"level":"error"/);
    expect(line).not.toMatch(/lf_dev_[0-9a-f]{64}/);
  });
});

describe('the request log', () => {
  const lineOf = (requestId: string) =>
    service.lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find((line) => line['requestId'] === requestId);

  it('has one line per request with the pattern of its route, never query, path or body', async () => {
    const { headers } = await call('/v1/things?limit=3&token=hidden1', { method: 'GET' });
    const line = lineOf(headers.get('x-request-id') ?? '');
    expect(line).toMatchObject({ method: 'GET', route: '/v1/things', status: 400, account: token.accountId });
    expect(line).toHaveProperty('durationMs', expect.any(Number));
    const created = await post('/v1/things', { name: 'hidden2' }, { cookie: 'hidden3' });
    expect(lineOf(created.headers.get('x-request-id') ?? '')).toMatchObject({ route: '/v1/things', status: 202 });
    await call('/hidden4');
    expect(service.lines.join('')).not.toMatch(/hidden\d|Bearer|lf_dev_[0-9a-f]/);
  });

  it('has the request id of the ingress, unless it is malformed', async () => {
    const lineWith = async (id: string) => {
      const { headers } = await call('/v1/things', { headers: { 'x-request-id': id } });
      return lineOf(headers.get('x-request-id') ?? '');
    };
    expect(await lineWith('5f0c7a1e9b')).toMatchObject({ ingressRequestId: '5f0c7a1e9b' });
    expect(await lineWith('no id {}')).not.toHaveProperty('ingressRequestId');
    expect(await lineWith('x'.repeat(129))).not.toHaveProperty('ingressRequestId');
  });

  it('has a share of the successful requests and all others with LOG_SUCCESS_PERCENT', async () => {
    const sampled = await setup.start({ LOG_SUCCESS_PERCENT: '20', LENSFORGE_TRUSTED_PROXIES: '192.0.2.1' });
    const headers = { authorization: `Bearer ${token.value}`, 'x-request-id': 'spoofed' };
    for (let n = 0; n < 10; n += 1) {
      await (await fetch(`${sampled.url}/v1/things?limit=3`, { headers })).text();
      await (await fetch(`${sampled.url}/nowhere`, { headers })).text();
    }
    const lines = sampled.lines.filter((line) => line.includes('"msg":"request"'));
    expect(lines.filter((line) => line.includes('"status":404'))).toHaveLength(10);
    const successes = lines.filter((line) => line.includes('"status":200'));
    expect(successes).toHaveLength(2);
    expect(successes[0]).toContain('"successPercent":20');
    expect(lines.join('')).not.toContain('spoofed');
  });

  it('writes probes at debug', async () => {
    await call('/live');
    expect(service.lines.find((line) => line.includes('"/live"'))).toContain('"level":"debug"');
  });
});

describe('/metrics', () => {
  it('times requests by method, route and status, and counts pool connections and process memory', async () => {
    await call('/v1/things?limit=1');
    await call('/some-unknown-path');
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const requests = 'lensforge_http_request_duration_seconds_count';
    expect(text).toContain(`${requests}{service="tiny",method="GET",route="/v1/things",status="200"}`);
    expect(text).toContain(`${requests}{service="tiny",method="GET",route="(none)",status="404"}`);
    expect(text).not.toContain('some-unknown-path');
    expect(text).toContain('lensforge_database_pool_connections{state="waiting",service="tiny"} 0');
    expect(text).toContain('process_resident_memory_bytes');
  });
});
