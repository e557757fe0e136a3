import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  type Client,
  ConnectionError,
  InsufficientCreditsError,
  NotFoundError,
  RateLimitedError,
  ServiceUnavailableError,
  TimeoutError,
  createClient,
} from '../src/index.js';
import {
  type Answer,
  type ScriptedServer,
  aScriptedServer,
  cut,
  data,
  frames,
  refusal,
  silence,
} from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

async function aClient(...answers: Answer[]): Promise<Client> {
  server = await aScriptedServer(...answers);
  return createClient({ baseUrl: server.url, apiKey: 'token-1' });
}

const unavailable = refusal(503, 'service_unavailable', { headers: { 'retry-after': '0' } });
const bodies = (): unknown[] => server.requests.map(({ body }) => JSON.parse(body) as unknown);

describe('a call', () => {
  it('sends the token, the ids of the path, the query and the body', async () => {
    const client = await aClient(data({ id: 'l 1' }));
    await client.lenses.get('l 1');
    await client.lenses.update('l/1', { title: 'T' });
    await client.lenses.diffVersions('l', { from: '1.0.0', to: '2.0.0' });
    await client.tokens.revokeAll({ kind: 'developer' });
    expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/v1/lenses/l%201', ''],
      ['PATCH', '/v1/lenses/l%2F1', '{"title":"T"}'],
      ['GET', '/v1/lenses/l/diff?from=1.0.0&to=2.0.0', ''],
      ['DELETE', '/v1/tokens?kind=developer', ''],
    ]);
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer token-1']));
  });

  it('asks a function for the token of each attempt', async () => {
    await aClient(unavailable, data({}));
    let count = 0;
    const client = createClient({ baseUrl: server.url, apiKey: async () => `token-${(count += 1)}` });
    await client.me.get();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('returns the response and the id of the request on demand', async () => {
    const client = await aClient(data({ id: 'x' }));
    const { data: lens, response, requestId } = await client.lenses.get('x').withResponse();
    expect([lens.id, response.status, requestId]).toEqual(['x', 200, 'req-1']);
  });

  it('sends other requests by method and path', async () => {
    const client = await aClient(data({ ok: true }));
    expect(await client.request('POST', '/v1/new-things', { a: 1 })).toEqual({ ok: true });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/new-things', body: '{"a":1}' });
  });

  it('returns a reply without an envelope as it is, and another type than JSON as a text', async () => {
    const lines = '{"type":"account"}\n{"type":"lens"}\n';
    const server = await aScriptedServer((response, { url }) =>
      url === '/health'
        ? void response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
        : void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines),
    );
    const client = createClient({ baseUrl: server.url, apiKey: 'key' });
    expect(await client.request('GET', '/health')).toEqual({ status: 'ok' });
    expect(await client.request('GET', '/v1/me/export')).toBe(lines);
    await server.stop();
  });

  it('refuses an id that is empty before it sends anything', async () => {
    const client = await aClient(data({}));
    expect(() => client.lenses.get('')).toThrow('lenses.get needs lensId');
    expect(server.requests).toEqual([]);
  });
});

describe('a refused call', () => {
  it.each([
    [404, 'not_found', NotFoundError],
    [400, 'insufficient_credits', InsufficientCreditsError],
    [429, 'rate_limited', RateLimitedError],
  ] as const)('with %s %s throws the error of its code, with the id of the request', async (status, code, type) => {
    const client = await aClient(refusal(status, code, { details: { limitOf: 'account' } }));
    const error = await client.lenses.create({ title: 'T', templateBody: 'x' }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({
      name: type.name,
      status,
      code,
      message: `refused: ${code}`,
      requestId: 'req-2',
      details: { limitOf: 'account' },
    });
  });

  it('by a proxy without JSON throws an error with the status', async () => {
    const client = await aClient((response) => void response.writeHead(502).end('<html>'));
    const error = await client.lenses.create({ title: 'T', templateBody: 'x' }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ status: 502 });
  });
});

