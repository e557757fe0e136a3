import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { runLens } from '@lensforge/lenses';
import { type OperationParts, acceptJudgingRun, carryOutRunOperation, endRun, recordLensRun } from '@lensforge/runs';
import { aPromptRun, aStoredRun } from '@lensforge/runs/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { type Answer, type Gateway, aGateway, framesOf } from './gateway.js';
import { allPages, items, outcome } from './callers.js';

let gateway: Gateway;
let stranger: string;
let nobodys: string;
beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '60' });
  stranger = (await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id })).value;
  nobodys = (await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:write'] })).value;
});
afterAll(() => gateway.stop());

const get = (path: string, token?: string): Promise<Answer> =>
  gateway.call('GET', path, token === undefined ? {} : { token });
const post = (path: string, body: unknown = {}, token?: string): Promise<Answer> =>
  gateway.call('POST', path, { body, ...(token !== undefined && { token }) });
const own = () => actingAs(gateway.ctx, gateway.accountId);
const execute = async (more: object = {}): Promise<string> => {
  const { body } = await post(`/v1/lenses/${gateway.lensId}/execute`, { params: { Name: 'Ada' }, ...more });
  return String(body.data?.['runId']);
};
async function canceled(more: object = {}): Promise<string> {
  const runId = await execute(more);
  await endRun(gateway.ctx, { runId, from: 'queued', status: 'canceled', reason: 'test' });
  return runId;
}

describe('GET /v1/runs', () => {
  it('answers 200 with own runs in pages, by filters', async () => {
    const tag = newId();
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1)
      made.unshift(await aStoredRun(own(), { tags: [tag, `n ${n % 2}`], lensId: gateway.lensId }));
    const pages = await allPages((path) => get(path), `/v1/runs?tag=${tag}`, 2);
    expect(pages.items.map(({ id }) => id)).toEqual(made);
    expect(pages.pages).toBe(3);
    expect(pages.items[0]).toMatchObject({
      kind: 'lens',
      status: 'queued',
      lensId: gateway.lensId,
      tags: [tag, 'n 0'],
    });
    const both = await get(
      `/v1/runs?tag=${tag}&tag=${encodeURIComponent('n 1')}&status=queued&status=failed&kind=lens`,
    );
    expect(items(both).length).toBe(2);
    expect(items(await get(`/v1/runs?tag=${tag}`, stranger))).toEqual([]);
  });

  it.each([
    ...[
      'limit=0',
      'limit=101',
      'limit=x',
      'cursor=',
      'cursor=x',
      `cursor=${'a'.repeat(201)}`,
      'status=done',
      'status=',
    ],
    ...['kind=agent', 'lensId=7', 'workflowId=%00', 'batchId=', 'tag=', `tag=${'x'.repeat(101)}`, 'tag=a%00b', 'x=1'],
    ...['createdAfter=yesterday', 'createdBefore=2026-02-30T00:00:00Z', 'createdAfter=0000-01-01T00:00:00Z'],
    ...[`cursor=${Buffer.from('9999-99-99T00:00:00Z|00000000-0000-0000-0000-000000000000').toString('base64url')}`],
    ...[Array.from({ length: 21 }, (_, n) => `tag=${n}`).join('&'), 'kind=lens&kind=workflow', 'limit[]=1', 'tag[a]=b'],
  ])('answers 400 to %s', async (query) => {
    expect(outcome(await get(`/v1/runs?${query}`))).toEqual([400, 'invalid_request']);
  });

  it.each([
    'tag=%27%20or%201%3D1',
    'tag=%25',
    'tag=%F0%9F%90%99',
    'tag=%7Ba%2Cb%7D',
    'createdBefore=0001-01-01T00:00:00Z',
  ])('answers 200 with an empty list to %s', async (query) => {
    const answer = await get(`/v1/runs?${query}`);
    expect([answer.status, items(answer)]).toEqual([200, []]);
  });

  it('answers 401 without a token and 403 without the scope for a kind', async () => {
    const { value: lenses } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['lenses:read'] });
    expect((await get('/v1/runs', '')).status).toBe(401);
    expect(outcome(await get('/v1/runs', nobodys))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await get('/v1/runs?kind=workflow', lenses))).toEqual([403, 'insufficient_scope']);
  });
});

