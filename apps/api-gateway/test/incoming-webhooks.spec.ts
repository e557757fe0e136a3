import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { newId } from '@lensforge/core';
import { aToken, actingAs, anAccount } from '@lensforge/identity/testing';
import { until } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Answer, type Gateway, aGateway } from './gateway.js';
import { allPages, items, outcome } from './callers.js';

let gateway: Gateway;
let workflowId: string;
let openWorkflowId: string;

const inputs = {
  type: 'object',
  properties: { name: { type: 'string' }, times: { type: 'integer' } },
  required: ['name'],
};

beforeAll(async () => {
  gateway = await aGateway({ LENSFORGE_RATE_INCOMING_PER_MINUTE: '200' });
  const ctx = actingAs(gateway.ctx, gateway.accountId);
  workflowId = (await aWorkflow(ctx, { graph: { inputs, nodes: [], edges: [] } })).id;
  openWorkflowId = (await aWorkflow(ctx)).id;
});
afterAll(() => gateway.stop());

interface Made {
  id: string;
  secret: string;
  path: string;
}

const manage = (method: string, path: string, body?: unknown, token?: string): Promise<Answer> =>
  gateway.call(method, `/v1/incoming-webhooks${path}`, {
    ...(body !== undefined && { body }),
    ...(token !== undefined && { token }),
  });

async function aWebhook(of = workflowId): Promise<Made> {
  const { status, body } = await manage('POST', '', { workflowId: of, name: 'GitHub' });
  expect(status).toBe(201);
  return body.data as unknown as Made;
}

const hmac = (secret: string, body: string, timestamp?: number): string =>
  `sha256=${createHmac('sha256', secret)
    .update(timestamp === undefined ? '' : `${timestamp}.`)
    .update(body)
    .digest('hex')}`;

const good = JSON.stringify({ params: { name: 'Ada' } });

const call = (path: string, headers: Record<string, string>, body = good, type = 'application/json') =>
  gateway.call('POST', path, { token: '', body, headers: { 'content-type': type, ...headers } });

const seconds = (shift = 0) => Math.floor(Date.now() / 1000) + shift;
const runs = async (): Promise<number> =>
  Number((await gateway.ctx.db.query<{ n: string }[]>('select count(*) as n from runs'))[0]?.n);

