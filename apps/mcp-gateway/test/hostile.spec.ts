import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '@lensforge/contracts';
import { nearMembers } from '@lensforge/contracts/testing';
import { toolErrorCodes, tools } from '@lensforge/tools';
import fc from 'fast-check';
import { createDispatch } from '../src/dispatch.js';
import { detectEra } from '../src/protocol.js';
import { type Fixtures, someFixtures } from './examples/fixtures.js';
import { McpService, type ToolAnswer, contentOf, failureOf } from './mcp-service.js';
import { restNamesIn } from './rest-names.js';

/** WILD_INPUTS=5000 npm test -- apps/mcp-gateway/test/hostile.spec.ts tries more inputs. */
const cases = Number(process.env['WILD_INPUTS'] ?? 500);

let service: McpService;
let fixtures: Fixtures;

beforeAll(async () => {
  service = await McpService.start();
  fixtures = await someFixtures(service);
});
afterAll(() => service.stop());

afterEach(async () => {
  expect((await fetch(service.url.replace('/mcp', '/live'))).status).toBe(200);
});

const codeOf = async (body: unknown, headers: Record<string, string> = {}) => {
  const answer = await service.send(body, fixtures.mine.bearer, headers);
  const { error } = (await answer.json()) as { error?: { code: number } };
  return { status: answer.status, code: error?.code };
};

const inParams = (member: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":${member}}`;

describe('a malicious message', () => {
  it.each([
    ['invalid JSON', '{', -32700],
    ['two values', '{} {}', -32700],
    ['UTF-16', Buffer.from('{}', 'utf16le'), -32700],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), -32700],
    ['a text', '"ping"', -32600],
    ['a number', '7', -32600],
    ['null', 'null', -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['an id that is not finite', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', -32600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['a batch of 10,000', JSON.stringify(Array.from({ length: 10_000 }, () => 1)), -32600],
    ['an empty batch', '[]', -32600],
  ])('is answered with 400 for %s', async (_what, body, code) => {
    const answer = await fetch(service.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${fixtures.mine.bearer}` },
      body,
    });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 400,
      body: { error: { code } },
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('may begin with a byte order mark and repeat a member', async () => {
    expect(await codeOf(`\ufeff${inParams('{}')}`)).toEqual({ status: 200, code: undefined });
    expect(await codeOf('{"jsonrpc":"2.0","id":1,"method":"frob","method":"ping"}')).toEqual({
      status: 200,
      code: undefined,
    });
  });

  it('is refused for its depth, its numbers or its members', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const wide = JSON.stringify({ values: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [at, '1'])) });
    const prototype = '{"lens_id":"x","__proto__":{"polluted":true}}';
    for (const args of [deep, wide, '{"lens_id":1e400}', '{"lens_id":"\\u0000"}', '{"lens_id":"\\ud800"}', prototype]) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_lens","arguments":${args}}}`;
      const answer = await service.send(body, fixtures.mine.bearer);
      const { result } = (await answer.json()) as { result: ToolAnswer };
      expect({ status: answer.status, ...failureOf(result) }).toMatchObject({ status: 200, code: 'BAD_INPUT' });
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is answered with the name of a __proto__ member or the position of a JSON error', async () => {
    const call = (args: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_lens","arguments":${args}}}`;
    const { result } = (await (
      await service.send(call('{"lens_id":"x","param_values":{"__proto__":"y"}}'), fixtures.mine.bearer)
    ).json()) as { result: ToolAnswer };
    expect(failureOf(result)).toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('param_values.__proto__ is a name that no member may have'),
    });
    for (const [body, fault] of [
      ['', 'unexpected end at position 0'],
      ['{"jsonrpc":}', 'unexpected character } at position 11'],
    ] as const) {
      expect(await (await service.send(body, fixtures.mine.bearer)).json()).toMatchObject({
        error: { code: -32700, message: `Parse error: The body is not valid JSON (${fault})` },
      });
    }
  });

  it('is refused when its body exceeds the limit', async () => {
    const { status } = await service.send('x'.repeat(2_097_153), fixtures.mine.bearer);
    expect(status).toBe(413);
  });
});

const rawCall = (text: string): Promise<string> => {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
    let answer = '';
    const end = (): void => {
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(end, 3000);
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket
      .on('close', () => clearTimeout(timer))
      .on('close', end)
      .on('error', end);
  });
};

