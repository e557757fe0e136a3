import { createHmac } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aStoredRun } from '@lensforge/runs/testing';
import { type ReceivedRequest, type WebhookReceiver, startWebhookReceiver, until } from '@lensforge/testing';
import { anEndpoint, aPlatformEvent, fanOutEvent } from '@lensforge/webhooks/testing';
import { Webhook } from 'standardwebhooks';
import { type Dispatcher, aDispatcher } from './dispatcher.js';

let dispatcher: Dispatcher;
let webhookReceiver: WebhookReceiver;

const others: Dispatcher[] = [];
async function anotherPlatform(environment: Record<string, string> = {}): Promise<Dispatcher> {
  const other = await aDispatcher(environment);
  others.push(other);
  return other;
}

beforeAll(async () => {
  dispatcher = await aDispatcher();
});
afterAll(() => dispatcher.stop());
beforeEach(async () => {
  webhookReceiver = await startWebhookReceiver();
});
afterEach(async () => {
  await webhookReceiver.close();
  await Promise.all(others.splice(0).map((other) => other.stop()));
});

const header = ({ headers }: ReceivedRequest, name: string): string => String(headers[name]);
const idOf = (received: ReceivedRequest): unknown => (JSON.parse(received.body.toString()) as { id: unknown }).id;
const ends = (event: Parameters<Dispatcher['delivery']>[0], state: string) =>
  until(async () => (await dispatcher.delivery(event)).state === state, { what: `a delivery that is ${state}` });

describe('a webhook delivery', () => {
  it('has the documented form and signatures that verify', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    const [received] = (await webhookReceiver.receive(1)) as [ReceivedRequest];

    const body = JSON.parse(received.body.toString()) as { signature: string };
    expect(Object.keys(body)).toEqual(['id', 'event', 'timestamp', 'data', 'signature']);
    expect(body).toMatchObject({
      id: event.eventId,
      event: 'run.completed',
      timestamp: event.occurredAt,
      data: event.data,
    });
    const hmac = (bytes: string | Buffer) =>
      `sha256=${createHmac('sha256', subscriber.secret).update(bytes).digest('hex')}`;
    const { signature, ...unsigned } = body;
    expect(signature).toBe(hmac(JSON.stringify(unsigned)));
    expect(header(received, 'x-service-signature')).toBe(hmac(received.body));
    expect(header(received, 'x-service-event-id')).toBe(event.eventId);
    expect(header(received, 'content-type')).toBe('application/json');
    expect(received.method).toBe('POST');
    const standard = Object.fromEntries(Object.entries(received.headers).map(([name, value]) => [name, String(value)]));
    expect(new Webhook(subscriber.secret).verify(received.body, standard)).toMatchObject({ id: event.eventId });

    await ends(event, 'delivered');
    expect(await dispatcher.attempts(event)).toMatchObject([{ number: 1, status: 200, error: null }]);
  });

  it('carries the trace context of the request that caused it', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await dispatcher.announce({ ctx: { ...subscriber.ctx, traceparent } });
    const [received] = (await webhookReceiver.receive(1)) as [ReceivedRequest];
    expect(header(received, 'traceparent')).toBe(traceparent);
  });

  it('reaches every subscribed endpoint of the account and none of another account', async () => {
    const subscriber = await dispatcher.subscribe(`${webhookReceiver.url}/one`);
    await dispatcher.subscribe(`${webhookReceiver.url}/stranger`);
    await anEndpoint(subscriber.ctx, { url: `${webhookReceiver.url}/two` });
    await anEndpoint(subscriber.ctx, { url: `${webhookReceiver.url}/other`, events: ['lens.published'] });
    await dispatcher.announce(subscriber);
    await webhookReceiver.receive(2);
    expect(webhookReceiver.requests.map(({ path }) => path).sort()).toEqual(['/hooks/one', '/hooks/two']);
  });

  it('is created once, even when the event is handed over twice', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await ends(event, 'delivered');
    await dispatcher.announce(subscriber, event);
    const after = await dispatcher.announce(subscriber);
    await ends(after, 'delivered');
    expect(webhookReceiver.requests.map(idOf)).toEqual([event.eventId, after.eventId]);
  });
});