describe('POST /v1/runs/{runId}/retry', () => {
  it('answers 202 with a new run with the same options; a repeated key returns the same run', async () => {
    const tag = newId();
    const old = await canceled({
      tags: [tag],
      metadata: { for: 'Ada' },
      priority: 3,
      timeoutSeconds: 60,
      concurrencyKey: tag,
    });
    const answer = await post(`/v1/runs/${old}/retry`, { idempotencyKey: 'again' });
    expect([answer.status, answer.body.data]).toEqual([
      202,
      { runId: expect.any(String), status: 'queued', workflowId: null },
    ]);
    const runId = String(answer.body.data?.['runId']);
    expect((await get(`/v1/runs/${runId}`)).body.data).toMatchObject({
      parentRunId: old,
      tags: [tag],
      metadata: { for: 'Ada' },
    });
    const same = `select lens_id, lens_version_id, params, model_id, tags, metadata, priority, execution_ms, concurrency_key from runs where id = $1`;
    expect(await gateway.ctx.db.query(same, [runId])).toEqual(await gateway.ctx.db.query(same, [old]));
    expect((await post(`/v1/runs/${old}/retry`, { idempotencyKey: 'again' })).body.data?.['runId']).toBe(runId);
    expect(
      (await post(`/v1/runs/${await canceled()}/retry`, { idempotencyKey: 'again' })).body.data?.['runId'],
    ).not.toBe(runId);
    const another = await post(`/v1/runs/${old}/retry`);
    expect(another.body.data?.['runId']).not.toBe(runId);
  });

  it('answers 409 to a run that has not ended or has succeeded', async () => {
    const runId = await execute();
    expect(outcome(await post(`/v1/runs/${runId}/retry`))).toEqual([409, 'conflict']);
    await gateway.worker.succeed(await gateway.worker.claim(runId));
    expect(outcome(await post(`/v1/runs/${runId}/retry`))).toEqual([409, 'conflict']);
  });

  it('answers 400 to an unknown from and 404 to an invalid UUID', async () => {
    expect((await post(`/v1/runs/${newId()}/retry`, { from: 'middle' })).status).toBe(400);
    expect((await post(`/v1/runs/${newId()}/retry`, { idempotencyKey: '' })).status).toBe(400);
    for (const body of [{ version: '1' }, { fromNode: 'summary' }]) {
      const answer = await post(`/v1/runs/${await canceled()}/retry`, body);
      expect([outcome(answer), answer.body.error?.message]).toEqual([
        [400, 'invalid_request'],
        expect.stringContaining('is for runs of workflows'),
      ]);
    }
    expect((await post('/v1/runs/7/retry')).status).toBe(404);
  });

  it('answers 401 without a token, 403 without a scope and 404 to an unknown or foreign run', async () => {
    const runId = await canceled();
    expect((await post(`/v1/runs/${runId}/retry`, {}, '')).status).toBe(401);
    expect((await post(`/v1/runs/${runId}/retry`, {}, nobodys)).status).toBe(403);
    expect((await post(`/v1/runs/${runId}/retry`, {}, stranger)).status).toBe(404);
    expect((await post(`/v1/runs/${newId()}/retry`)).status).toBe(404);
  });
});

describe('runs of battles', () => {
  const battleId = newId();
  const tokenWith = async (held: Scope): Promise<string> =>
    (await aToken(gateway.ctx, { accountId: gateway.accountId, held: [held] })).value;

  it('are listed, read, followed, canceled and retried with the scopes of battles', async () => {
    const [reader, writer] = [await tokenWith('community:read'), await tokenWith('community:write')];
    const { runId: prompt } = await aPromptRun(own(), { cause: { kind: 'battle', battleId } });
    const order = { targetId: battleId, params: { battleId }, modelId: null, hold: 0, timeoutMs: 60_000 };
    const { runId: judging } = await acceptJudgingRun(own(), { ...order, cause: { kind: 'battle', battleId } });
    expect(items(await get('/v1/runs', reader)).map(({ id, kind }) => [id, kind])).toEqual([
      [judging, 'judging'],
      [prompt, 'prompt'],
    ]);
    expect(items(await get('/v1/runs?kind=judging', reader))).toEqual([expect.objectContaining({ id: judging })]);
    expect((await get(`/v1/runs/${prompt}`, reader)).body.data).toMatchObject({
      kind: 'prompt',
      origin: 'battle',
      lensId: null,
      workflowId: null,
    });
    const following = framesOf(gateway.follow(judging, { headers: { authorization: `Bearer ${reader}` } }));
    for (const runId of [prompt, judging]) {
      expect(outcome(await post(`/v1/runs/${runId}/cancel`, {}, reader))).toEqual([403, 'insufficient_scope']);
      expect((await post(`/v1/runs/${runId}/cancel`, {}, writer)).status).toBe(202);
      expect(outcome(await post(`/v1/runs/${runId}/retry`, {}, reader))).toEqual([403, 'insufficient_scope']);
      const { status, body } = await post(`/v1/runs/${runId}/retry`, {}, writer);
      expect([status, body.data?.['workflowId']]).toEqual([202, null]);
    }
    expect((await following).map(({ event }) => event)).toEqual(['run.queued', 'run.canceled', 'done']);
  });

  it('are hidden from callers without the scopes of battles, and from strangers', async () => {
    const { runId } = await aPromptRun(own());
    const lenses = await tokenWith('lenses:read');
    expect(outcome(await get(`/v1/runs/${runId}`, lenses))).toEqual([403, 'insufficient_scope']);
    expect(items(await get('/v1/runs', lenses)).some(({ kind }) => kind !== 'lens')).toBe(false);
    expect((await get(`/v1/runs/${runId}`, stranger)).status).toBe(404);
  });
});

