import type { Context } from '@lensforge/core';
import { describe, expect, it } from '@jest/globals';
import type { MessageOptions } from './dispatch.js';
import { createDispatch } from './dispatch.js';
import type { Tool } from './tool.js';
import type { CallRecord } from './tool-calls.js';

const actor = { credential: { kind: 'mcp', id: 't' }, accountId: 'a', userId: null, scopes: [] };
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
const notes: CallRecord[] = [];
const dispatch = createDispatch({
  tools: [echo, broken],
  onFault: (error) => faults.push(error),
  onCall: (note) => notes.push(note),
});
const say = async (message: unknown) => (await dispatch(ctx, message, { era: 'legacy' })).reply;
const ask = (method: string, params?: unknown, id: unknown = 1) => say({ jsonrpc: '2.0', id, method, params });
const error = (code: number, id: unknown = 1) => ({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } });

describe('the dispatcher', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('agrees to speak %s', async (protocolVersion) => {
    expect(await ask('initialize', { protocolVersion, capabilities: {}, clientInfo: {} })).toMatchObject({
      id: 1,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'lensforge' } },
    });
  });

  it('offers its newest version to a client that speaks another', async () => {
    expect(await ask('initialize', { protocolVersion: '1999-01-01' })).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    });
  });

  it('answers ping, with the id as it came', async () => {
    for (const id of [0, 1, -1, 1.5, '', 'x', 'é']) {
      expect(await ask('ping', undefined, id)).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
  });

  it('lists and calls tools without an initialize', async () => {
    expect(await ask('tools/list')).toMatchObject({ result: { tools: [echo.listed, broken.listed] } });
    expect(await ask('tools/call', { name: 'echo', arguments: { a: 1 } })).toMatchObject({
      result: { content: [{ text: '{"a":1}' }] },
    });
  });

  it.each([
    ['an unknown method', 'frob', {}, -32601],
    ['a method of all objects', 'toString', {}, -32601],
    ['params that are no object', 'ping', [1], -32602],
    ['an unknown tool', 'tools/call', { name: 'frob' }, -32602],
    ['a tool without a name', 'tools/call', {}, -32602],
    ['a page there is not', 'tools/list', { cursor: 'x' }, -32602],
  ])('refuses %s', async (_what, method, params, code) => {
    expect(await ask(method, params)).toEqual(error(code));
  });

  it.each([
    [{}, 'params.name is required: the name of a tool, as tools/list gives it'],
    [{ name: 7 }, 'params.name must be a string: the name of a tool, as tools/list gives it'],
    [{ name: 'frob' }, 'params.name: there is no tool "frob"; tools/list gives the names of all'],
  ])('says of the params %j what is wrong with the name of the tool', async (params, message) => {
    expect(await ask('tools/call', params)).toMatchObject({ error: { code: -32602, message } });
  });

  it('names the methods that there are', async () => {
    expect(await ask('frob')).toMatchObject({
      error: { message: 'There is no method "frob"; the methods are initialize, ping, tools/list, tools/call' },
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
  ])('says that %j is no request', async (message) => {
    expect(await say(message)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
  });

  it('says nothing to notifications and responses', async () => {
    expect(await say({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeUndefined();
    expect(await say({ jsonrpc: '2.0', method: 'frob' })).toBeUndefined();
    expect(await say({ jsonrpc: '2.0', id: 1, result: {} })).toBeUndefined();
  });

  it('answers a batch in its order, leaving out what needs no answer', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const batch = [ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, 7, ping(2)];
    expect(await say(batch)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      error(-32600, null),
      { ...ping(2), method: undefined, result: {} },
    ]);
    expect(await say([batch[1]])).toBeUndefined();
    expect(await say([])).toEqual(error(-32600, null));
    expect(await say(Array.from({ length: 10_000 }, (_, id) => ping(id)))).toEqual(error(-32600, null));
  });

  it('keeps what went wrong inside to itself and its log', async () => {
    const answer = await ask('tools/call', { name: 'broken' });
    expect(answer).toEqual(error(-32603));
    expect(JSON.stringify(answer)).not.toContain('inner');
    expect(faults).toEqual([new Error('inner')]);
  });
});

it('tells of each call how it ended and how long it took, and nothing of what was said in it', async () => {
  notes.length = 0;
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { secret: 'x' } } };
  await dispatch(ctx, call, { era: 'legacy', session: 'mine' });
  await dispatch(ctx, call, { era: 'legacy', signal: AbortSignal.abort() });
  await dispatch(ctx, { ...call, params: { name: 'broken' } }, { era: 'legacy' });
  expect(notes).toEqual([
    { ctx, session: 'mine', tool: 'echo', class: 'Read', outcome: 'ok', durationMs: expect.any(Number) },
    { ctx, tool: 'echo', class: 'Read', outcome: 'abandoned', durationMs: expect.any(Number) },
    { ctx, tool: 'broken', class: 'Read', outcome: 'fault', durationMs: expect.any(Number) },
  ]);
});

describe('the stateless revision', () => {
  const version = 'io.modelcontextprotocol/protocolVersion';
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const serverInfo = { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'lensforge' }) };
  const envelope = { [version]: '2026-07-28', [capabilities]: {} };
  const request = (method: string, params: object = {}, meta: object = envelope) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: meta },
  });
  const hear = (message: unknown, repeated?: MessageOptions['repeated']) =>
    dispatch(ctx, message, { era: 'modern', ...(repeated && { repeated }) });

  it('is discovered', async () => {
    expect(await hear(request('server/discover'))).toEqual({
      reply: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
          capabilities: { tools: {} },
          instructions: expect.any(String),
          ttlMs: expect.any(Number),
          cacheScope: 'public',
          _meta: serverInfo,
        },
      },
    });
  });

  it('says of each result that it is complete, and how long a list may be kept', async () => {
    expect(await hear(request('tools/list'))).toMatchObject({
      reply: { result: { resultType: 'complete', tools: [{}, {}], ttlMs: 300_000, cacheScope: 'public' } },
    });
    expect(await hear(request('tools/call', { name: 'echo', arguments: { a: 1 } }))).toMatchObject({
      reply: { result: { resultType: 'complete', content: [{ text: '{"a":1}' }], _meta: serverInfo } },
    });
  });

  it.each(['initialize', 'ping', 'notifications/x', 'frob', 'constructor'])('knows no request %s', async (method) => {
    expect(await hear(request(method))).toEqual({ reply: error(-32601), refused: 'unknown method' });
  });

  it.each([
    ['no envelope', undefined],
    ['an empty one', {}],
    ['no capabilities', { [version]: '2026-07-28' }],
    ['capabilities that are none', { [version]: '2026-07-28', [capabilities]: [] }],
    ['no version', { [capabilities]: {} }],
    ['a version that is none', { [version]: 7, [capabilities]: {} }],
  ])('refuses a request with %s', async (_what, meta) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: meta && { _meta: meta } };
    expect(await hear(message)).toMatchObject({ reply: error(-32602), refused: 'malformed' });
  });

  it('names the versions that it speaks to whom speaks another', async () => {
    expect(await hear(request('tools/list', {}, { ...envelope, [version]: '2099-01-01' }))).toMatchObject({
      reply: {
        error: {
          code: -32022,
          data: { supported: expect.arrayContaining(['2026-07-28', '2025-11-25']), requested: '2099-01-01' },
        },
      },
      refused: 'malformed',
    });
  });

  const call = request('tools/call', { name: 'echo' });
  const right = { version: '2026-07-28', method: 'tools/call', name: 'echo' };

  it.each([
    ['no version', { ...right, version: undefined }],
    ['another version', { ...right, version: '2025-11-25' }],
    ['no method', { ...right, method: undefined }],
    ['another method', { ...right, method: 'tools/list' }],
    ['a method in capitals', { ...right, method: 'TOOLS/CALL' }],
    ['no name', { ...right, name: undefined }],
    ['another name', { ...right, name: 'broken' }],
    ['another name in Base64', { ...right, name: '=?base64?YnJva2Vu?=' }],
    ['broken Base64', { ...right, name: '=?base64?*?=' }],
  ])('refuses headers with %s', async (_what, repeated) => {
    expect(await hear(call, repeated)).toEqual({ reply: error(-32020), refused: 'malformed' });
  });

  it('takes headers that say what the body says, also in Base64', async () => {
    for (const name of ['echo', '=?base64?ZWNobw==?=']) {
      expect(await hear(call, { ...right, name })).toMatchObject({ reply: { result: { resultType: 'complete' } } });
    }
    const list = { version: '2026-07-28', method: 'tools/list', name: undefined };
    expect(await hear(request('tools/list'), list)).toMatchObject({ reply: { result: {} } });
  });

  it('has no batches, takes notifications as they are and no responses', async () => {
    expect(await hear([call])).toEqual({ reply: error(-32600, null), refused: 'malformed' });
    expect(await hear({ jsonrpc: '2.0', method: 'notifications/cancelled' })).toEqual({});
    expect(await hear({ jsonrpc: '2.0', id: 1, result: {} })).toEqual({ reply: error(-32600), refused: 'malformed' });
  });
});