describe('retries', () => {
  it('repeat a GET after 503 and after a lost connection', async () => {
    const client = await aClient(unavailable, cut, data({ id: 'x' }));
    expect((await client.lenses.get('x')).id).toBe('x');
    expect(server.requests).toHaveLength(3);
  });

  it('give up after two', async () => {
    const client = await aClient(unavailable);
    await expect(client.lenses.get('x')).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(server.requests).toHaveLength(3);
  });

  it('repeat an execution with the key of the call, and another call with another key', async () => {
    const client = await aClient(cut, refusal(429, 'rate_limited', { headers: { 'retry-after': '0' } }), data({}));
    await client.lenses.execute('x', { params: {} });
    await client.lenses.execute('x', { params: {} });
    const keys = bodies().map((body) => (body as { idempotencyKey: string }).idempotencyKey);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('keep the key that the caller chose, in the body, in the options and in items of a batch', async () => {
    const client = await aClient(data({}));
    await client.workflows.run('w', { inputs: {}, idempotencyKey: 'mine' });
    await client.workflows.run('w', { inputs: {} }, { idempotencyKey: 'chosen' });
    await client.lenses.executeBatch(
      'l',
      { items: [{ params: {} }, { params: {}, idempotencyKey: 'own' }] },
      { idempotencyKey: 'k' },
    );
    expect(bodies()).toEqual([
      { inputs: {}, idempotencyKey: 'mine' },
      { inputs: {}, idempotencyKey: 'chosen' },
      {
        items: [
          { params: {}, idempotencyKey: 'k-0' },
          { params: {}, idempotencyKey: 'own' },
        ],
      },
    ]);
  });

  it('do not repeat a change without a key, nor a refusal that stays', async () => {
    const client = await aClient(unavailable);
    await expect(client.lenses.create({ title: 'T', templateBody: 'x' })).rejects.toBeInstanceOf(ApiError);
    await expect(client.lenses.delete('x')).rejects.toBeInstanceOf(ApiError);
    expect(server.requests).toHaveLength(2);
    await server.stop();
    const other = await aClient(refusal(404, 'not_found'));
    await expect(other.lenses.get('x')).rejects.toBeInstanceOf(NotFoundError);
    expect(server.requests).toHaveLength(1);
  });

  it('leave a Retry-After of more than a minute to the caller', async () => {
    const client = await aClient(refusal(429, 'rate_limited', { headers: { 'retry-after': '61' } }));
    await expect(client.lenses.get('x')).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 61 });
    expect(server.requests).toHaveLength(1);
  });

  it('are as many as the call says', async () => {
    const client = await aClient(unavailable);
    await expect(client.lenses.get('x', { maxRetries: 0 })).rejects.toBeInstanceOf(ApiError);
    expect(server.requests).toHaveLength(1);
  });
});

describe('a call without an answer', () => {
  it('ends with a TimeoutError after its time-out', async () => {
    const client = await aClient(silence);
    const call = client.lenses.get('x', { timeoutMs: 50, maxRetries: 0 });
    await expect(call).rejects.toBeInstanceOf(TimeoutError);
  });

  it('ends with the reason of its signal, also between attempts', async () => {
    const client = await aClient(refusal(503, 'service_unavailable', { headers: { 'retry-after': '30' } }));
    const controller = new AbortController();
    const call = client.lenses.get('x', { signal: controller.signal });
    const ended = expect(call).rejects.toThrow('no longer needed');
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error('no longer needed'));
    await ended;
    await expect(client.lenses.get('x', { signal: controller.signal })).rejects.toThrow('no longer needed');
    expect(server.requests).toHaveLength(1);
  });

  it('throws a ConnectionError that names the address', async () => {
    const client = await aClient(cut);
    const call = client.lenses.get('x', { maxRetries: 0 });
    await expect(call).rejects.toBeInstanceOf(ConnectionError);
    await expect(call).rejects.toThrow(server.url);
  });
});

