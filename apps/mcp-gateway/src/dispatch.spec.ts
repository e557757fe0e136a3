import type { Context } from '@lensforge/core';
import { describe, expect, it } from '@jest/globals';
import type { Tool } from '@lensforge/tools';
import { type MessageOptions, createDispatch } from './dispatch.js';
import type { CallRecord } from './tool-calls.js';

const actor = { credential: { kind: 'mcp', id: 't' }, accountId: 'a', userId: null, scopes: ['lenses:read'] };
const ctx = { actor } as unknown as Context;
const echo: Tool = {
  name: 'echo',
  class: 'Read',
  rate: 'read',
  scope: 'lenses:read',
  errors: [],
  listed: { name: 'echo', inputSchema: { type: 'object' } },
  call: (_ctx, args) => Promise.resolve({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
};
const broken: Tool = { ...echo, name: 'broken', call: () => Promise.reject(new Error('inner')) };

const faults: unknown[] = [];
const records: CallRecord[] = [];
const dispatch = createDispatch({
  tools: [echo, broken],
  onFault: (error) => faults.push(error),
  onCall: (record) => records.push(record),
});
const send = async (message: unknown) => (await dispatch(ctx, message, { era: 'legacy' })).reply;
const request = (method: string, params?: unknown, id: unknown = 1) => send({ jsonrpc: '2.0', id, method, params });
const error = (code: number, id: unknown = 1) => ({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } });

describe('the dispatcher', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'accepts the protocol version %s',
    async (protocolVersion) => {
      expect(await request('initialize', { protocolVersion, capabilities: {}, clientInfo: {} })).toMatchObject({
        id: 1,
        result: {
          protocolVersion,
          capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
          serverInfo: { name: 'lensforge' },
        },
      });
    },
  );

  it('offers its newest version to a client with an unknown one', async () => {
    expect(await request('initialize', { protocolVersion: '1999-01-01' })).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    });
  });

  it('answers ping with the same id', async () => {
    for (const id of [0, 1, -1, 1.5, '', 'x', 'é']) {
      expect(await request('ping', undefined, id)).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
  });

  it('lists and calls tools without an initialize', async () => {
    expect(await request('tools/list')).toMatchObject({ result: { tools: [echo.listed, broken.listed] } });
    expect(await request('tools/call', { name: 'echo', arguments: { a: 1 } })).toMatchObject({
      result: { content: [{ text: '{"a":1}' }] },
    });
  });

  it.each([
    ['an unknown method', 'frob', {}, -32601],
    ['a method of Object.prototype', 'toString', {}, -32601],
    ['params that are not an object', 'ping', [1], -32602],
    ['an unknown tool', 'tools/call', { name: 'frob' }, -32602],
    ['a tool without a name', 'tools/call', {}, -32602],
    ['an unknown page', 'tools/list', { cursor: 'x' }, -32602],
  ])('refuses %s', async (_what, method, params, code) => {
    expect(await request(method, params)).toEqual(error(code));
  });

  it.each([
    [{}, 'params.name is required: the name of a tool, as tools/list gives it'],
    [{ name: 7 }, 'params.name must be a string: the name of a tool, as tools/list gives it'],
    [{ name: 'frob' }, 'params.name: there is no tool "frob"; tools/list gives the names of all'],
    [{ name: 'Ecko' }, 'params.name: there is no tool "Ecko"; did you mean echo?'],
  ])('explains what is wrong with the tool name in the params %j', async (params, message) => {
    expect(await request('tools/call', params)).toMatchObject({ error: { code: -32602, message } });
  });

  it('lists the known methods for an unknown one', async () => {
    expect(await request('frob')).toMatchObject({
      error: {
        message:
          'There is no method "frob"; the methods are initialize, ping, tools/list, tools/call, prompts/list, prompts/get, completion/complete, resources/list, resources/templates/list, resources/read',
      },
    });
  });

  it.each([
    [null],
    [7],
    ['x'],
    [{}],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }],
    [{ jsonrpc: '2.0', id: true, method: 'ping' }],
    [{ jsonrpc: '2.0', id: 1 }],
    [{ jsonrpc: '2.0', id: 1, method: 7 }],
  ])('refuses %j as an invalid request', async (message) => {
    expect(await send(message)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  it('sends no reply to notifications and responses', async () => {
    expect(await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
    expect(await send({ jsonrpc: '2.0', method: 'frob' })).toBeUndefined();
    expect(await send({ jsonrpc: '2.0', id: 1, result: {} })).toBeUndefined();
  });

  it('answers the requests of a batch in order', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const batch = [ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, 7, ping(2)];
    expect(await send(batch)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      error(-32600, null),
      { ...ping(2), method: undefined, result: {} },
    ]);
    expect(await send([batch[1]])).toBeUndefined();
    expect(await send([])).toEqual(error(-32600, null));
    expect(await send(Array.from({ length: 10_000 }, (_, id) => ping(id)))).toEqual(error(-32600, null));
  });

  it('reports an internal error without its message', async () => {
    const answer = await request('tools/call', { name: 'broken' });
    expect(answer).toEqual(error(-32603));
    expect(JSON.stringify(answer)).not.toContain('inner');
    expect(faults).toEqual([new Error('inner')]);
  });
});

