import { type RestErrorCode, restErrorCodes } from '@lensforge/contracts';
import { faultOfDetails } from '@lensforge/contracts/testing';
import { isUuid } from '@lensforge/core';
import { until } from '@lensforge/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bodyOf, rawCall, statusOf } from './raw-call.js';
import { type TinyService, type TinySetup, tinySetup } from './tiny-service.js';

let setup: TinySetup;
let service: TinyService;
let authorization: string;

beforeAll(async () => {
  setup = await tinySetup();
  service = await setup.start();
  authorization = `Bearer ${(await setup.token()).value}`;
});
afterAll(() => setup.stop());

const expectEnvelope = (body: unknown): void => {
  const { error, meta, ...rest } = body as {
    error: { code: RestErrorCode; message: unknown; details?: unknown };
    meta: { requestId: string };
  };
  expect(rest).toEqual({});
  expect(restErrorCodes).toContain(error.code);
  expect(faultOfDetails(error.code, error.details)).toBeUndefined();
  expect(typeof error.message).toBe('string');
  expect(isUuid(meta.requestId)).toBe(true);
};

async function post(body: string | Buffer, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}/v1/things`, {
    method: 'POST',
    body,
    headers: { authorization, 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, body: await answer.json() };
}

afterEach(async () => {
  expect((await fetch(`${service.url}/live`)).status).toBe(200);
});

const raw = (head: string, ...rest: (string | Buffer)[]) =>
  rawCall(service.url, `${head}\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n`, ...rest);

const rawPost = (headers: string, ...body: (string | Buffer)[]) =>
  raw('POST /v1/things HTTP/1.1', `Content-Type: application/json\r\n${headers}\r\n`, ...body);

describe('a hostile body', () => {
  it.each([
    ['no JSON', '{'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"name":"x",}'],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, 0x22, 0x7d])],
    ['an overlong encoding', Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0x80, 0x22, 0x7d])],
    ['NUL in a text', '{"name":"a\\u0000b"}'],
    ['NUL in a member', '{"name":"x","params":{"a\\u0000":1}}'],
    ['half of a surrogate pair', '{"name":"\\ud800"}'],
    ['half of a pair in a member', '{"name":"x","params":{"\\udc00":1}}'],
    ['a number beyond all numbers', '{"name":"x","params":{"n":1e400}}'],
    ['200,000 nested arrays', `{"name":"x","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`],
    ['120,000 nested objects', '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000)],
    [
      'too many members',
      JSON.stringify({ name: 'x', params: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, 1])) }),
    ],
    ['a prototype', '{"name":"x","params":{"__proto__":{"polluted":true}}}'],
    ['an escaped prototype', '{"name":"x","params":{"\\u005f_proto__":{"polluted":true}}}'],
    ['a constructor', '{"name":"x","params":{"constructor":{"prototype":{"polluted":true}}}}'],
  ])('gets 400 for %s', async (_what, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expectEnvelope(answer.body);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('may begin with a byte order mark', async () => {
    expect(await post('\ufeff{"name":"x"}')).toMatchObject({ status: 202 });
  });

  it('is read with the last of two equal members', async () => {
    expect(await post('{"name":"","name":"x"}')).toMatchObject({ status: 202, body: { data: { name: 'x' } } });
  });

  it('is read only up to the limit when it is chunked', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const answer = await rawPost('Transfer-Encoding: chunked\r\n', ...Array.from({ length: 40 }, () => chunk));
    expect(statusOf(answer)).toBe(413);
  });

  it('is not read from a caller without a credential', async () => {
    const answer = await rawCall(
      service.url,
      'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{"name"',
    );
    expect(statusOf(answer)).toBe(401);
  });

  it('never causes a 5xx, for any JSON', async () => {
    const value = fc.json({ maxDepth: 4, stringUnit: 'binary' });
    await fc.assert(
      fc.asyncProperty(value, async (body) => {
        const answer = await post(body);
        expect([202, 400]).toContain(answer.status);
        if (answer.status === 400) expectEnvelope(answer.body);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a hostile request', () => {
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header without a name', 'GET /open HTTP/1.1\r\n: x\r\n\r\n', 400],
    ['a header line without a colon', 'GET /open HTTP/1.1\r\nHost: x\r\nnothing\r\n\r\n', 400],
    ['NUL in a header', 'GET /open HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n', 400],
    ['a space before the colon', 'GET /open HTTP/1.1\r\nHost : x\r\n\r\n', 400],
    ['no Host', 'GET /open HTTP/1.1\r\n\r\n', 400],
    ['NUL in the path', 'GET /open\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['64 kB of headers', `GET /open HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(65_536)}\r\n\r\n`, 431],
    ['a path of 64 kB', `GET /${'a'.repeat(65_536)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['TRACE', 'TRACE /open HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['PATCH', 'PATCH /open HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n', 405],
    ['PROPFIND', 'PROPFIND /open HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n', 405],
    ['PATCH under /v1 and no credential', 'PATCH /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n', 401],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a bad escape in the path', 'GET /open/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a bad escape under /v1 and no credential', 'GET /v1/things/%zz HTTP/1.1\r\nHost: x\r\n\r\n', 401],
    ['an escaped NUL in the path', 'GET /nothing%00 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ])('with %s gets an error in the envelope', async (_what, bytes, status) => {
    const answer = await rawCall(service.url, bytes);
    expect(statusOf(answer)).toBe(status);
    expectEnvelope(bodyOf(answer));
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
  });

  it.each([
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 12\r\nContent-Length: 13\r\n'],
    ['a length that is no number', 'Content-Length: 1e1\r\n'],
    ['a negative length', 'Content-Length: -1\r\n'],
    ['an unknown encoding', 'Transfer-Encoding: chonked\r\n'],
    ['chunked twice', 'Transfer-Encoding: chunked, chunked\r\n'],
  ])('with %s is refused, and its connection is closed', async (_what, headers) => {
    const answer = await rawPost(headers, '{"name":"x"}');
    expect(statusOf(answer)).toBe(400);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it.each([
    ['a chunk size that is no number', 'zz\r\n{"name":"x"}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '3\r\n{"name":"x"}\r\n0\r\n\r\n'],
    ['an endless chunk size', `${'f'.repeat(40)}\r\n`],
  ])('with %s is refused', async (_what, body) => {
    expect(statusOf(await rawPost('Transfer-Encoding: chunked\r\n', body))).toBe(400);
  });

  it('with two content types is read by the first', async () => {
    const body = '{"name":"x"}';
    const types = (...names: string[]) => names.map((name) => `Content-Type: ${name}\r\n`).join('');
    const send = (headers: string) =>
      raw('POST /v1/things HTTP/1.1', `${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
    expect(statusOf(await send(types('application/json', 'text/plain')))).toBe(202);
    expect(statusOf(await send(types('text/plain', 'application/json')))).toBe(415);
  });

  it('cannot split response headers or log lines', async () => {
    const before = service.lines.length;
    await raw('GET /x%0d%0aSet-Cookie:%20a=b%0d%0a HTTP/1.1', '\r\n');
    const answer = await raw('GET /v1/things?limit=%0d%0aX:%20y HTTP/1.1', 'X-Request-Id: a\tb\r\n\r\n');
    expect(answer).not.toMatch(/^(Set-Cookie|X):/im);
    for (const line of service.lines.slice(before)) expect(() => void JSON.parse(line)).not.toThrow();
  });

  it('with an unknown Expect header is served', async () => {
    expect(statusOf(await raw('GET /open HTTP/1.1', 'Expect: miracles\r\n\r\n'))).toBe(200);
  });

  it('with an Upgrade header is served over HTTP', async () => {
    expect(statusOf(await raw('GET /open HTTP/1.1', 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n'))).toBe(200);
  });

  it('with forwarding headers of its own is served as without', async () => {
    const headers = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const answer = await fetch(`${service.url}/nothing`, { headers });
    expect(await answer.text()).not.toContain('evil');
    expect(answer.headers.has('strict-transport-security')).toBe(false);
  });

  it.each([
    'Basic eDp5',
    'Bearer',
    'Bearer ',
    `Bearer ${'a'.repeat(200)}`,
    'bearer lf_dev_zz',
    'Bearer a b',
    'Bearer a,b',
  ])('with the Authorization %j gets 401', async (sent) => {
    const answer = await fetch(`${service.url}/v1/things`, { headers: { authorization: sent } });
    expect(answer.status).toBe(401);
    expectEnvelope(await answer.json());
  });

  it('that breaks off leaves one log line', async () => {
    const { hostname, port } = new URL(service.url);
    const { connect } = await import('node:net');
    const before = service.lines.length;
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`,
        );
        socket.write('Content-Length: 100\r\n\r\n{"name":');
        setTimeout(() => socket.destroy(), 100);
        setTimeout(resolve, 300);
      });
    });
    await until(() => service.lines.length > before);
    const lines = service.lines.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([expect.objectContaining({ route: '/v1/things', aborted: true, level: 'info' })]);
  });
});