describe('an incoming webhook', () => {
  it('is created with a secret that is shown once, read, listed in pages, changed and deleted', async () => {
    const made = await manage('POST', '', { workflowId, name: ' GitHub ' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      workflowId,
      accountId: gateway.accountId,
      name: 'GitHub',
      enabled: true,
      previousSecretUntil: null,
      path: `/v1/webhooks/${String(made.body.data?.['id'])}`,
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
    });
    const { secret, ...webhook } = made.body.data as unknown as Made & Record<string, unknown>;
    const read = await manage('GET', `/${webhook.id}`);
    expect(read.body.data).toEqual(webhook);
    await aWebhook(openWorkflowId);
    const get = (path: string) => gateway.call('GET', path);
    const all = await allPages(get, '/v1/incoming-webhooks');
    expect(all.items.length).toBe(all.pages);
    expect(JSON.stringify(all.items)).not.toContain(secret);
    expect(items(await manage('GET', `?workflowId=${openWorkflowId}`)).map((each) => each['workflowId'])).toEqual([
      openWorkflowId,
    ]);
    const changed = await manage('PATCH', `/${webhook.id}`, { name: 'GitLab', workflowId: openWorkflowId });
    expect(changed.body.data).toMatchObject({ name: 'GitLab', workflowId: openWorkflowId, enabled: true });
    expect((await manage('DELETE', `/${webhook.id}`)).body.data).toMatchObject({ id: webhook.id });
    expect(outcome(await manage('GET', `/${webhook.id}`))).toEqual([404, 'not_found']);
    expect((await call(webhook.path, { 'x-webhook-secret': secret })).status).toBe(401);
    const actions = items(await gateway.call('GET', '/v1/audit')).map((entry) => entry['action']);
    expect(actions).toEqual(expect.arrayContaining(['webhook.created', 'webhook.updated', 'webhook.removed']));
  });

  it('is refused for an invalid request: 400, 401, 403, 404, 413, 415', async () => {
    expect(outcome(await manage('POST', '', { name: 'x' }))).toEqual([400, 'invalid_request']);
    expect(outcome(await manage('POST', '', { workflowId, name: ' ' }))).toEqual([400, 'invalid_request']);
    expect(outcome(await manage('GET', '?cursor=x'))).toEqual([400, 'invalid_request']);
    expect(outcome(await manage('POST', '', { workflowId, name: 'x' }, 'wrong'))).toEqual([401, 'unauthorized']);
    const { value } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['workflows:read'] });
    expect(outcome(await manage('POST', '', { workflowId, name: 'x' }, value))).toEqual([403, 'insufficient_scope']);
    expect(outcome(await manage('POST', '', { workflowId: newId(), name: 'x' }))).toEqual([404, 'not_found']);
    const others = await aWorkflow(actingAs(gateway.ctx, (await anAccount(gateway.ctx)).id), { visibility: 'private' });
    expect(outcome(await manage('POST', '', { workflowId: others.id, name: 'x' }))).toEqual([404, 'not_found']);
    const { id } = await aWebhook();
    expect(outcome(await manage('PATCH', `/${id}`, { workflowId: others.id }))).toEqual([404, 'not_found']);
    expect(outcome(await manage('POST', '', { workflowId, name: 'x'.repeat(300_000) }))).toEqual([
      413,
      'payload_too_large',
    ]);
    const xml = await gateway.call('POST', '/v1/incoming-webhooks', {
      body: '<x/>',
      headers: { 'content-type': 'text/xml' },
    });
    expect(outcome(xml)).toEqual([415, 'unsupported_media_type']);
  });

  it('is refused with 409 above 200 webhooks', async () => {
    const { id: accountId } = await anAccount(gateway.ctx);
    const { value } = await aToken(gateway.ctx, { accountId });
    const { id: ownId } = await aWorkflow(actingAs(gateway.ctx, accountId));
    await gateway.ctx.db.query(
      `insert into incoming_webhooks (id, account_id, workflow_id, name, secret, secret_digest)
       select gen_random_uuid(), $1, $2, 'x', 'x', sha256('x') from generate_series(1, 200)`,
      [accountId, ownId],
    );
    expect(outcome(await manage('POST', '', { workflowId: ownId, name: 'x' }, value))).toEqual([409, 'conflict']);
  });

  it('rotates its secret at once, or with an overlap in which both are valid', async () => {
    const first = await aWebhook();
    const rotate = async (body: object) =>
      (await manage('POST', `/${first.id}/rotate`, body)).body.data as unknown as Made & Record<string, unknown>;
    const second = await rotate({ overlapSeconds: 60 });
    expect(second.secret).not.toBe(first.secret);
    expect(second['previousSecretUntil']).toEqual(expect.any(String));
    for (const { secret } of [first, second]) {
      expect((await call(first.path, { 'x-webhook-secret': secret })).status).toBe(202);
      expect((await call(first.path, { 'x-webhook-signature': hmac(secret, good) })).status).toBe(202);
    }
    await gateway.ctx.db.query('update incoming_webhooks set previous_until = now() where id = $1', [first.id]);
    expect((await call(first.path, { 'x-webhook-secret': first.secret })).status).toBe(401);
    expect((await call(first.path, { 'x-webhook-signature': hmac(first.secret, good) })).status).toBe(401);
    const third = await rotate({});
    expect(third['previousSecretUntil']).toBeNull();
    expect((await call(first.path, { 'x-webhook-secret': second.secret })).status).toBe(401);
    expect((await call(first.path, { 'x-webhook-secret': third.secret })).status).toBe(202);
  });

  it('refuses all calls while it is disabled', async () => {
    const { id, path, secret } = await aWebhook();
    const statusOfCall = async () => (await call(path, { 'x-webhook-secret': secret })).status;
    expect((await manage('PATCH', `/${id}`, { enabled: false })).body.data).toMatchObject({ enabled: false });
    expect(await statusOfCall()).toBe(401);
    await manage('PATCH', `/${id}`, { enabled: true });
    expect(await statusOfCall()).toBe(202);
  });
});

