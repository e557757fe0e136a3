import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { type ReceivedRequest, type WebhookReceiver, startWebhookReceiver, until } from '@lensforge/testing';
import {
  advanceReplays,
  MAX_BODY_BYTES,
  redeliver,
  replayEvents,
  rotateSecret,
  testEndpoint,
} from '@lensforge/webhooks';
import { aKeyRing } from '@lensforge/webhooks/testing';
import { Webhook } from 'standardwebhooks';
import { type Dispatcher, aDispatcher } from './dispatcher.js';

let dispatcher: Dispatcher;
let webhookReceiver: WebhookReceiver;
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  dispatcher = await aDispatcher({
    LENSFORGE_WEBHOOK_TIMEOUT_MS: '2000',
    LENSFORGE_WEBHOOK_BREAKER_MS: '300',
    LENSFORGE_WEBHOOK_RETRY_MS: '400,800,1200',
  });
});
afterAll(() => dispatcher.stop());
beforeEach(async () => {
  webhookReceiver = await startWebhookReceiver();
});
afterEach(async () => {
  await webhookReceiver.close();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

const has = (event: Parameters<Dispatcher['delivery']>[0], state: string) =>
  until(async () => (await dispatcher.delivery(event)).state === state, { what: `${state} delivery` });
const standardHeaders = ({ headers }: ReceivedRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
const verifies = (secret: string, received: ReceivedRequest, body: Buffer = received.body): boolean => {
  try {
    return Boolean(new Webhook(secret).verify(body, standardHeaders(received)));
  } catch {
    return false;
  }
};

/** A TCP server that controls the bytes of its connection once it has read a request. */
async function rawReceiver(behave: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => behave(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const head = (status: string, ...headers: string[]) => [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n');
const dripping = (socket: Socket): void => {
  socket.write(head('200 OK', 'content-length: 1000'));
  const timer = setInterval(() => socket.write('x'), 1000);
  socket.on('close', () => clearInterval(timer));
};
const endless = (socket: Socket): void => {
  socket.write(head('200 OK', `content-length: ${100 * 1024 * 1024}`));
  const piece = Buffer.alloc(64 * 1024);
  const more = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};
const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));

const misbehaviours: [string, () => string | Promise<string>, status: number | null, error: string | null][] = [
  ['answers 500', () => rawReceiver((s) => s.end(head('500 No', 'content-length: 0'))), 500, null],
  ['answers 404', () => rawReceiver((s) => s.end(head('404 No', 'content-length: 0'))), 404, null],
  ['resets the connection', () => rawReceiver((s) => s.resetAndDestroy()), null, 'connection_lost'],
  [
    'speaks no TLS',
    async () => (await rawReceiver((s) => s.end('what?'))).replace('http:', 'https:'),
    null,
    'tls_failed',
  ],
  ['has no address', () => 'http://receiver.invalid/', null, 'dns_failed'],
  ['does not listen', () => 'http://127.0.0.1:1/', null, 'connect_failed'],
  ['never answers', () => rawReceiver(() => undefined), null, 'timeout'],
  [
    'answers too late',
    () => rawReceiver((s) => void setTimeout(() => s.end(head('200 OK', 'content-length: 0')), 30_000).unref()),
    null,
    'timeout',
  ],
  ['sends a byte a second', () => rawReceiver(dripping), null, 'timeout'],
  [
    'sends us elsewhere',
    () => rawReceiver((s) => s.end(head('302 There', 'location: /', 'content-length: 0'))),
    302,
    'redirected',
  ],
  ['answers with 100 MB', () => rawReceiver(endless), 200, 'answer_too_large'],
  [
    'answers with a bomb',
    () =>
      rawReceiver((s) => {
        s.write(head('200 OK', 'content-encoding: gzip', `content-length: ${bomb.length}`));
        s.end(bomb);
      }),
    200,
    'answer_compressed',
  ],
  ['speaks no HTTP', () => rawReceiver((s) => s.end('220 mail.example ESMTP\r\n')), null, 'bad_answer'],
];

describe('the dispatcher, when a receiver misbehaves,', () => {
  it('makes four attempts at the documented times, and then lists the delivery as exhausted', async () => {
    const begun = await Promise.all(
      misbehaviours.map(async ([what, urlOf, status, error]) => {
        const subscriber = await dispatcher.subscribe(await urlOf());
        return { what, status, error, event: await dispatcher.announce(subscriber) };
      }),
    );
    for (const { what, status, error, event } of begun) {
      await has(event, 'exhausted');
      const attempts = await dispatcher.attempts(event);
      const found = attempts.map((each) => ({
        what,
        number: each.number,
        status: each.status,
        error: each.error?.replace(/^(answer|total)_timeout$/, 'timeout') ?? null,
      }));
      expect(found).toEqual([1, 2, 3, 4].map((number) => ({ what, number, status, error })));
      const waits = attempts.map(({ wait }) => wait).slice(1);
      [0.4, 0.8, 1.2].forEach((planned, at) => expect(waits[at]).toBeGreaterThanOrEqual(planned * 0.75));
    }
  });

  it('waits for a date in Retry-After', async () => {
    const date = new Date(Date.now() + 4000).toUTCString();
    webhookReceiver.next({ status: 503, headers: { 'retry-after': date } });
    const event = await dispatcher.announce(await dispatcher.subscribe(webhookReceiver.url));
    await has(event, 'delivered');
    const second = webhookReceiver.requests[1]?.receivedAt.getTime() ?? 0;
    expect(second).toBeGreaterThanOrEqual(Date.parse(date));
  });

  it('pauses deliveries while an endpoint keeps failing, and sends all of them when it works again', async () => {
    webhookReceiver.always({ status: 500 });
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    await Promise.all(Array.from({ length: 60 }, () => dispatcher.announce(subscriber)));
    const [paused] = await until(async () => {
      const rows = await dispatcher.ctx.db.query<{ failures: number; open: boolean }[]>(
        `select failures, breaker_open_until is not null as open from webhook_endpoints where id = $1`,
        [subscriber.id],
      );
      return rows[0]?.open ? rows : undefined;
    });
    expect(paused?.failures).toBeLessThan(30);
    webhookReceiver.always({ status: 200 });
    await until(
      async () => {
        const [row] = await dispatcher.ctx.db.query<[{ left: number }]>(
          `select count(*)::int as left from webhook_deliveries where endpoint_id = $1 and state <> 'delivered'`,
          [subscriber.id],
        );
        return row.left === 0;
      },
      { within: 110_000 },
    );
  });
});

describe('a delivered event', () => {
  it('is sent again with its id and its bytes by a redelivery or a replay', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const event = await dispatcher.announce(subscriber);
    await has(event, 'delivered');
    const { id: deliveryId } = await dispatcher.delivery(event);
    await redeliver(subscriber.ctx, { endpointId: subscriber.id, deliveryId });
    await webhookReceiver.receive(2);
    await has(event, 'delivered');
    await replayEvents(subscriber.ctx, { endpointId: subscriber.id, from: '2026-01-01T00:00:00Z', what: 'all' });
    await webhookReceiver.receive(3);
    expect(new Set(webhookReceiver.requests.map(({ body }) => body.toString())).size).toBe(1);
    await has(event, 'delivered');
    expect(await dispatcher.attempts(event)).toHaveLength(3);
    expect(await advanceReplays(dispatcher.ctx)).toBe(0);
  });

  it('can be a test event, which is signed and stored like any other', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const { eventId } = await testEndpoint(subscriber.ctx, { endpointId: subscriber.id });
    const [received] = (await webhookReceiver.receive(1)) as [ReceivedRequest];
    expect(JSON.parse(received.body.toString())).toMatchObject({ id: eventId, event: 'webhook.test' });
    expect(verifies(subscriber.secret, received)).toBe(true);
  });
});

describe('signatures of webhooks', () => {
  const outputs = (contentText: string) => [{ artifactId: newId(), artifactKind: 'text', contentText }];
  const requestWith = async (subscriber: Awaited<ReturnType<Dispatcher['subscribe']>>, contents: unknown) => {
    const before = webhookReceiver.requests.length;
    const data = { runId: newId(), workflowId: null, status: 'succeeded', outputs: contents, cost: 0 };
    await dispatcher.announce(subscriber, { data });
    return (await webhookReceiver.receive(before + 1))[before] as ReceivedRequest;
  };

  it('verify for any data, and fail when any byte is changed', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    for (const contents of [outputs('Grüße 你好 🌍 \u2028'), [], outputs('x'.repeat(1_000_000))]) {
      const received = await requestWith(subscriber, contents);
      expect(received.body.length).toBeLessThanOrEqual(MAX_BODY_BYTES);
      expect(verifies(subscriber.secret, received)).toBe(true);
    }
    const received = webhookReceiver.requests[1] as ReceivedRequest;
    for (let at = 0; at < received.body.length; at += 1) {
      const changed = Buffer.from(received.body);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifies(subscriber.secret, received, changed)).toBe(false);
    }
  });

  it('include one with the old secret during a rotation, and not after it', async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    const rotated = await rotateSecret(subscriber.ctx, { endpointId: subscriber.id, overlapSeconds: 600 }, aKeyRing());
    const within = await requestWith(subscriber, []);
    expect([verifies(subscriber.secret, within), verifies(rotated.secret, within)]).toEqual([true, true]);
    await dispatcher.ctx.db.query(
      `update webhook_endpoints set previous_secret_until = now() - interval '1 s' where id = $1`,
      [subscriber.id],
    );
    const after = await requestWith(subscriber, []);
    expect([verifies(subscriber.secret, after), verifies(rotated.secret, after)]).toEqual([false, true]);
  });
});

