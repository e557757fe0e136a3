import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { createLogger } from '@lensforge/edge';
import { revokeToken } from '@lensforge/identity';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { type StreamRefused, readEvents, until } from '@lensforge/testing';
import { type Answer, type Frame, type Gateway, aGateway, framesOf } from './gateway.js';
import { outcome } from './callers.js';

const lines: string[] = [];
let gateway: Gateway;
let stranger: string;
beforeAll(async () => {
  const logger = createLogger({
    service: 'test',
    level: 'trace',
    to: { write: (line: string) => void lines.push(line) },
  });
  gateway = await aGateway(
    {
      LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000',
      LENSFORGE_GROUP_STREAMS_PER_ACCOUNT: '5',
      LENSFORGE_READ_TOKEN_SECONDS: '300',
      LENSFORGE_READ_TOKEN_MOST_SECONDS: '900',
    },
    { logger },
  );
  stranger = (await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id })).value;
});
afterAll(() => gateway.stop());

async function accepted(more: object = {}): Promise<string> {
  const body = { params: { Name: 'Ada' }, ...more };
  const answer = await gateway.call('POST', `/v1/lenses/${gateway.lensId}/execute`, { body });
  return String(answer.body.data?.['runId']);
}
async function carryOut(runId: string, texts: readonly string[] = ['a', 'b']): Promise<void> {
  const run = await gateway.worker.claim(runId);
  for (const text of texts) await gateway.worker.write(run, [text]);
  await gateway.worker.succeed(run);
}
const cancel = (runId: string) => gateway.call('POST', `/v1/runs/${runId}/cancel`);
const types = (frames: readonly Frame[]): string[] => frames.map(({ event }) => event);