describe('a call of an incoming webhook', () => {
  it('is answered with 202 and starts the workflow with each kind of proof', async () => {
    const { path, secret, id } = await aWebhook();
    const at = seconds();
    const ways: Record<string, string>[] = [
      { 'x-webhook-secret': secret },
      { 'x-webhook-signature': hmac(secret, good) },
      { 'x-webhook-signature': hmac(secret, good).toUpperCase().replace('SHA256', 'sha256') },
      { 'x-hub-signature-256': hmac(secret, good) },
      { 'x-webhook-signature': hmac(secret, good, at), 'x-webhook-timestamp': `${at}` },
      { authorization: `Bearer ${gateway.token}` },
    ];
    for (const way of ways) {
      const answer = await call(path, way);
      expect([Object.keys(way), answer.status]).toEqual([Object.keys(way), 202]);
      expect(answer.body).toMatchObject({ data: { status: 'queued', workflowId }, error: null });
      const run = await gateway.call('GET', `/v1/runs/${String(answer.body.data?.['runId'])}`);
      expect(run.status).toBe(200);
      expect(answer.headers.get('ratelimit-limit')).toBe('200');
    }
    const [run] = await gateway.ctx.db.query<{ params: object; cause: object }[]>(
      'select params, cause from runs order by id desc limit 1',
    );
    expect(run).toEqual({
      params: { name: 'Ada' },
      cause: { kind: 'incoming_webhook', webhookId: id, isDeferred: true },
    });
  });

  it('is answered with 401 when the signed bytes differ, even for the same JSON', async () => {
    const { path, secret } = await aWebhook();
    const signature = hmac(secret, good);
    const spellings = ['{"params":{"name":"Ada"} }', '{"params":{"name":"\\u0041da"}}', `${good}\n`, '{}', ''];
    for (const spelling of spellings) {
      const answer = await call(path, { 'x-webhook-signature': signature }, spelling);
      expect([spelling, answer.status]).toEqual([spelling, 401]);
      if (spelling.includes('Ada')) {
        expect((await call(path, { 'x-webhook-signature': hmac(secret, spelling) }, spelling)).status).toBe(202);
      }
    }
    const umlauts = '{"params":{"name":"Grüße 🎈","more":1.0e2}}';
    expect((await call(path, { 'x-webhook-signature': hmac(secret, umlauts) }, umlauts)).status).toBe(202);
  });

  it('without a valid proof gets the same 401 as a call of an unknown webhook', async () => {
    const { path, secret, id } = await aWebhook();
    const { value: stranger } = await aToken(gateway.ctx, { accountId: (await anAccount(gateway.ctx)).id });
    const { value: reader } = await aToken(gateway.ctx, { accountId: gateway.accountId, held: ['workflows:read'] });
    const old = seconds(-301);
    const ways: Record<string, string>[] = [
      {},
      { 'x-webhook-secret': `${secret}x` },
      { 'x-webhook-secret': '' },
      { 'x-webhook-secret': id },
      { 'x-webhook-signature': hmac('whsec_other', good) },
      { 'x-webhook-signature': hmac(secret, good).slice('sha256='.length) },
      { 'x-webhook-signature': `sha1=${hmac(secret, good).slice(7)}` },
      { 'x-webhook-signature': 'sha256=' },
      { 'x-webhook-signature': hmac(secret, good), 'x-webhook-timestamp': `${seconds()}` },
      { 'x-webhook-signature': hmac(secret, good, old), 'x-webhook-timestamp': `${old}` },
      { 'x-webhook-signature': hmac(secret, good, seconds(400)), 'x-webhook-timestamp': `${seconds(400)}` },
      { 'x-webhook-signature': hmac(secret, good, seconds()) },
      { 'x-webhook-secret': secret, 'x-webhook-timestamp': `${old}` },
      { 'x-webhook-secret': secret, 'x-webhook-timestamp': 'now' },
      { authorization: `Bearer ${stranger}` },
      { authorization: `Bearer ${reader}` },
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic eDp5' },
    ];
    const before = await runs();
    const own = /^(date|x-request-id|content-length|ratelimit-remaining|ratelimit-reset)$/;
    const plain = ({ status, headers, body }: Answer) => ({
      status,
      headers: Object.fromEntries([...headers].filter(([name]) => !own.test(name))),
      error: body.error,
      members: Object.keys(body.meta ?? {}),
    });
    const expected = plain(await call(path, {}));
    expect(expected).toMatchObject({ status: 401, error: { code: 'unauthorized' } });
    for (const way of ways) {
      for (const at of [path, `/v1/webhooks/${newId()}`, '/v1/webhooks/none', '/v1/webhooks/%00', `${path}x`]) {
        const isReal = at === path;
        expect([at, way, plain(await call(at, way))]).toEqual([at, way, expected]);
        if (isReal) expect(await runs()).toBe(before);
      }
    }
  });

  it('with invalid params gets 422 with their names and starts no run', async () => {
    const { path, secret } = await aWebhook();
    const before = await runs();
    const refused = async (body: unknown) => {
      const answer = await call(path, { 'x-webhook-secret': secret }, JSON.stringify(body));
      expect(outcome(answer)).toEqual([422, 'unprocessable_params']);
      return answer.body.error;
    };
    expect(await refused({ params: {} })).toMatchObject({ details: { missing: ['name'], invalid: [] } });
    expect(await refused({ params: { name: 5, times: 'x' } })).toMatchObject({
      message: 'params.name must be string; params.times must be integer',
      details: { missing: [], invalid: [{ path: 'name' }, { path: 'times' }] },
    });
    expect(await refused({ name: 'Ada' })).toMatchObject({ details: { missing: ['params'], invalid: [] } });
    expect(await refused({ params: [] })).toMatchObject({ details: { invalid: [{ path: 'params' }] } });
    expect(await runs()).toBe(before);
  });

  it('gets 422 for a body that is not a JSON object, 413 for a large one, 415 for another content type', async () => {
    const { path, secret } = await aWebhook();
    const by = { 'x-webhook-secret': secret };
    const bad = [
      '{',
      'null',
      '[]',
      '"x"',
      '{"params":{"a":1}',
      '{"params":{"__proto__":{}}}',
      '{"params":{"a":"\\u0000"}}',
    ];
    for (const body of bad)
      expect([body, ...outcome(await call(path, by, body))]).toEqual([body, 422, 'unprocessable_params']);
    const deep = `{"params":${'['.repeat(40)}${']'.repeat(40)}}`;
    expect(outcome(await call(path, by, deep))).toEqual([422, 'unprocessable_params']);
    expect((await call(path, by, '[]')).body.error?.message).toBe('The body must be a JSON object');
    expect((await call(path, by, '{')).body.error?.message).toBe(
      'The body is not valid JSON (unexpected end at position 1)',
    );
    expect(outcome(await call(path, {}, '{'))).toEqual([401, 'unauthorized']);
    expect(outcome(await call(path, by, `{"params":{"a":"${'x'.repeat(300_000)}"}}`))).toEqual([
      413,
      'payload_too_large',
    ]);
    expect(outcome(await call(path, by, good, 'text/plain'))).toEqual([415, 'unsupported_media_type']);
    expect(outcome(await call(path, { ...by, 'idempotency-key': 'x'.repeat(256) }))).toEqual([400, 'invalid_request']);
    const nothing = await gateway.call('POST', path, { token: '', headers: by });
    expect(outcome(nothing)).toEqual([422, 'unprocessable_params']);
    expect(outcome(await call(`${path}?source=x`, by))).toEqual([400, 'invalid_request']);
    expect(outcome(await call(`${path}?source=x`, {}))).toEqual([401, 'unauthorized']);
  });

  it('gets 404 for a deleted workflow', async () => {
    const { id } = await aWorkflow(actingAs(gateway.ctx, gateway.accountId));
    const { path, secret } = await aWebhook(id);
    await gateway.ctx.db.query('update workflows set deleted_at = now() where id = $1', [id]);
    expect(outcome(await call(path, { 'x-webhook-secret': secret }))).toEqual([404, 'not_found']);
  });

  it('starts one run however often it is delivered', async () => {
    const { path, secret } = await aWebhook();
    const other = await aWebhook();
    const by = { 'x-webhook-secret': secret };
    const runOf = async (...args: Parameters<typeof call>) => {
      const { status, body } = await call(...args);
      return [status, body.data?.['runId']];
    };
    const key = { 'idempotency-key': 'delivery 1' };
    const [first, ...again] = await Promise.all(Array.from({ length: 5 }, () => runOf(path, { ...by, ...key })));
    expect(first?.[0]).toBe(202);
    for (const each of again) expect(each).toEqual(first);
    expect(await runOf(path, { ...by, 'x-webhook-delivery-id': 'delivery 1' })).toEqual(first);
    for (const name of ['idempotency-key', 'x-webhook-delivery-id']) {
      const reused = await call(path, { ...by, [name]: 'delivery 1' }, '{"params":{"name":"Bob"}}');
      expect(outcome(reused)).toEqual([400, 'idempotency_key_reused']);
    }
    expect(await runOf(path, { ...by, 'idempotency-key': 'delivery 2' })).not.toEqual(first);
    expect(await runOf(other.path, { 'x-webhook-secret': other.secret, ...key })).not.toEqual(first);
    const at = seconds();
    const signed = { 'x-webhook-signature': hmac(secret, good, at), 'x-webhook-timestamp': `${at}` };
    const once = await runOf(path, signed);
    expect(await runOf(path, signed)).toEqual(once);
    expect(await runOf(path, by)).not.toEqual(await runOf(path, by));
  });

  it('is logged with its outcome, shortened and without secrets; a refused one without its body', async () => {
    const { id, path, secret } = await aWebhook();
    const by = { 'x-webhook-secret': secret };
    const body = { params: { name: 'Ada', password: 'hunter22', note: `uses ${secret}` }, filler: 'x'.repeat(30_000) };
    const accepted = await call(path, { ...by, 'x-webhook-delivery-id': 'd-1' }, JSON.stringify(body));
    await call(path, by, '{"params":{}}');
    await call(path, { 'x-webhook-secret': 'wrong' }, '{"params":{"name":"words of a stranger"}}');
    const log = async () => items(await manage('GET', `/${id}/calls`));
    await until(async () => (await log()).length === 3);
    const [refused, invalid, complete] = await log();
    expect(complete).toMatchObject({
      status: 202,
      reason: null,
      via: 'secret',
      runId: accepted.body.data?.['runId'],
      deliveryKey: 'd-1',
      bodyBytes: Buffer.byteLength(JSON.stringify(body)),
      address: '127.0.0.1',
      requestId: accepted.headers.get('x-request-id'),
    });
    expect(complete?.['body']).toMatch(
      /^\{"params":\{"name":"Ada","password":"\[redacted\]","note":"uses \[redacted\]"/,
    );
    expect(Buffer.byteLength(String(complete?.['body']))).toBeLessThanOrEqual(16_384);
    expect(invalid).toMatchObject({ status: 422, via: 'secret', runId: null, body: '{"params":{}}' });
    expect(invalid?.['reason']).toContain('name');
    expect(refused).toMatchObject({ status: 401, via: null, runId: null, deliveryKey: null, body: null });
    const paged = await allPages((url) => gateway.call('GET', url), `/v1/incoming-webhooks/${id}/calls`);
    expect(paged.items.map((each) => each['status'])).toEqual([401, 422, 202]);
    expect(outcome(await manage('GET', `/${newId()}/calls`))).toEqual([404, 'not_found']);
  });

  it('starts no run and causes no error with a random body', async () => {
    const { path, secret } = await aWebhook();
    const before = await runs();
    const wrong = fc
      .oneof(
        fc.json(),
        fc.string(),
        fc
          .record({ params: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())) })
          .map((each) => JSON.stringify(each)),
        fc.constantFrom('{"params":{"name":null}}', '{"params":{"name":{}}}', '{"params":{"times":1e400}}', '\ufeff{}'),
      )
      .filter((text) => !isRightCall(text));
    await fc.assert(
      fc.asyncProperty(wrong, async (text) => {
        const { status, body } = await call(path, { 'x-webhook-secret': secret }, text);
        expect([400, 422]).toContain(status);
        expect(body.error?.code).toMatch(/^(invalid_request|unprocessable_params)$/);
      }),
      { numRuns: 150 },
    );
    expect(await runs()).toBe(before);
  });
});

