import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '../src/index.js';
import { operations } from '../src/generated/operations.js';
import { type Answer, type ScriptedServer, aScriptedServer } from './scripted-server.js';

interface Described {
  parameters?: { name: string; in: string; required?: boolean; schema: { type?: string; enum?: string[] } }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema?: unknown }> }>;
}

const description = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
};

const described = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
);

/** The operation of the description that serves a request; literal paths come before those with ids. */
function find(method: string, url: string): (typeof described)[number] | undefined {
  const { pathname } = new URL(url, 'http://localhost');
  const form = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const matches = described.filter((each) => each.method === method && form(each.path).test(pathname));
  return matches.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
}

/** Answers as the description says: with its first successful status and content type. */
const answer: Answer = (response, { method, url, body }) => {
  const { operation } = find(method, url) ?? {};
  const [status, success] = Object.entries(operation?.responses ?? {}).find(([code]) => code < '300') ?? [];
  if (!operation || !status) return void response.writeHead(404).end('{}');
  if (operation.requestBody && body === '') return void response.writeHead(400).end('{}');
  const [type] = Object.keys(success?.content ?? {});
  if (!type) return void response.writeHead(Number(status)).end();
  const isList = JSON.stringify(success?.content?.[type]?.schema).includes('"array"');
  const done = { eventType: 'done', payload: { status: 'succeeded' }, occurredAt: new Date(0).toISOString() };
  const texts: Record<string, string> = {
    'text/event-stream': `id: 1\nevent: done\ndata: ${JSON.stringify(done)}\n\n`,
    'application/x-ndjson': '{"line":1}\n',
    'application/json': JSON.stringify({
      data: isList ? [] : {},
      meta: { total: 0, limit: 1, offset: 0 },
      error: null,
    }),
  };
  return void response.writeHead(Number(status), { 'content-type': type }).end(texts[type] ?? 'bytes');
};

let server: ScriptedServer;
beforeAll(async () => {
  server = await aScriptedServer(answer);
});
afterAll(() => server.stop());

type Method = (...args: unknown[]) => unknown;

const all = Object.entries(operations).flatMap(([resource, methods]) =>
  Object.entries(methods).map(([method, text]) => {
    const [flags = '', ...words] = text.split(' ');
    return { resource, method, flags, name: words.join(' ') };
  }),
);

describe('the SDK against the description of the API', () => {
  it('has one method for each operation, and no other', () => {
    expect(all.map(({ name }) => name).sort()).toEqual(described.map(({ name }) => name).sort());
  });

  it.each(all)('$resource $method sends $name and reads the answer', async ({ resource, method, flags, name }) => {
    const client = createClient({ baseUrl: server.url, apiKey: 'key', maxRetries: 0 });
    const found = described.find((each) => each.name === name)?.operation;
    const ids = [...name.matchAll(/\{(\w+)\}/g)].map((_, index) => `id-${index}`);
    const body = found?.requestBody?.content['application/json']?.example ?? {};
    const required = (found?.parameters ?? []).filter((one) => one.in === 'query' && one.required);
    const query = Object.fromEntries(required.map(({ name: key, schema }) => [key, schema.enum?.[0] ?? 'x']));
    const input = /^(?:GET|DELETE) /.test(name) ? query : body;
    const call = (client as unknown as Record<string, Record<string, Method>>)[resource]?.[method];
    const result = call?.(...ids, ...(flags.includes('i') ? [input] : []));
    if (flags.startsWith('s') || flags.startsWith('n')) {
      const items = [];
      for await (const item of result as AsyncIterable<unknown>) items.push(item);
      expect(items).toEqual(flags.startsWith('n') ? [{ line: 1 }] : []);
    } else {
      await result;
    }
    const { method: sent = '', url = '', headers } = server.requests.at(-1) ?? {};
    expect(find(sent, url)?.name).toBe(name);
    expect(headers?.authorization).toBe('Bearer key');
    for (const key of Object.keys(query)) expect(new URL(url, server.url).searchParams.has(key)).toBe(true);
  });
});