describe('GET /v1/run-events', () => {
  const follow = (query: string, options: Parameters<typeof readEvents>[1] = {}) =>
    readEvents(`${gateway.url}/v1/run-events?${query}`, {
      ...options,
      headers: { authorization: `Bearer ${gateway.token}`, ...options.headers },
    });
  async function aBatch(size: number): Promise<{ batchId: string; runs: string[] }> {
    const runs = await Promise.all(Array.from({ length: size }, () => accepted()));
    const batchId = newId();
    await gateway.ctx.db.query('update runs set batch_id = $1 where id = any ($2)', [batchId, runs]);
    await gateway.ctx.db.query(`insert into run_labels (account_id, label, run_id) select $1, $2, unnest($3::uuid[])`, [
      gateway.accountId,
      `batch ${batchId}`,
      runs,
    ]);
    return { batchId, runs };
  }
  /** Checks that each run has its events from 1 without a gap, and each frame a unique id. */
  function expectComplete(frames: readonly Frame[], runs: readonly string[], each: number): void {
    const seen = new Map<string, number>(runs.map((run) => [run, 0]));
    for (const { data, event } of frames) {
      expect(data.eventType).toBe(event);
      expect(data.sequence).toBe((seen.get(String(data.runId)) ?? NaN) + 1);
      seen.set(String(data.runId), Number(data.sequence));
    }
    expect([...seen.values()]).toEqual(runs.map(() => each));
    expect(new Set(frames.map(({ point }) => point)).size).toBe(frames.length);
  }

  it('streams all runs of a batch to their ends and then sends done', async () => {
    const { batchId, runs } = await aBatch(5);
    const stream = follow(`batchId=${batchId}`);
    const reading = framesOf(stream);
    await until(() => stream.text.includes('run.queued'));
    for (const run of runs) await carryOut(run);
    const frames = await reading;
    expectComplete(frames.slice(0, -1), runs, 5);
    expect(frames.at(-1)).toMatchObject({
      event: 'done',
      data: { eventType: 'done', payload: { statuses: { succeeded: 5 } }, occurredAt: expect.any(String) },
    });
    expect((await stream.opened).headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
  });

  it('resumes after any frame without a gap or a repetition, also later and concurrently', async () => {
    const { batchId, runs } = await aBatch(4);
    let lastEventId: string | undefined;
    const frames: Frame[] = [];
    const whole = framesOf(follow(`batchId=${batchId}`));
    const writing = (async () => {
      for (const run of runs) await carryOut(run, ['1', '2', '3', '4', '5']);
    })();
    while (frames.at(-1)?.event !== 'done') {
      let left = 3;
      const stream = follow(`batchId=${batchId}`, { ...(lastEventId !== undefined && { lastEventId }) });
      frames.push(...(await framesOf(stream, () => (left -= 1) === 0)));
      lastEventId = frames.at(-1)?.point;
    }
    await writing;
    expectComplete(frames.slice(0, -1), runs, 8);
    expect(frames.map(({ point }) => point)).toEqual((await whole).map(({ point }) => point));
    const again = await framesOf(follow(`batchId=${batchId}`, { lastEventId: String(frames.at(-2)?.point) }));
    expect(types(again)).toEqual(['done']);
    const refused = await framesOf(follow(`batchId=${batchId}`, { lastEventId: String(frames.at(-1)?.point) })).catch(
      (reason: unknown) => reason,
    );
    expect((refused as StreamRefused).status).toBe(204);
  });

  it('continues with the next events when a running batch is resumed beyond its last event', async () => {
    const { batchId, runs } = await aBatch(1);
    const [first] = await framesOf(follow(`batchId=${batchId}`), () => true);
    const lastEventId = String(first?.point).replace(/\d+$/, '77');
    const stream = follow(`batchId=${batchId}`, { lastEventId });
    const reading = framesOf(stream);
    await stream.opened;
    await cancel(String(runs[0]));
    expect(types(await reading)).toEqual(['run.canceled', 'done']);
    const beyond = await framesOf(follow(`batchId=${batchId}`, { lastEventId })).catch((reason: unknown) => reason);
    expect((beyond as StreamRefused).status).toBe(204);
  });

  it('streams a tag without an end, with runs that start later', async () => {
    const tag = `tag & ${newId()}`;
    const first = await accepted({ tags: [tag] });
    await cancel(first);
    const stream = follow(`tag=${encodeURIComponent(tag)}`);
    const reading = framesOf(stream, ({ event, data }) => event === 'run.succeeded' && data.runId !== first);
    await until(() => stream.text.includes('run.canceled'));
    const second = await accepted({ tags: ['other', tag] });
    await accepted({ tags: ['other'] });
    await carryOut(second, ['x']);
    const frames = await reading;
    expect(frames.map(({ data }) => [data.runId, data.sequence])).toEqual([
      ...[1, 2].map((n) => [first, n]),
      ...[1, 2, 3, 4].map((n) => [second, n]),
    ]);
    const point = String(frames[3]?.point);
    const resumed = await framesOf(
      follow(`tag=${encodeURIComponent(tag)}`, { lastEventId: point }),
      ({ event }) => event === 'run.succeeded',
    );
    expect(resumed.map(({ data }) => data.sequence)).toEqual([3, 4]);
  });

  it('sends only the kinds of runs that the scopes of the caller allow', async () => {
    const { batchId, runs } = await aBatch(2);
    await gateway.ctx.db.query(`update runs set kind = 'workflow', workflow_id = uuidv7() where id = $1`, [runs[0]]);
    for (const run of runs) await cancel(run);
    const { value } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['lenses:read'] });
    const frames = await framesOf(follow(`batchId=${batchId}`, { headers: { authorization: `Bearer ${value}` } }));
    expect(frames.map(({ data, event }) => data.runId ?? event)).toEqual([runs[1], runs[1], 'done']);
  });

  it.each([
    ['-1'],
    ['abc'],
    ['7'],
    [`${'A'.repeat(22)}.3`],
    ['x'.repeat(4000)],
    [`${'A'.repeat(22)}.${'9'.repeat(15)}`],
  ])('starts with the first event for the Last-Event-ID %j', async (lastEventId) => {
    const { batchId, runs } = await aBatch(1);
    await cancel(String(runs[0]));
    expect(types(await framesOf(follow(`batchId=${batchId}`, { lastEventId })))).toEqual([
      'run.queued',
      'run.canceled',
      'done',
    ]);
  });

  it.each([
    '',
    'tag=',
    'batchId=7',
    'tag=x&batchId=00000000-0000-7000-8000-000000000000',
    'tag=a%00b',
    `tag=${'x'.repeat(101)}`,
    'token=x&tag=y',
    'tag=a&tag=b',
  ])('answers 400 to %s', async (query) => {
    expect(outcome(await gateway.call('GET', `/v1/run-events?${query}`))).toEqual([400, 'invalid_request']);
  });

  it('answers 429 to more streams than the account may have open, until one is closed', async () => {
    const ask = (n: number) => gateway.call('GET', `/v1/run-events?tag=full-${n}`);
    const streams = [1, 2, 3, 4, 5].map((n) => follow(`tag=full-${n}`));
    const readings = streams.map((stream) => framesOf(stream).catch(() => undefined));
    await Promise.all(streams.map((stream) => stream.opened));
    expect(outcome(await ask(6))).toEqual([429, 'rate_limited']);
    for (const stream of streams) stream.close();
    await Promise.all(readings);
    const next = follow('tag=full-6');
    await until(async () => (await next.opened).status === 200);
    next.close();
  });

  it('answers 401 without a token, 403 without a scope and 404 to an unknown or foreign batch, before any byte of a stream', async () => {
    const { batchId } = await aBatch(1);
    const { value } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['threads:read'] });
    const ask = (query: string, token?: string): Promise<Answer> =>
      gateway.call('GET', `/v1/run-events?${query}`, token === undefined ? {} : { token });
    expect((await ask('tag=x', '')).status).toBe(401);
    expect((await ask('tag=x', value)).status).toBe(403);
    expect((await ask(`batchId=${newId()}`)).status).toBe(404);
    expect((await ask(`batchId=${batchId}`, stranger)).status).toBe(404);
  });
});