describe('the sample callers of docs/incoming-webhooks.md', () => {
  const page = readFileSync(new URL('../../../docs/incoming-webhooks.md', import.meta.url), 'utf8');
  const signing = page.slice(page.indexOf('## Signing'));
  const codeIn = (language: string): string =>
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(signing)?.[1] ?? '';
  const has = (...commands: string[]) => commands.every((each) => !spawnSync(each, ['--version']).error);
  const callers: [language: string, isInstalled: boolean, command: string, ...args: string[]][] = [
    ['sh', has('openssl', 'curl'), 'sh', '-euc'],
    ['js', true, process.execPath, '--input-type=module', '--eval'],
    ['python', has('python3'), 'python3', '-c'],
  ];

  for (const [language, isInstalled, command, ...args] of callers) {
    (isInstalled ? it : it.skip)(
      `in ${language} are accepted with the secret and refused with another one`,
      async () => {
        const { path, secret, id } = await aWebhook();
        const runCaller = (SECRET: string) =>
          promisify(execFile)(command, [...args, codeIn(language)], {
            env: { PATH: process.env['PATH'] ?? '', URL: gateway.url + path, SECRET },
          }).then(
            ({ stdout }) => stdout,
            (error: unknown) => (error as { stdout: string }).stdout,
          );
        const { data } = JSON.parse(await runCaller(secret)) as Answer['body'];
        const run = await gateway.call('GET', `/v1/runs/${String(data?.['runId'])}`);
        expect(run.status).toBe(200);
        expect(await runCaller(`${secret}x`)).not.toContain('runId');
        const log = await until(async () => {
          const calls = items(await manage('GET', `/${id}/calls`));
          return calls.length === 2 && calls;
        });
        expect(log.map(({ status, via }) => [status, via])).toEqual([
          [401, null],
          [202, 'signature'],
        ]);
      },
    );
  }
});

