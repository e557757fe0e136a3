import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  parse,
  RunWebhookDelivery,
  WebhookDeliveryItem,
  WebhookDeliveryReply,
  WebhookEndpointReply,
  WebhookEndpointWithSecret,
  WebhookEventReply,
  WebhookListening,
  WebhookReplayReply,
  WebhookTestReply,
} from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { actingAs, aToken } from '@lensforge/identity/testing';
import { advanceReplays, signedBody, sweepWebhooks } from '@lensforge/webhooks';
import { aPromptRun, aRun } from '@lensforge/runs/testing';
import { aPlatformEvent, fanOutEvent, fanOutOutbox } from '@lensforge/webhooks/testing';
import { type TestCaller, aCaller, allPages, callerOf, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

const base = '/v1/webhook-endpoints';
const endpointRequest = { url: 'https://receiver.example/hooks', events: ['run.completed', 'run.failed'] };

let gateway: SignedInGateway;
let ada: TestCaller;
let stranger: TestCaller;
let reader: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [ada, stranger] = [await aCaller(gateway), await aCaller(gateway)];
  const { value } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['workflows:read'] });
  reader = callerOf(gateway, { token: value });
});
afterAll(() => gateway.stop());

const created = async (by = ada, more: object = {}) => {
  const answer = await by.post(base, { ...endpointRequest, ...more });
  expect(outcome(answer)).toEqual([201, undefined]);
  return parse(WebhookEndpointWithSecret, answer.body.data);
};
const read = async (id: string) => parse(WebhookEndpointReply, (await ada.get(`${base}/${id}`)).body.data);
const publishEvent = async (by = ada) => {
  const event = aPlatformEvent(by.accountId);
  await fanOutEvent(actingAs(gateway.ctx, by.accountId), event);
  return event;
};
/** An endpoint of a new account, with deliveries of this many events. */
const withDeliveries = async (count: number) => {
  const one = await aCaller(gateway);
  const { id } = await created(one);
  for (let n = 0; n < count; n += 1) await publishEvent(one);
  const deliveries = items(await one.get(`${base}/${id}/deliveries`)).map((item) => parse(WebhookDeliveryItem, item));
  return { one, id, deliveries };
};
const endDelivery = (deliveryId: string, state: 'delivered' | 'exhausted') =>
  gateway.ctx.db.query(`update webhook_deliveries set state = $2, ended_at = now() where id = $1`, [deliveryId, state]);
const call = (method: string, path: string, token: string, body?: unknown) =>
  gateway.call(method, path, { token, ...(body !== undefined && { body }) });
const callAsText = (method: string, path: string, body: unknown) =>
  gateway.call(method, path, { token: ada.token, body, headers: { 'content-type': 'text/plain' } });