describe('POST /v1/runs/{runId}/read-token', () => {
  const make = (runId: string, body: object = {}, token?: string): Promise<Answer> =>
    gateway.call('POST', `/v1/runs/${runId}/read-token`, { body, ...(token !== undefined && { token }) });
  const made = async (runId: string, body: object = {}, token?: string): Promise<string> =>
    String((await make(runId, body, token)).body.data?.['token']);
  const open = (runId: string, token: string, headers: Record<string, string> = {}) =>
    readEvents(`${gateway.url}/v1/runs/${runId}/events?token=${encodeURIComponent(token)}`, { headers });
  const refusal = async (
    runId: string,
    token: string,
    headers: Record<string, string> = {},
  ): Promise<[number, string]> => {
    const answer = await fetch(`${gateway.url}/v1/runs/${runId}/events?token=${encodeURIComponent(token)}`, {
      headers,
    });
    const { error } = (await answer.json()) as { error: { code: string } };
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    return [answer.status, error.code];
  };
  const unauthorized = [401, 'unauthorized'];

  it('answers 201 with a token that opens the events of this run to web pages of all origins', async () => {
    const runId = await accepted();
    const { status, body } = await make(runId);
    const { expiresAt, eventsPath } = body.data as Record<string, string>;
    expect([status, body.data]).toEqual([
      201,
      { runId, token: expect.stringMatching(/^lf_run_[0-9a-f]{64}$/), expiresAt, eventsPath },
    ]);
    const left = Date.parse(String(expiresAt)) - gateway.ctx.now().getTime();
    expect(left).toBeGreaterThan(100_000);
    expect(left).toBeLessThanOrEqual(301_000);
    const stream = readEvents(gateway.url + String(eventsPath), { headers: { origin: 'https://elsewhere.example' } });
    const reading = framesOf(stream);
    const { headers } = await stream.opened;
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    await carryOut(runId);
    expect(types(await reading).at(-1)).toBe('done');
    expect((await gateway.follow(runId).opened).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('returns a token that web pages of all origins can send as a header', async () => {
    const runId = await accepted();
    const url = `${gateway.url}/v1/runs/${runId}/events`;
    const asked = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    const preflight = await fetch(url, { method: 'OPTIONS', headers: asked });
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toMatchObject([
      204,
      { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization, last-event-id' },
    ]);
    const stream = readEvents(url, { headers: { authorization: `Bearer ${await made(runId)}` } });
    const reading = framesOf(stream);
    expect(await stream.opened).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
    await carryOut(runId);
    expect(types(await reading).at(-1)).toBe('done');
    const headers = { authorization: `Bearer lf_run_${'0'.repeat(64)}` };
    expect((await fetch(url, { headers })).status).toBe(401);
  });

  it('returns a path without its token when the operator refuses tokens in addresses', async () => {
    const own = await aGateway({ LENSFORGE_READ_TOKENS_IN_QUERY: 'false' });
    try {
      const order = { body: { params: { Name: 'Ada' } } };
      const { body: run } = await own.call('POST', `/v1/lenses/${own.lensId}/execute`, order);
      const path = `/v1/runs/${String(run.data?.['runId'])}`;
      const { body } = await own.call('POST', `${path}/read-token`, { body: {} });
      expect(body.data?.['eventsPath']).toBe(`${path}/events`);
      const token = String(body.data?.['token']);
      expect((await own.call('GET', `${path}/events?token=${token}`, { token: '' })).status).toBe(401);
      const stream = readEvents(`${own.url}${path}/events`, { headers: { authorization: `Bearer ${token}` } });
      expect((await stream.opened).status).toBe(200);
      stream.close();
    } finally {
      await own.stop();
    }
  });

  it('returns a token that no other endpoint accepts', async () => {
    const [runId, other] = [await accepted(), await accepted()];
    const token = await made(runId);
    expect(await refusal(other, token)).toEqual(unauthorized);
    expect(await refusal(newId(), token)).toEqual(unauthorized);
    for (const path of [
      `/v1/runs/${runId}`,
      `/v1/runs/${other}/events`,
      '/v1/runs',
      '/v1/me',
      `/v1/run-events?tag=x`,
    ]) {
      expect(outcome(await gateway.call('GET', path, { token }))).toEqual(unauthorized);
      const asked = `${path}${path.includes('?') ? '&' : '?'}token=${token}`;
      if (!path.endsWith('/events')) expect((await gateway.call('GET', asked, { token: '' })).status).toBe(401);
    }
    expect((await make(runId, {}, token)).status).toBe(401);
    expect((await gateway.call('POST', `/v1/runs/${runId}/cancel?token=${token}`, { token: '' })).status).toBe(401);
  });

  it('returns a token that takes precedence over other credentials of a request', async () => {
    const runId = await accepted();
    const authorization = `Bearer ${gateway.token}`;
    for (const token of [
      gateway.token,
      'x',
      '',
      ' ',
      `lf_run_${'0'.repeat(64)}`,
      `lf_run_${'Z'.repeat(64)}`,
      "' or true --",
      'a\u0000b',
      'x'.repeat(3000),
    ]) {
      expect(await refusal(runId, token)).toEqual(unauthorized);
      expect(await refusal(runId, token, { authorization })).toEqual(unauthorized);
    }
    const token = await made(runId);
    const twice = await fetch(`${gateway.url}/v1/runs/${runId}/events?token=${token}&token=${token}`);
    expect(twice.status).toBe(401);
    expect((await fetch(`${gateway.url}/v1/runs/7/events?token=${token}`)).status).toBe(401);
    const stream = open(runId, token, { authorization: `Bearer ${stranger}` });
    expect((await stream.opened).status).toBe(200);
    stream.close();
  });

  it('answers 400 to a lifetime out of range and 404 to an invalid UUID', async () => {
    const runId = await accepted();
    for (const ttlSeconds of [901, 9, 0, -1, 1.5, '60', 1e9])
      expect((await make(runId, { ttlSeconds })).status).toBe(400);
    expect((await make(runId, { ttlSeconds: 900 })).status).toBe(201);
    expect((await make('7')).status).toBe(404);
  });

  it('answers 401 without a token, 403 without a scope and 404 to an unknown or foreign run', async () => {
    const runId = await accepted();
    const { value } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['workflows:read'] });
    expect((await make(runId, {}, '')).status).toBe(401);
    expect((await make(runId, {}, value)).status).toBe(403);
    expect((await make(runId, {}, stranger)).status).toBe(404);
    expect((await make(newId())).status).toBe(404);
  });

  it('returns a token that ends with its lifetime and with the credential of its creator; open streams end within 30 s', async () => {
    const runId = await accepted();
    const { value, id: tokenId } = await aToken(gateway.ctx, { accountId: gateway.accountId });
    const [revoked, short, lasting] = [
      await made(runId, {}, value),
      await made(runId, { ttlSeconds: 10 }),
      await made(runId),
    ];
    const streams = [revoked, short, lasting].map((token) => open(runId, token));
    const [first, second, third] = streams.map((stream) => framesOf(stream));
    for (const stream of streams) await until(() => stream.text.includes('run.queued'));
    await revokeToken(actingAs(gateway.ctx, gateway.accountId), { tokenId });
    expect(await refusal(runId, revoked)).toEqual(unauthorized);
    expect(types((await first) ?? [])).toEqual(['run.queued']);
    expect(types((await second) ?? [])).toEqual(['run.queued']);
    expect(await refusal(runId, short)).toEqual(unauthorized);
    await cancel(runId);
    expect(types((await third) ?? [])).toEqual(['run.queued', 'run.canceled', 'done']);
  });

  it('returns a token that is not logged', async () => {
    const runId = await accepted();
    const token = await made(runId);
    await cancel(runId);
    await framesOf(open(runId, token));
    await refusal(newId(), token);
    await until(() => lines.some((line) => line.includes('/v1/runs/:runId/events') && line.includes('"status":401')));
    expect(lines.filter((line) => line.includes(token) || /lf_run_[0-9a-f]{8}/.test(line))).toEqual([]);
  });
});