describe('a malicious HTTP request', () => {
  const head = () => `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${fixtures.mine.bearer}\r\n`;
  const json = 'Content-Type: application/json\r\n';

  it.each([
    [
      'invalid chunks',
      () => `POST /mcp HTTP/1.1\r\n${head()}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    ],
    ['two lengths', () => `POST /mcp HTTP/1.1\r\n${head()}${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'a length and chunks',
      () => `POST /mcp HTTP/1.1\r\n${head()}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['64 kB of headers', () => `POST /mcp HTTP/1.1\r\n${head()}X: ${'x'.repeat(65_536)}\r\n\r\n`],
    ['a path with NUL', () => `POST /mcp%00 HTTP/1.1\r\n${head()}${json}Content-Length: 2\r\n\r\n{}`],
    ['TRACE', () => `TRACE /mcp HTTP/1.1\r\n${head()}\r\n`],
    ['CONNECT', () => `CONNECT /mcp HTTP/1.1\r\n${head()}\r\n`],
    ['an unknown method', () => `FROB /mcp HTTP/1.1\r\n${head()}\r\n`],
    [
      'a compressed body',
      () => `POST /mcp HTTP/1.1\r\n${head()}${json}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    ['no Host', () => `POST /mcp HTTP/1.1\r\nConnection: close\r\n${json}Content-Length: 2\r\n\r\n{}`],
  ])('is refused for %s', async (_what, request) => {
    expect(await rawCall(request())).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
  });

  it('cannot inject header lines with its session id', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const request = `POST /mcp HTTP/1.1\r\n${head()}${json}Mcp-Session-Id: a\tb\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const answer = await rawCall(request);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).not.toContain('mcp-session-id');
  });
});

describe('a random message', () => {
  const faults: unknown[] = [];
  const dispatch = createDispatch({ tools, onFault: (error) => faults.push(error) });
  const dispatchMessage = (message: unknown) => dispatch(fixtures.mine.ctx, message, { era: detectEra(message) });
  afterEach(() => expect(faults).toEqual([]));

  it('gets a valid JSON-RPC reply or none', async () => {
    const message = fc.record(
      {
        jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant('2.0') }, fc.jsonValue()),
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        method: fc.oneof(
          fc.constantFrom('initialize', 'ping', 'tools/list', 'server/discover', 'notifications/cancelled', 'toString'),
          fc.string(),
          fc.jsonValue(),
        ),
        params: fc.oneof(
          fc.constant({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
          fc.dictionary(fc.constantFrom('_meta', 'cursor', 'name', 'arguments', 'protocolVersion'), fc.jsonValue()),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.array(message, { maxLength: 22 }), fc.jsonValue()), async (input) => {
        const { reply } = await dispatchMessage(input);
        for (const each of reply === undefined ? [] : [reply].flat()) {
          expect(each.jsonrpc).toBe('2.0');
          if ('error' in each) expect(each.error.code).toBeLessThan(-32000);
          else expect(typeof each.result).toBe('object');
        }
      }),
      { numRuns: 4 * cases },
    );
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'to %s gets a result or a documented error',
    async (name, { listed }) => {
      const { properties } = listed['inputSchema'] as { properties: Record<string, JsonSchema> };
      const known = [fixtures.myLens.id, fixtures.theirPublic.id, fixtures.missing];
      await fc.assert(
        fc.asyncProperty(nearMembers(properties, known), async (input) => {
          const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
          const { reply } = (await dispatchMessage(message)) as { reply: { result: ToolAnswer } };
          if (!reply.result.isError) expect(contentOf(reply.result)).toBeTruthy();
          else {
            expect(toolErrorCodes as readonly string[]).toContain(failureOf(reply.result).code);
            expect(restNamesIn(failureOf(reply.result))).toEqual([]);
          }
        }),
        { numRuns: cases },
      );
    },
  );
});