describe('POST /v1/runs/{runId}/report', () => {
  async function recorded(): Promise<string> {
    const { id: workflowId } = await aWorkflow(own());
    const request = { lensId: gateway.lensId, paramValues: { name: 'Ada' }, workflowId };
    return String((await runLens(own(), request, recordLensRun)).runId);
  }

  it('answers 200 and ends a tracking record, also in its stream; a second report gets 409', async () => {
    const runId = await recorded();
    const following = framesOf(gateway.follow(runId));
    const report = { status: 'succeeded', output: { answer: 42 }, tokenInput: 7, tokenOutput: 2 };
    expect(await post(`/v1/runs/${runId}/report`, report)).toMatchObject({
      status: 200,
      body: { data: { runId, status: 'succeeded' }, error: null },
    });
    expect((await following).map(({ event }) => event)).toEqual([
      ...['run.queued', 'artifact.created', 'artifact.created', 'run.succeeded', 'done'],
    ]);
    expect((await get(`/v1/runs/${runId}`)).body.data).toMatchObject({
      kind: 'workflow',
      origin: 'tracking',
      status: 'succeeded',
      tokenInput: 7,
      tokenOutput: 2,
    });
    const again = await post(`/v1/runs/${runId}/report`, { status: 'failed' });
    expect(outcome(again)).toEqual([409, 'conflict']);
    expect(again.body.error?.message).toBe(
      'This tracking record has ended as succeeded already: it can be reported once',
    );
  });

  it.each([
    ['nothing', {}],
    ['another status', { status: 'canceled' }],
    ['a negative number of tokens', { status: 'succeeded', tokenInput: -1 }],
    ['an unknown member', { status: 'succeeded', outputs: 1 }],
    ['an error with a success', { status: 'succeeded', error: 'no' }],
  ])('answers 400 to %s', async (_, body) => {
    expect(outcome(await post(`/v1/runs/${await recorded()}/report`, body))).toEqual([400, 'invalid_request']);
  });

  it('answers 404 to runs of others, 403 without workflows:write, 409 to runs that the platform executes', async () => {
    const runId = await recorded();
    const report = { status: 'succeeded' };
    expect(outcome(await post(`/v1/runs/${runId}/report`, report, stranger))).toEqual([404, 'not_found']);
    expect(outcome(await post(`/v1/runs/x/report`, report))).toEqual([404, 'not_found']);
    expect(outcome(await post(`/v1/runs/${runId}/report`, report, nobodys))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await post(`/v1/runs/${await execute()}/report`, report))).toEqual([409, 'conflict']);
    expect(outcome(await post(`/v1/runs/${runId}/cancel`))).toEqual([202, undefined]);
    expect(outcome(await post(`/v1/runs/${runId}/retry`))).toEqual([409, 'conflict']);
  });
});