describe('the example receivers of docs/webhooks.md', () => {
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  const codeIn = (language: string): string =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
  /** A delivery unchanged, with another secret, changed, without headers, with a long signature, and sent again later. */
  const cases = async () => {
    const subscriber = await dispatcher.subscribe(webhookReceiver.url);
    await dispatcher.announce(subscriber);
    const [{ body, headers }] = (await webhookReceiver.receive(1)) as [ReceivedRequest];
    const changed = Buffer.from(body);
    changed[20] = (changed[20] ?? 0) ^ 1;
    const deliveries = [
      { body, headers, secret: subscriber.secret },
      { body, headers, secret: subscriber.secret.replace(/_./, (start) => (start === '_A' ? '_B' : '_A')) },
      { body: changed, headers, secret: subscriber.secret },
      { body, headers: {}, secret: subscriber.secret },
      { body, headers: { ...headers, 'webhook-signature': `v1,${'ä'.repeat(64)}` }, secret: subscriber.secret },
      { body, headers, secret: subscriber.secret, now: Date.now() / 1000 + 301 },
    ];
    return JSON.stringify(deliveries.map((each) => ({ ...each, body: each.body.toString('base64') })));
  };
  const verdicts = (command: string, args: string[], input: string): unknown => {
    const { stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8', timeout: 60_000 });
    return stderr ? stderr : JSON.parse(stdout);
  };
  const expected = [true, false, false, false, false, false];

  it('accept only our deliveries in Node.js', async () => {
    const script = `${codeIn('js')}
      import { readFileSync } from 'node:fs';
      const cases = JSON.parse(readFileSync(0, 'utf8'));
      const results = cases.map(({ body, ...more }) =>
        isFromLensforge(Buffer.from(body, 'base64'), more.headers, more.secret, more.now));
      console.log(JSON.stringify(results));`;
    const args = ['--input-type=module', '--eval', script];
    expect(verdicts(process.execPath, args, await cases())).toEqual(expected);
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  (python ? it : it.skip)('accept only our deliveries in Python (skipped without python3)', async () => {
    const script = `${codeIn('python')}
import base64, json, sys
cases = json.load(sys.stdin)
results = [is_from_lensforge(base64.b64decode(c["body"]), c["headers"], c["secret"], c.get("now")) for c in cases]
print(json.dumps(results))`;
    expect(verdicts('python3', ['-c', script], await cases())).toEqual(expected);
  });
});