describe('the dispatcher, when a receiver fails,', () => {
  it('retries with the same id and the same bytes', async () => {
    webhookReceiver.next({ status: 500, body: 'sorry' }, 'cut');
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await ends(event, 'delivered');
    expect(webhookReceiver.requests).toHaveLength(3);
    expect(new Set(webhookReceiver.requests.map(({ body }) => body.toString('hex'))).size).toBe(1);
    expect(new Set(webhookReceiver.requests.map((received) => header(received, 'webhook-id')))).toEqual(
      new Set([event.eventId]),
    );
    expect(await dispatcher.attempts(event)).toMatchObject([
      { number: 1, status: 500, answer: 'sorry' },
      { number: 2, status: null, error: 'connection_lost' },
      { number: 3, status: 200 },
    ]);
  });

  it('makes four attempts in all', async () => {
    webhookReceiver.always({ status: 404 });
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await ends(event, 'exhausted');
    expect(webhookReceiver.requests).toHaveLength(4);
    const waits = (await dispatcher.attempts(event)).map(({ wait }) => wait).slice(1);
    for (const wait of waits) expect(wait).toBeGreaterThan(0.23);
  });

  it('waits for the time in Retry-After', async () => {
    webhookReceiver.next({ status: 429, headers: { 'retry-after': '2' } });
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await ends(event, 'delivered');
    const [, second] = await dispatcher.attempts(event);
    expect(second?.wait).toBeGreaterThan(1.9);
  });

  it('disables the endpoint after status 410 and sends nothing more', async () => {
    webhookReceiver.always({ status: 410 });
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await ends(event, 'exhausted');
    expect(await dispatcher.attempts(event)).toHaveLength(1);
    const [endpoint] = await dispatcher.ctx.db.query<[{ reason: string }]>(
      'select disabled_reason as reason from webhook_endpoints where id = $1',
      [subscriber.id],
    );
    expect(endpoint.reason).toBe('gone');
    const witness = await startWebhookReceiver();
    await dispatcher.announce(subscriber);
    const other = await dispatcher.subscribe(witness.url);
    await dispatcher.announce(other);
    await witness.receive(1);
    expect(webhookReceiver.requests).toHaveLength(1);
    await witness.close();
  });

  it('does not follow redirects', async () => {
    const second = await startWebhookReceiver();
    webhookReceiver.always({ redirect: second.url });
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await ends(event, 'exhausted');
    expect(await dispatcher.attempts(event)).toMatchObject(
      [1, 2, 3, 4].map((number) => ({ number, status: 307, error: 'redirected' })),
    );
    expect(second.requests).toHaveLength(0);
    await second.close();
  });

  it('treats a response that is too large as a failure', async () => {
    webhookReceiver.next({ status: 200, body: 'x'.repeat(1_000_000) });
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await ends(event, 'delivered');
    const [first] = await dispatcher.attempts(event);
    expect(first).toMatchObject({ status: 200, error: 'answer_too_large' });
    expect(first?.answer.length).toBe(4096);
  });
});

describe('a delivery of a lost dispatcher', () => {
  it('is sent by another dispatcher after its lease', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    webhookReceiver.next('hang');
    const event = await dispatcher.announce(subscriber);
    await webhookReceiver.receive(1);
    // SIGKILL leaves a claim without a result, and no job.
    await dispatcher.ctx.db.query(
      `update webhook_deliveries set attempt = attempt + 1, lease_until = now() - interval '1 s' where event_id = $1`,
      [event.eventId],
    );
    await ends(event, 'delivered');
    expect(webhookReceiver.requests.map(idOf)).toEqual([event.eventId, event.eventId]);
    expect(webhookReceiver.requests[0]?.body.equals(webhookReceiver.requests[1]?.body ?? Buffer.alloc(0))).toBe(true);
    expect(await dispatcher.delivery(event)).toMatchObject({ attempt: 3, tries: 1 });
    expect(await dispatcher.metric('lensforge_webhook_deliveries_retaken_total')).toBe(1);
  });

  it('is created from the outbox row when Redis has lost the job', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = aPlatformEvent(subscriber.ctx.actor.accountId);
    // Redis has lost the job; only the outbox row is left.
    await dispatcher.ctx.db.query(
      `insert into outbox (id, job, job_id, payload, tries, claimed_until)
       values ($1, 'platform-event.fan-out', $1::uuid || '-g0', $2, 1, now() + interval '1 s')`,
      [event.eventId, event],
    );
    await ends(event, 'delivered');
    const left = await dispatcher.ctx.db.query<object[]>('select 1 from outbox where id = $1', [event.eventId]);
    expect(left).toEqual([]);
  });

  it('is found when another process created it', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = aPlatformEvent(subscriber.ctx.actor.accountId);
    await fanOutEvent(subscriber.ctx, event);
    await ends(event, 'delivered');
    expect(webhookReceiver.requests.map(idOf)).toEqual([event.eventId]);
  });
});