describe('the artifacts of a run', () => {
  const nasty = 'Grüße <script>alert(1)</script>\u2028';
  let runId: string;
  const ids = { text: newId(), json: newId() };
  beforeAll(async () => {
    runId = await aStoredRun(own(), { status: 'succeeded' });
    await gateway.ctx.db.query(
      `insert into run_artifacts (id, run_id, kind, content_text, content_json, is_primary_output, visibility)
       values ($2, $1, 'json', null, '{"a": [1, "ü"]}', false, 'private'), ($3, $1, 'text', $4, null, true, 'private')`,
      [runId, ids.json, ids.text, nasty],
    );
  });

  it('are listed with 200, the primary output first, and read one by one', async () => {
    const list = await get(`/v1/runs/${runId}/artifacts`);
    expect(items(list).map(({ id }) => id)).toEqual([ids.text, ids.json]);
    expect(list.body.meta).toMatchObject({ total: 2, hasNextPage: false });
    const one = await get(`/v1/runs/${runId}/artifacts/${ids.json}`);
    expect(one.body.data).toEqual({
      id: ids.json,
      artifactKind: 'json',
      contentText: null,
      contentJson: { a: [1, 'ü'] },
      isPrimaryOutput: false,
      visibility: 'private',
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  it('have their content downloaded as an attachment', async () => {
    const read = (id: string) =>
      fetch(`${gateway.url}/v1/runs/${runId}/artifacts/${id}/content`, {
        headers: { authorization: `Bearer ${gateway.token}` },
      });
    const text = await read(ids.text);
    expect([text.status, await text.text()]).toEqual([200, nasty]);
    expect(Object.fromEntries(text.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="${ids.text}.txt"`,
    });
    const json = await read(ids.json);
    expect([json.headers.get('content-type'), await json.json()]).toEqual(['application/json', { a: [1, 'ü'] }]);
    expect(json.headers.get('content-disposition')).toBe(`attachment; filename="${ids.json}.json"`);
  });

  it.each(['', '/{id}', '/{id}/content'])('answer 401, 403 and 404 at /artifacts%s', async (rest) => {
    const path = (run: string, id: string = ids.text): string => `/v1/runs/${run}/artifacts${rest.replace('{id}', id)}`;
    expect((await get(path('7'))).status).toBe(404);
    expect((await get(path(runId), '')).status).toBe(401);
    expect((await get(path(runId), nobodys)).status).toBe(403);
    expect((await get(path(runId), stranger)).status).toBe(404);
    expect((await get(path(newId()))).status).toBe(404);
    if (rest) expect((await get(path(runId, newId()))).status).toBe(404);
  });
});

describe('operations on runs', () => {
  const parts: OperationParts = {
    onFault: () => undefined,
    signal: new AbortController().signal,
    leaseMs: 30_000,
    page: 100,
    pauseMs: 1,
    countRun: () => Promise.resolve(undefined),
  };
  const start = (body: unknown, token?: string) => post('/v1/run-operations', body, token);

  it('are started with 202 and report their progress with 200', async () => {
    const tag = newId();
    const runs = [await aStoredRun(own(), { tags: [tag] }), await aStoredRun(own(), { tags: [tag] })];
    const started = await start({ action: 'cancel', filter: { tag: [tag] } });
    const id = String(started.body.data?.['id']);
    expect([started.status, started.body.data]).toEqual([
      202,
      {
        id,
        action: 'cancel',
        status: 'queued',
        filter: { tag: [tag] },
        error: null,
        progress: { matched: 0, done: 0, failed: 0 },
        createdAt: expect.any(String),
        startedAt: null,
        completedAt: null,
      },
    ]);
    await carryOutRunOperation(gateway.ctx, { operationId: id, generation: 0 }, parts);
    const { status, body } = await get(`/v1/run-operations/${id}`);
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ status: 'succeeded', progress: { matched: 2, done: 2, failed: 0 } }),
    ]);
    for (const run of runs) expect((await get(`/v1/runs/${run}`)).body.data?.['status']).toBe('canceled');
    expect(outcome(await post(`/v1/run-operations/${id}/cancel`))).toEqual([409, 'conflict']);
  });

  it('are canceled with 202', async () => {
    const id = String(
      (await start({ action: 'retry', filter: { kind: 'lens' }, from: 'failed_nodes' })).body.data?.['id'],
    );
    const stopped = await post(`/v1/run-operations/${id}/cancel`);
    expect([stopped.status, stopped.body.data?.['status']]).toEqual([202, 'canceled']);
  });

  it.each<[string, unknown]>([
    ['no action', { filter: { kind: 'lens' } }],
    ['another action', { action: 'delete', filter: { kind: 'lens' } }],
    ['no filter', { action: 'cancel' }],
    ['an empty filter', { action: 'cancel', filter: {} }],
    ['an unknown member', { action: 'cancel', filter: { accountId: newId() } }],
    ['a limit', { action: 'cancel', filter: { limit: 1 } }],
    ['a status that is not a list', { action: 'cancel', filter: { status: 'queued' } }],
    ['an empty list', { action: 'cancel', filter: { tag: [] } }],
    ['another status', { action: 'retry', filter: { status: ['running'] } }],
    ['a text with NUL', { action: 'cancel', filter: { tag: ['a\u0000b'] } }],
    ['a lone surrogate', '{"action":"cancel","filter":{"tag":["\\ud800"]}}'],
    ['a list', []],
  ])('answers 400 to %s', async (_, body) => {
    expect(outcome(await start(body))).toEqual([400, 'invalid_request']);
  });

  it('answer 401 without a token, 403 without a scope, 404 to foreign ones, 429 to too many', async () => {
    const body = { action: 'cancel', filter: { batchId: newId() } };
    expect((await start(body, '')).status).toBe(401);
    expect((await start(body, nobodys)).status).toBe(403);
    const id = String((await start(body)).body.data?.['id']);
    expect((await get(`/v1/run-operations/${id}`, stranger)).status).toBe(404);
    expect((await post(`/v1/run-operations/${id}/cancel`, {}, stranger)).status).toBe(404);
    for (let n = 0; n < 9; n += 1) await start(body);
    const { status, headers, body: answer } = await start(body);
    expect([status, answer.error?.code, Number(headers.get('retry-after')) > 0]).toEqual([429, 'rate_limited', true]);
    expect((await get('/v1/run-operations/7')).status).toBe(400);
  });
});

it('retries of runs count as executions and get 429', async () => {
  const runId = newId();
  let status = 404;
  for (let n = 0; n < 80 && status === 404; n += 1) status = (await post(`/v1/runs/${runId}/retry`)).status;
  expect(status).toBe(429);
});

describe('GET /v1/run-statistics', () => {
  const hourAgo = (): string => new Date(Date.now() - 3_600_000).toISOString();

  it('answers 200 with counts of own runs over time', async () => {
    const tag = newId();
    await aStoredRun(own(), { tags: [tag], status: 'failed', lensId: gateway.lensId });
    await aStoredRun(own(), { tags: [tag], lensId: gateway.lensId });
    const path = `/v1/run-statistics?from=${hourAgo()}&interval=minute&tag=${tag}`;
    const { status, body } = await get(path);
    expect(status).toBe(200);
    const sum = (data: unknown): object => {
      const { buckets } = data as { buckets: { failed: number; queued: number }[] };
      return buckets.reduce(
        (all, { failed, queued }) => ({ failed: all.failed + failed, queued: all.queued + queued }),
        {
          failed: 0,
          queued: 0,
        },
      );
    };
    expect(sum(body.data)).toEqual({ failed: 1, queued: 1 });
    expect(sum((await get(path, stranger)).body.data)).toEqual({ failed: 0, queued: 0 });
  });

  it.each([
    '',
    'from=yesterday',
    'from=2026-01-01T00:00:00Z&interval=minute',
    'interval=week',
    'kind=agent',
    'lensId=7',
  ])('answers 400 to %s', async (query) => {
    const from = query.includes('from') || query === '' ? '' : `from=${hourAgo()}&`;
    expect(outcome(await get(`/v1/run-statistics?${from}${query}`))).toEqual([400, 'invalid_request']);
  });

  it('answers 401 without a credential and 403 without a scope for runs', async () => {
    expect((await get(`/v1/run-statistics?from=${hourAgo()}`, '')).status).toBe(401);
    expect((await get(`/v1/run-statistics?from=${hourAgo()}`, nobodys)).status).toBe(403);
  });
});

describe('GET /v1/runs/{runId}/input', () => {
  it('answers 200 with the parameters of an own run', async () => {
    const runId = await aStoredRun(own(), { lensId: gateway.lensId });
    await gateway.ctx.db.query(`update runs set params = '{"Name": "Ada"}' where id = $1`, [runId]);
    const { status, body } = await get(`/v1/runs/${runId}/input`);
    expect([status, body.data]).toMatchObject([200, { runId, params: { Name: 'Ada' }, priority: 0 }]);
  });

  it('answers 403 without the scope, and 404 to others and for an unknown run', async () => {
    const runId = await aStoredRun(own(), { lensId: gateway.lensId });
    expect((await get(`/v1/runs/${runId}/input`, nobodys)).status).toBe(403);
    expect((await get(`/v1/runs/${runId}/input`, stranger)).status).toBe(404);
    expect((await get(`/v1/runs/${newId()}/input`)).status).toBe(404);
  });
});