/** The refusals that all routes of one endpoint share. */
const refusals = (
  method: string,
  suffix: string,
  { writes = true, body }: { writes?: boolean; body?: object } = {},
) => {
  const path = (id: string) => `${base}/${id}${suffix.replaceAll('ID', () => newId())}`;

  it('answers 400 to an invalid UUID, 401 without a token, 403 without the scope, 404 to unknown and foreign ones', async () => {
    const { id } = await created();
    const poor = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:write'] });
    expect(outcome(await call(method, path('x'), ada.token, body))).toEqual([400, 'invalid_request']);
    expect(outcome(await call(method, path(id), '', body))).toEqual([401, 'unauthorized']);
    expect(outcome(await call(method, path(id), poor.value, body))).toEqual([403, 'insufficient_scope']);
    if (writes) expect(outcome(await call(method, path(id), reader.token, body))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await call(method, path(newId()), ada.token, body))).toEqual([404, 'not_found']);
    expect(outcome(await call(method, path(id), stranger.token, body))).toEqual([404, 'not_found']);
  });

  if (body === undefined) return;
  it('answers 413 to a large body and 415 to another content type', async () => {
    const { id } = await created();
    expect((await call(method, path(id), ada.token, { x: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await callAsText(method, path(id), body)).status).toBe(415);
  });
};

describe(`POST ${base}`, () => {
  it('answers 201 with a secret that is shown once', async () => {
    const made = await created(ada, { description: 'Billing' });
    expect(made).toMatchObject({ ...endpointRequest, description: 'Billing', enabled: true, disabledReason: null });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = made;
    const { body } = await ada.get(`${base}/${made.id}`);
    expect(body.data).toEqual(shown);
    const rows = await gateway.ctx.db.query<object[]>('select * from webhook_endpoints where id = $1', [made.id]);
    expect(JSON.stringify([body, rows])).not.toContain(secret.slice(6, 30));
  });

  it.each([
    ['no url', { url: undefined }],
    ['a URL that is not HTTP', { url: 'ftp://receiver.example/' }],
    ['a password in the url', { url: 'https://user:password@receiver.example/' }],
    ['no events', { events: [] }],
    ['an unknown event', { events: ['run.exploded'] }],
    ['a description too long', { description: 'x'.repeat(501) }],
    ['an unknown member', { secret: 'mine' }],
  ])('answers 400 to %s', async (_, change) => {
    expect(outcome(await ada.post(base, { ...endpointRequest, ...change }))).toEqual([400, 'invalid_request']);
  });

  it('answers 401 without a token and 403 to read scopes', async () => {
    expect(outcome(await call('POST', base, '', endpointRequest))).toEqual([401, 'unauthorized']);
    expect(outcome(await reader.post(base, endpointRequest))).toEqual([403, 'insufficient_scope']);
  });

  it('answers 409 to more than 200 endpoints', async () => {
    const one = await aCaller(gateway);
    await gateway.ctx.db.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret)
       select gen_random_uuid(), $1, 'https://receiver.example/', '{run.failed}', '' from generate_series(1, 199)`,
      [one.accountId],
    );
    const answers = await Promise.all([1, 2, 3].map(() => one.post(base, endpointRequest)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('answers 413 to a large body and 415 to another content type', async () => {
    expect((await ada.post(base, { url: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await callAsText('POST', base, endpointRequest)).status).toBe(415);
  });
});

describe(`GET ${base}`, () => {
  it('answers 200 with own endpoints, newest first, in pages', async () => {
    const one = await aCaller(gateway);
    const ids = [(await created(one)).id, (await created(one)).id, (await created(one)).id];
    const all = await allPages(one.get, base, 2);
    expect(all.items.map((item) => parse(WebhookEndpointReply, item).id)).toEqual([...ids].reverse());
    expect(JSON.stringify(all.items)).not.toContain('whsec_');
  });

  it('answers 400, 401 and 403', async () => {
    const poor = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await ada.get(`${base}?cursor=x`))).toEqual([400, 'invalid_request']);
    expect(outcome(await call('GET', base, ''))).toEqual([401, 'unauthorized']);
    expect(outcome(await call('GET', base, poor.value))).toEqual([403, 'insufficient_scope']);
  });
});

describe(`GET ${base}/{endpointId}`, () => {
  it('answers 200, also to read scopes', async () => {
    const { id } = await created();
    expect(parse(WebhookEndpointReply, (await reader.get(`${base}/${id}`)).body.data).id).toBe(id);
  });
  refusals('GET', '', { writes: false });
});

describe(`PATCH ${base}/{endpointId}`, () => {
  it('answers 200 and changes only the given members; a new URL resets the failure state', async () => {
    const { id } = await created(ada, { description: 'old' });
    await gateway.ctx.db.query(
      `update webhook_endpoints set failures = 12, breaker_openings = 2, breaker_open_until = now() + interval '1 min', failing_since = now()
        where id = $1`,
      [id],
    );
    expect((await read(id)).pausedUntil).not.toBeNull();
    const renamed = (await ada.patch(`${base}/${id}`, { description: 'new' })).body.data;
    expect(renamed).toMatchObject({ ...endpointRequest, description: 'new', failingSince: expect.any(String) });
    const moved = (await ada.patch(`${base}/${id}`, { url: 'https://other.example/', events: ['member.joined'] })).body;
    expect(moved.data).toMatchObject({
      url: 'https://other.example/',
      events: ['member.joined'],
      description: 'new',
      failingSince: null,
      pausedUntil: null,
    });
  });

  it.each([{ url: 'nowhere' }, { events: [] }, { events: null }, { description: 5 }, { enabled: false }])(
    'answers 400 to %j',
    async (change) => {
      const { id } = await created();
      expect(outcome(await ada.patch(`${base}/${id}`, change))).toEqual([400, 'invalid_request']);
    },
  );
  refusals('PATCH', '', { body: { description: 'x' } });
});

describe(`DELETE ${base}/{endpointId}`, () => {
  it('answers 200: the endpoint is deleted and gets no more events', async () => {
    const one = await aCaller(gateway);
    const { id } = await created(one);
    expect((await one.remove(`${base}/${id}`)).status).toBe(200);
    expect((await one.get(`${base}/${id}`)).status).toBe(404);
    expect((await one.remove(`${base}/${id}`)).status).toBe(404);
    expect((await one.post(`${base}/${id}/enable`)).status).toBe(404);
    expect(items(await one.get(base))).toEqual([]);
    expect(await fanOutEvent(actingAs(gateway.ctx, one.accountId), aPlatformEvent(one.accountId))).toBe(0);
  });
  refusals('DELETE', '');
});

describe(`POST ${base}/{endpointId}/rotate`, () => {
  it('answers 200 with a new secret, shown once; the old one also signs for a day or the given overlap', async () => {
    const { id, secret } = await created();
    const rotate = async (body?: object) =>
      parse(WebhookEndpointWithSecret, (await ada.post(`${base}/${id}/rotate`, body)).body.data);
    const day = await rotate();
    expect(day.secret).toMatch(/^whsec_/);
    expect(day.secret).not.toBe(secret);
    const hours = (until: string | null) => Math.round((Date.parse(until ?? '') - Date.now()) / 3_600_000);
    expect(hours(day.previousSecretUntil)).toBe(24);
    expect(hours((await rotate({ overlapSeconds: 7200 })).previousSecretUntil)).toBe(2);
    expect((await rotate({ overlapSeconds: 0 })).previousSecretUntil).toBeNull();
  });

  it.each([-1, 604_801, 1.5, '60', null])('answers 400 to an overlap of %j', async (overlapSeconds) => {
    const { id } = await created();
    expect(outcome(await ada.post(`${base}/${id}/rotate`, { overlapSeconds }))).toEqual([400, 'invalid_request']);
  });
  refusals('POST', '/rotate', { body: {} });
});

describe(`POST ${base}/{endpointId}/disable and /enable`, () => {
  it('answers 200: cancels pending deliveries and sends none until it is enabled; both are in the audit log', async () => {
    const { one, id, deliveries } = await withDeliveries(2);
    expect((await one.post(`${base}/${id}/disable`)).body.data).toMatchObject({
      enabled: false,
      disabledReason: 'owner',
      disabledAt: expect.any(String),
    });
    const states = items(await one.get(`${base}/${id}/deliveries`)).map(({ state }) => state);
    expect(states).toEqual(deliveries.map(() => 'canceled'));
    expect((await one.post(`${base}/${id}/disable`)).status).toBe(200);
    expect((await one.post(`${base}/${id}/enable`)).body.data).toMatchObject({ enabled: true, disabledReason: null });
    expect((await one.post(`${base}/${id}/enable`)).status).toBe(200);
    const acts = items(await one.get('/v1/audit')).map(({ action }) => action);
    expect(acts).toEqual(['webhook.enabled', 'webhook.disabled', 'webhook.created']);
  });
  refusals('POST', '/disable');
  refusals('POST', '/enable');
});

describe(`POST ${base}/{endpointId}/test`, () => {
  it('answers 202 and sends a test event, or one of the given type, to this endpoint only', async () => {
    const one = await aCaller(gateway);
    const { id } = await created(one);
    await created(one);
    const plain = parse(WebhookTestReply, (await one.post(`${base}/${id}/test`)).body.data);
    const wished = await one.post(`${base}/${id}/test`, { event: 'battle.completed' });
    expect(wished.status).toBe(202);
    const log = items(await one.get(`${base}/${id}/deliveries`));
    expect(log.map(({ event, cause, state }) => [event, cause, state])).toEqual([
      ['battle.completed', 'test', 'pending'],
      ['webhook.test', 'test', 'pending'],
    ]);
    expect(log[1]).toMatchObject({ id: plain.deliveryId, eventId: plain.eventId });
  });

  it('answers 409 for a disabled endpoint', async () => {
    const { id } = await created();
    await ada.post(`${base}/${id}/disable`);
    expect(outcome(await ada.post(`${base}/${id}/test`))).toEqual([409, 'conflict']);
  });
  refusals('POST', '/test', { body: {} });
});

describe(`GET ${base}/{endpointId}/deliveries`, () => {
  it('answers 200 with deliveries, newest first, in pages, by state, event and time', async () => {
    const { one, id, deliveries } = await withDeliveries(4);
    const path = `${base}/${id}/deliveries`;
    const all = await allPages(one.get, path, 3);
    expect(all.items.map((each) => each['id'])).toEqual(deliveries.map((each) => each.id));
    const [newest, second, , oldest] = deliveries.map((each) => each.id);
    await endDelivery(second ?? '', 'exhausted');
    await one.post(`${base}/${id}/test`);
    const found = async (query: string) => items(await one.get(`${path}?${query}`)).map((each) => each['id']);
    expect(await found('state=exhausted')).toEqual([second]);
    expect(await found('event=webhook.test')).toHaveLength(1);
    expect(await found('event=run.completed&state=pending')).toHaveLength(3);
    await gateway.ctx.db.query(`update webhook_deliveries set created_at = now() - interval '1 day' where id = $1`, [
      oldest,
    ]);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect(await found(`to=${hourAgo}`)).toEqual([oldest]);
    expect(await found(`from=${hourAgo}&event=run.completed&limit=1`)).toEqual([newest]);
  });

  it.each(['state=lost', 'event=run.exploded', 'from=yesterday', 'limit=0', 'cursor=x'])(
    'answers 400 to %s',
    async (query) => {
      const { id } = await created();
      expect(outcome(await ada.get(`${base}/${id}/deliveries?${query}`))).toEqual([400, 'invalid_request']);
    },
  );
  refusals('GET', '/deliveries', { writes: false });
});

describe(`GET ${base}/{endpointId}/deliveries/{deliveryId}`, () => {
  it('answers 200 with the status, time, error and response head of each attempt', async () => {
    const { one, id, deliveries } = await withDeliveries(1);
    const [delivery] = deliveries;
    await gateway.ctx.db.query(
      `insert into webhook_attempts (id, delivery_id, number, status, error, detail, answer, duration_ms)
       values ($1, $3, 1, null, 'connect_failed', 'refused', '', 3), ($2, $3, 2, 500, null, null, 'sorry', 12)`,
      [newId(), newId(), delivery?.id],
    );
    const { body } = await one.get(`${base}/${id}/deliveries/${delivery?.id ?? ''}`);
    const details = parse(WebhookDeliveryReply, body.data);
    expect(details.attempts).toMatchObject([
      { number: 1, status: null, error: 'connect_failed', detail: 'refused', answer: '', durationMs: 3 },
      { number: 2, status: 500, error: null, answer: 'sorry', durationMs: 12, at: expect.any(String) },
    ]);
  });

  it('answers 200 with the body that is sent, without signatures', async () => {
    const one = await aCaller(gateway);
    const { id, secret } = await created(one);
    const { eventId, data } = await publishEvent(one);
    const [delivery] = items(await one.get(`${base}/${id}/deliveries`));
    const { body } = await one.get(`${base}/${id}/deliveries/${String(delivery?.['id'])}`);
    const { request } = parse(WebhookDeliveryReply, body.data);
    expect(JSON.parse(request.body)).toEqual({
      id: eventId,
      event: 'run.completed',
      timestamp: expect.any(String),
      data,
    });
    expect(request.headers).toEqual({
      'content-type': 'application/json',
      'X-Service-Event-Id': eventId,
      'webhook-id': eventId,
    });
    expect(JSON.stringify(body)).not.toContain(secret.slice(6, 30));
    const stored = await gateway.ctx.db.query<{ body: Buffer }[]>('select body from webhook_events where id = $1', [
      eventId,
    ]);
    const [unsigned] = signedBody(stored[0]?.body ?? Buffer.alloc(0), secret)
      .toString()
      .split(',"signature":');
    expect(`${unsigned ?? ''}}`).toBe(request.body);
  });

  it('answers 404 to a delivery of another endpoint', async () => {
    const { one, deliveries } = await withDeliveries(1);
    const other = await created(one);
    const path = `${base}/${other.id}/deliveries/${deliveries[0]?.id ?? ''}`;
    expect(outcome(await one.get(path))).toEqual([404, 'not_found']);
    expect(outcome(await one.post(`${path}/redeliver`))).toEqual([404, 'not_found']);
  });
  refusals('GET', '/deliveries/ID', { writes: false });
});

describe(`POST ${base}/{endpointId}/deliveries/{deliveryId}/redeliver`, () => {
  it('answers 202 and sends the same event again', async () => {
    const { one, id, deliveries } = await withDeliveries(1);
    const [delivery] = deliveries;
    await endDelivery(delivery?.id ?? '', 'exhausted');
    const answer = await one.post(`${base}/${id}/deliveries/${delivery?.id ?? ''}/redeliver`);
    expect(answer.status).toBe(202);
    expect(parse(WebhookDeliveryItem, answer.body.data)).toMatchObject({
      id: delivery?.id,
      eventId: delivery?.eventId,
      cause: 'redelivery',
      state: 'pending',
      tries: 0,
      endedAt: null,
    });
  });

  it('answers 409 while the delivery is pending and for a disabled endpoint', async () => {
    const { one, id, deliveries } = await withDeliveries(1);
    const path = `${base}/${id}/deliveries/${deliveries[0]?.id ?? ''}/redeliver`;
    await gateway.ctx.db.query(
      `update webhook_deliveries set state = 'sending', slot = 0, lease_until = now() where endpoint_id = $1`,
      [id],
    );
    expect(outcome(await one.post(path))).toEqual([409, 'conflict']);
    await one.post(`${base}/${id}/disable`);
    expect(outcome(await one.post(path))).toEqual([409, 'conflict']);
  });
  refusals('POST', '/deliveries/ID/redeliver');
});

describe(`POST and GET ${base}/{endpointId}/replays`, () => {
  const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

  it('answer 202 and resend the undelivered events of the range, and 200 with the progress', async () => {
    const { one, id, deliveries } = await withDeliveries(3);
    const [first, second] = deliveries;
    await endDelivery(first?.id ?? '', 'exhausted');
    await endDelivery(second?.id ?? '', 'delivered');
    const answer = await one.post(`${base}/${id}/replays`, { from: hourAgo() });
    expect(answer.status).toBe(202);
    const replay = parse(WebhookReplayReply, answer.body.data);
    expect(replay).toMatchObject({ state: 'running', what: 'undelivered', looked: 0, made: 0 });
    while ((await advanceReplays(gateway.ctx)) > 0);
    const after = parse(WebhookReplayReply, (await one.get(`${base}/${id}/replays/${replay.id}`)).body.data);
    expect(after).toMatchObject({ state: 'done', looked: 3, made: 1, endedAt: expect.any(String) });
    const causes = items(await one.get(`${base}/${id}/deliveries`)).map(({ cause, state }) => [cause, state]);
    expect(causes).toEqual([
      ['replay', 'pending'],
      ['event', 'delivered'],
      ['event', 'pending'],
    ]);
    expect((await allPages(one.get, `${base}/${id}/replays`)).items.map((each) => each['id'])).toEqual([replay.id]);
  });

  it.each([{}, { from: 'yesterday' }, { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }])(
    'answers 400 to %j',
    async (body) => {
      const { id } = await created();
      expect(outcome(await ada.post(`${base}/${id}/replays`, body))).toEqual([400, 'invalid_request']);
    },
  );

  it('answer 409 while another replay runs and for a disabled endpoint', async () => {
    const { id } = await created();
    expect((await ada.post(`${base}/${id}/replays`, { from: hourAgo() })).status).toBe(202);
    expect(outcome(await ada.post(`${base}/${id}/replays`, { from: hourAgo() }))).toEqual([409, 'conflict']);
    const other = await created();
    await ada.post(`${base}/${other.id}/disable`);
    expect(outcome(await ada.post(`${base}/${other.id}/replays`, { from: hourAgo() }))).toEqual([409, 'conflict']);
  });
  refusals('POST', '/replays', { body: { from: '2026-01-01T00:00:00Z' } });
  refusals('GET', '/replays', { writes: false });
  refusals('GET', '/replays/ID', { writes: false });
});

describe('POST /v1/webhook-events/listen', () => {
  it('stores the events of its account without an endpoint, for two minutes', async () => {
    const one = await aCaller(gateway);
    const other = await aCaller(gateway);
    const listed = async () => items(await one.get('/v1/webhook-events')).map((item) => item['id']);
    await publishEvent(one);
    const { status, body } = await one.post('/v1/webhook-events/listen');
    expect(status).toBe(200);
    const { until } = parse(WebhookListening, body.data);
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(100_000);
    const heard = await publishEvent(one);
    await publishEvent(other);
    expect(await listed()).toEqual([heard.eventId]);
    expect(await gateway.ctx.db.query('select account_listens($1, $2) as heard', [one.accountId, heard.type])).toEqual([
      { heard: true },
    ]);
    await gateway.ctx.db.query(`update webhook_listeners set until = now() where account_id = $1`, [one.accountId]);
    await publishEvent(one);
    expect(await listed()).toEqual([heard.eventId]);
    await sweepWebhooks(gateway.ctx, { days: 30 });
    expect(await gateway.ctx.db.query('select from webhook_listeners where account_id = $1', [one.accountId])).toEqual(
      [],
    );
  });
});

describe('GET /v1/runs/{runId}/webhook-deliveries', () => {
  const pathOf = (runId: string) => `/v1/runs/${runId}/webhook-deliveries`;
  const ended = async (by: TestCaller): Promise<string> => {
    const { runId } = await aRun(actingAs(gateway.ctx, by.accountId));
    await gateway.worker.succeed(await gateway.worker.claim(runId));
    return runId;
  };

  it('answers 200 with the deliveries of the run to all subscribed endpoints, in pages', async () => {
    const one = await aCaller(gateway);
    const hooks = [await created(one), await created(one, { url: 'https://other.example/' })];
    await created(one, { events: ['run.failed'] });
    const removed = await created(one);
    const [first, second] = [await ended(one), await ended(one)];
    await fanOutOutbox(gateway.ctx);
    await one.remove(`${base}/${removed.id}`);
    const { items: found } = await allPages(one.get, pathOf(first), 1);
    const deliveries = found.map((item) => parse(RunWebhookDelivery, item));
    expect(deliveries.map(({ endpointId, endpointUrl }) => [endpointId, endpointUrl]).sort()).toEqual(
      hooks.map(({ id, url }) => [id, url]).sort(),
    );
    for (const each of deliveries) {
      expect(each).toMatchObject({ event: 'run.completed', state: 'pending', tries: 0, lastStatus: null });
    }
    const others = items(await one.get(pathOf(second))).map(({ eventId }) => eventId);
    expect(others).toHaveLength(2);
    expect(others).not.toContain(deliveries[0]?.eventId);
    const [{ data }] = await gateway.ctx.db.query<[{ data: object }]>(
      `select convert_from(body, 'UTF8')::json -> 'data' as data from webhook_events where id = $1`,
      [deliveries[0]?.eventId],
    );
    expect(data).toMatchObject({ runId: first });
  });

  it('tells runs apart that ended at the same time', async () => {
    const one = await aCaller(gateway);
    await created(one);
    const runs = [await ended(one), await ended(one)];
    const at = new Date().toISOString();
    await gateway.ctx.db.query('update runs set completed_at = $2 where id = any ($1)', [runs, at]);
    await gateway.ctx.db.query(
      `update outbox set payload = payload || jsonb_build_object('occurredAt', $2::text) where payload #>> '{data,runId}' = any ($1)`,
      [runs, at],
    );
    await fanOutOutbox(gateway.ctx);
    const [first, second] = await Promise.all(runs.map(async (id) => items(await one.get(pathOf(id)))));
    expect([first?.length, second?.length]).toEqual([1, 1]);
    expect(first?.[0]?.['eventId']).not.toBe(second?.[0]?.['eventId']);
  });

  it('answers 200 without items for an open run and for one without endpoints', async () => {
    const one = await aCaller(gateway);
    const { runId: open } = await aRun(actingAs(gateway.ctx, one.accountId));
    const alone = await ended(one);
    await fanOutOutbox(gateway.ctx);
    expect(items(await one.get(pathOf(open)))).toEqual([]);
    expect(items(await one.get(pathOf(alone)))).toEqual([]);
  });

  it('answers 401, 403 without the scopes of webhooks and of the run, and 404 to unknown and foreign runs', async () => {
    const { runId } = await aRun(actingAs(gateway.ctx, ada.accountId));
    const { runId: prompt } = await aPromptRun(actingAs(gateway.ctx, ada.accountId));
    const { value: lensReader } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await call('GET', pathOf(runId), ''))).toEqual([401, 'unauthorized']);
    expect(outcome(await call('GET', pathOf(runId), lensReader))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await reader.get(pathOf(prompt)))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await ada.get(pathOf(newId())))).toEqual([404, 'not_found']);
    expect(outcome(await stranger.get(pathOf(runId)))).toEqual([404, 'not_found']);
    expect(outcome(await ada.get(pathOf('x')))).toEqual([404, 'not_found']);
  });
});

describe('GET /v1/webhook-events', () => {
  it('answers 200 with the events that had an endpoint, newest first, in pages', async () => {
    const one = await aCaller(gateway);
    await created(one);
    const published = [await publishEvent(one), await publishEvent(one), await publishEvent(one)];
    const { items: found } = await allPages(one.get, '/v1/webhook-events', 2);
    const events = found.map((item) => parse(WebhookEventReply, item));
    expect(events.map(({ id }) => id).sort()).toEqual(published.map(({ eventId }) => eventId).sort());
    expect(events.map(({ data }) => data)).toContainEqual(published[0]?.data);
    expect(items(await one.get('/v1/webhook-events?event=run.failed'))).toEqual([]);
    expect(items(await stranger.get('/v1/webhook-events'))).toEqual([]);
  });

  it('answers 400, 401 and 403', async () => {
    const poor = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    expect(outcome(await ada.get('/v1/webhook-events?from=x'))).toEqual([400, 'invalid_request']);
    expect(outcome(await call('GET', '/v1/webhook-events', ''))).toEqual([401, 'unauthorized']);
    expect(outcome(await call('GET', '/v1/webhook-events', poor.value))).toEqual([403, 'insufficient_scope']);
  });
});