describe('a list', () => {
  const pages = [
    data([{ id: 'a' }, { id: 'b' }], { hasNextPage: true, nextCursor: 'c1', total: 3 }),
    data([{ id: 'c' }], { hasNextPage: false }),
  ];

  it('iterates over the items of all pages, with the filters of the first', async () => {
    const client = await aClient(...pages);
    const ids: string[] = [];
    for await (const run of client.runs.list({ status: ['failed', 'timed_out'], tag: ['x'], offset: 5, limit: 2 }))
      ids.push(run.id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/v1/runs?status=failed&status=timed_out&tag=x&offset=5&limit=2',
      '/v1/runs?status=failed&status=timed_out&tag=x&limit=2&cursor=c1',
    ]);
  });

  it('is a promise of its first page, which reads the next one', async () => {
    const client = await aClient(...pages);
    const page = await client.runs.list();
    expect([page.items.length, page.meta.total, page.hasNextPage]).toEqual([2, 3, true]);
    const next = await page.nextPage();
    expect([next?.items.length, next?.hasNextPage, next?.nextPage()]).toEqual([1, false, undefined]);
  });

  it('requests no page after a loop has ended', async () => {
    const client = await aClient(...pages);
    for await (const _ of client.runs.list()) break;
    expect(server.requests).toHaveLength(1);
  });
});

describe('events of a run', () => {
  const sequencesOf = async (client: Client, options = {}): Promise<number[]> => {
    const found: number[] = [];
    for await (const event of client.runs.events('r', {}, options)) found.push(event.sequence);
    return found;
  };

  it('resume after a cut connection, a 503 and a 429, without a gap or a repeated event', async () => {
    const busy = refusal(429, 'rate_limited', { headers: { 'retry-after': '0' } });
    const client = await aClient(frames([1, 2], { cutAfter: true }), unavailable, busy, frames([3], { done: true }));
    const reasons: string[] = [];
    const onReconnect = ({ name }: Error): void => void reasons.push(name);
    expect(await sequencesOf(client, { onReconnect })).toEqual([1, 2, 3]);
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '2', '2']);
    expect(reasons).toEqual(['ConnectionError', 'ServiceUnavailableError', 'RateLimitedError']);
  });

  it('begin after lastEventId, and end at once when nothing follows', async () => {
    const client = await aClient((response) => void response.writeHead(204).end());
    expect(await sequencesOf(client, { lastEventId: '7' })).toEqual([]);
    expect(server.requests[0]?.headers['last-event-id']).toBe('7');
  });

  it('open a new connection when no data arrives', async () => {
    const client = await aClient(frames([1]), frames([2], { done: true }));
    expect(await sequencesOf(client, { idleMs: 100 })).toEqual([1, 2]);
  });

  it('end with the error after too many failures, and at once for a refusal', async () => {
    const client = await aClient(unavailable);
    await expect(sequencesOf(client, { maxReconnects: 1 })).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(server.requests).toHaveLength(2);
    await server.stop();
    const other = await aClient(refusal(404, 'not_found'));
    await expect(sequencesOf(other)).rejects.toBeInstanceOf(NotFoundError);
    expect(server.requests).toHaveLength(1);
  });

  it('end with the reason of the signal', async () => {
    const client = await aClient(frames([1]));
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const _ of client.runs.events('r', {}, { signal: controller.signal }))
        controller.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });

  it('are followed by wait, which returns the run', async () => {
    const client = await aClient(frames([1, 2], { done: true }), data({ id: 'r', status: 'failed' }));
    const seen: number[] = [];
    const run = await client.runs.wait('r', { onEvent: ({ sequence }) => seen.push(sequence) });
    expect([run.status, seen]).toEqual(['failed', [1, 2]]);
  });
});

describe('other replies', () => {
  it('are read line by line, also when a part ends within a character', async () => {
    const text = Buffer.from('{"n":"ä"}\n{"n":"b"}\n');
    const client = await aClient((response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(text.subarray(0, 7));
      setTimeout(() => response.end(text.subarray(7)), 20);
    });
    const lines: unknown[] = [];
    for await (const line of client.leaderboards.downloadVotes('ai_vs_ai')) lines.push(line);
    expect(lines).toEqual([{ n: 'ä' }, { n: 'b' }]);
  });

  it('are returned as a response for files, and without an envelope for health', async () => {
    const file: Answer = (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('text');
    const health: Answer = (response) => void response.writeHead(200).end('{"status":"ok","db":true}');
    const client = await aClient(file, health);
    expect(await (await client.runs.getArtifactContent('r', 'a')).text()).toBe('text');
    expect((await client.service.health()).status).toBe('ok');
  });
});
