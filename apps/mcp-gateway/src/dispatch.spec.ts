import type { Context } from '@lensforge/core';
import { describe, expect, it } from '@jest/globals';
import type { Tool } from './catalogue.js';
import { createDispatch } from './dispatch.js';

const ctx = {} as Context;
const echo: Tool = {
  name: 'echo',
  listed: { name: 'echo', inputSchema: { type: 'object' } },
  call: (_ctx, args) => Promise.resolve({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
};
const broken: Tool = { ...echo, name: 'broken', call: () => Promise.reject(new Error('inner')) };

const faults: unknown[] = [];
const dispatch = createDispatch([echo, broken], (error) => faults.push(error));
const say = (message: unknown) => dispatch(ctx, message);
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