it('the dispatcher records outcome and duration of each call, without its arguments', async () => {
  records.length = 0;
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { secret: 'x' } } };
  await dispatch(ctx, call, { era: 'legacy', session: 'mine' });
  await dispatch(ctx, call, { era: 'legacy', signal: AbortSignal.abort() });
  await dispatch(ctx, { ...call, params: { name: 'broken' } }, { era: 'legacy' });
  expect(records).toEqual([
    { ctx, session: 'mine', tool: 'echo', class: 'Read', outcome: 'ok', durationMs: expect.any(Number) },
    { ctx, tool: 'echo', class: 'Read', outcome: 'abandoned', durationMs: expect.any(Number) },
    { ctx, tool: 'broken', class: 'Read', outcome: 'fault', durationMs: expect.any(Number) },
  ]);
});

describe('the dispatcher, for the stateless revision,', () => {
  const version = 'io.modelcontextprotocol/protocolVersion';
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const serverInfo = { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'lensforge' }) };
  const envelope = { [version]: '2026-07-28', [capabilities]: {} };
  const modernRequest = (method: string, params: object = {}, meta: object = envelope) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: meta },
  });
  const dispatchModern = (message: unknown, repeated?: MessageOptions['repeated']) =>
    dispatch(ctx, message, { era: 'modern', ...(repeated && { repeated }) });

  it('answers server/discover', async () => {
    expect(await dispatchModern(modernRequest('server/discover'))).toEqual({
      reply: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
          capabilities: {
            tools: {},
            prompts: {},
            resources: {},
            completions: {},
            extensions: { 'io.modelcontextprotocol/tasks': {} },
          },
          instructions: expect.any(String),
          ttlMs: expect.any(Number),
          cacheScope: 'public',
          _meta: serverInfo,
        },
      },
    });
  });

  it('marks each result as complete and lists as cacheable', async () => {
    expect(await dispatchModern(modernRequest('tools/list'))).toMatchObject({
      reply: { result: { resultType: 'complete', tools: [{}, {}], ttlMs: 300_000, cacheScope: 'private' } },
    });
    expect(await dispatchModern(modernRequest('tools/call', { name: 'echo', arguments: { a: 1 } }))).toMatchObject({
      reply: { result: { resultType: 'complete', content: [{ text: '{"a":1}' }], _meta: serverInfo } },
    });
  });

  it.each(['initialize', 'ping', 'notifications/x', 'frob', 'constructor'])('refuses the method %s', async (method) => {
    expect(await dispatchModern(modernRequest(method))).toEqual({ reply: error(-32601), refused: 'unknown method' });
  });

  it.each([
    ['no envelope', undefined],
    ['an empty envelope', {}],
    ['no capabilities', { [version]: '2026-07-28' }],
    ['invalid capabilities', { [version]: '2026-07-28', [capabilities]: [] }],
    ['no version', { [capabilities]: {} }],
    ['an invalid version', { [version]: 7, [capabilities]: {} }],
  ])('refuses a request with %s', async (_what, meta) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: meta && { _meta: meta } };
    expect(await dispatchModern(message)).toMatchObject({ reply: error(-32602), refused: 'malformed' });
  });

  it('names its versions to a client with an unsupported one', async () => {
    expect(
      await dispatchModern(modernRequest('tools/list', {}, { ...envelope, [version]: '2099-01-01' })),
    ).toMatchObject({
      reply: {
        error: {
          code: -32022,
          data: { supported: expect.arrayContaining(['2026-07-28', '2025-11-25']), requested: '2099-01-01' },
        },
      },
      refused: 'malformed',
    });
  });

  const call = modernRequest('tools/call', { name: 'echo' });
  const matching = { version: '2026-07-28', method: 'tools/call', name: 'echo' };

  it.each([
    ['no version', { ...matching, version: undefined }],
    ['another version', { ...matching, version: '2025-11-25' }],
    ['no method', { ...matching, method: undefined }],
    ['another method', { ...matching, method: 'tools/list' }],
    ['a method in capitals', { ...matching, method: 'TOOLS/CALL' }],
    ['no name', { ...matching, name: undefined }],
    ['another name', { ...matching, name: 'broken' }],
    ['another name in Base64', { ...matching, name: '=?base64?YnJva2Vu?=' }],
    ['broken Base64', { ...matching, name: '=?base64?*?=' }],
  ])('refuses headers with %s', async (_what, repeated) => {
    expect(await dispatchModern(call, repeated)).toEqual({ reply: error(-32020), refused: 'malformed' });
  });

  it('accepts headers that match the body, also in Base64', async () => {
    for (const name of ['echo', '=?base64?ZWNobw==?=']) {
      expect(await dispatchModern(call, { ...matching, name })).toMatchObject({
        reply: { result: { resultType: 'complete' } },
      });
    }
    const list = { version: '2026-07-28', method: 'tools/list', name: undefined };
    expect(await dispatchModern(modernRequest('tools/list'), list)).toMatchObject({ reply: { result: {} } });
  });

  it('refuses batches and responses, and accepts notifications', async () => {
    expect(await dispatchModern([call])).toEqual({ reply: error(-32600, null), refused: 'malformed' });
    expect(await dispatchModern({ jsonrpc: '2.0', method: 'notifications/cancelled' })).toEqual({});
    expect(await dispatchModern({ jsonrpc: '2.0', id: 1, result: {} })).toEqual({
      reply: error(-32600),
      refused: 'malformed',
    });
  });
});