function isRightCall(text: string): boolean {
  try {
    const { params } = JSON.parse(text) as { params: { name: unknown; times?: unknown } };
    return typeof params.name === 'string';
  } catch {
    return false;
  }
}

describe('the rate limit of an incoming webhook', () => {
  it('counts accepted calls, and no refused ones, until it answers 429', async () => {
    const strict = await aGateway({ LENSFORGE_RATE_INCOMING_PER_MINUTE: '5' });
    const ctx = actingAs(strict.ctx, strict.accountId);
    const { id } = await aWorkflow(ctx);
    const make = async () =>
      (await strict.call('POST', '/v1/incoming-webhooks', { body: { workflowId: id, name: 'x' } })).body
        .data as unknown as Made;
    const [one, other] = [await make(), await make()];
    const knock = ({ path }: Made, secret: string) =>
      strict.call('POST', path, { token: '', body: good, headers: { 'x-webhook-secret': secret } });
    for (let n = 0; n < 10; n++) expect((await knock(one, 'wrong')).status).toBe(401);
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await knock(one, one.secret)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429]);
    const refused = await knock(one, one.secret);
    expect(outcome(refused)).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await knock(one, 'wrong')).status).toBe(401);
    expect((await knock(other, other.secret)).status).toBe(202);
    await strict.stop();
  });
});