describe('the dispatcher, when an endpoint hangs,', () => {
  it('opens four connections at most and does not delay healthy endpoints', async () => {
    const hanging = await startWebhookReceiver();
    hanging.always('hang');
    const slow = await dispatcher.subscribe(hanging.url);
    const healthy = await dispatcher.subscribe(webhookReceiver.url);
    const stuck = [];
    for (let n = 0; n < 20; n++) stuck.push(await dispatcher.announce(slow));
    await hanging.receive(4);
    const events = [];
    for (let n = 0; n < 10; n++) events.push(await dispatcher.announce(healthy));
    await webhookReceiver.receive(10, 5000);
    for (const event of events) await ends(event, 'delivered');
    expect(hanging.requests).toHaveLength(4);
    // Deliveries behind a hanging one are released soon.
    await until(async () => (await dispatcher.metric('lensforge_webhook_deliveries_sending')) === 4);
    expect(await dispatcher.metric('lensforge_webhook_deliveries_due')).toBe(16);
    expect(hanging.requests).toHaveLength(4);

    hanging.always({ status: 200 });
    await hanging.close();
    await dispatcher.ctx.db.query('delete from webhook_endpoints where id = $1', [slow.id]);
  });
});

describe('an overdue run', () => {
  it('is settled by the dispatcher without any run-worker, with an event for its owner', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url, ['run.failed']);
    const runId = await aStoredRun(subscriber.ctx, { status: 'running' });
    await dispatcher.ctx.db.query(
      `update runs set deadline_at = now(), tags = '{nightly}', metadata = '{"order": 7}' where id = $1`,
      [runId],
    );
    const [received] = (await webhookReceiver.receive(1)) as [ReceivedRequest];
    expect(JSON.parse(received.body.toString())).toMatchObject({
      event: 'run.failed',
      data: {
        runId,
        error: { code: 'RUN_TIMED_OUT' },
        lensId: expect.any(String),
        tags: ['nightly'],
        metadata: { order: 7 },
      },
    });
    expect(await dispatcher.metric('lensforge_runs_reconciled_total', { cause: 'timed_out' })).toBeGreaterThan(0);
  });
});

describe('the health checks and metrics of the dispatcher', () => {
  it('report its health and its attempts', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    await ends(await dispatcher.announce(subscriber), 'delivered');
    expect((await fetch(`${dispatcher.service.url}/health`)).status).toBe(200);
    expect((await fetch(`${dispatcher.service.url}/ready`)).status).toBe(200);
    expect(await dispatcher.metric('lensforge_webhook_attempts_total', { outcome: 'delivered' })).toBeGreaterThan(0);
    expect(
      await dispatcher.metric('lensforge_webhook_attempt_duration_seconds_count', { result: '2xx' }),
    ).toBeGreaterThan(0);
  });
});

describe('the dispatcher', () => {
  it('sends nothing to private addresses unless LENSFORGE_WEBHOOKS_ALLOW_PRIVATE is set', async () => {
    let knocks = 0;
    const canary = createServer((socket) => {
      knocks += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const { port } = canary.address() as AddressInfo;
    const strict = await anotherPlatform({
      LENSFORGE_WEBHOOKS_ALLOW_PRIVATE: 'false',
      LENSFORGE_WEBHOOKS_ALLOW_HTTP: 'true',
      LENSFORGE_WEBHOOKS_PORTS: `443,80,${port}`,
    });
    const events = [];
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433'])
      events.push(await strict.announce(await strict.subscribe(`http://${host}:${port}/`)));
    for (const event of events) {
      await until(async () => (await strict.delivery(event)).state === 'exhausted');
      const attempts = await strict.attempts(event);
      expect(attempts).toMatchObject([1, 2, 3, 4].map(() => ({ status: null, error: 'address_not_allowed' })));
    }
    expect(knocks).toBe(0);
    canary.close();
  });
});

describe('a dispatcher that stops', () => {
  it('waits for running attempts', async () => {
    const leaving = await anotherPlatform();
    const subscriber = await leaving.subscribe(webhookReceiver.url);
    webhookReceiver.next('hang');
    const event = await leaving.announce(subscriber);
    await webhookReceiver.receive(1);
    const stopped = leaving.service.stop();
    await webhookReceiver.close();
    expect(await stopped).toBe(true);
    expect(await leaving.delivery(event)).toMatchObject({ state: 'pending', tries: 1, lastError: 'connection_lost' });
  });

  it('releases attempts that do not end, and another dispatcher claims them at once', async () => {
    const leaving = await anotherPlatform({ LENSFORGE_DRAIN_MS: '4000' });
    const subscriber = await leaving.subscribe(webhookReceiver.url);
    webhookReceiver.next('hang');
    const event = await leaving.announce(subscriber);
    await webhookReceiver.receive(1);
    await leaving.service.stop();
    expect(await leaving.delivery(event)).toMatchObject({ state: 'pending', tries: 0, attempt: 1 });
    await leaving.another();
    await webhookReceiver.receive(2);
    await until(async () => (await leaving.delivery(event)).state === 'delivered');
    expect(webhookReceiver.requests.map(idOf)).toEqual([event.eventId, event.eventId]);
  });
});
