import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { SandboxPartner } from '@lensforge/partners';
import { type PartnerServer, partnerServer } from './partner-server.js';
import { type TestCaller, aCaller, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

const secret = 'what-the-partner-knows-us-by';
let server: PartnerServer;
let real: SignedInGateway;
let sandbox: SignedInGateway;

beforeAll(async () => {
  sandbox = await aGatewayWithSignIn();
  server = await partnerServer(new SandboxPartner(sandbox.ctx, { name: 'behind', tokenSeconds: 3600 }), secret);
  real = await aGatewayWithSignIn({
    LENSFORGE_PARTNER_NAME: 'acme',
    LENSFORGE_PARTNER_BASE_URL: server.url,
    LENSFORGE_PARTNER_SECRET: secret,
    LENSFORGE_PARTNER_TIMEOUT_MS: '5000',
    LENSFORGE_EGRESS_ALLOW: '127.0.0.1',
  });
});
afterAll(async () => {
  await real.stop();
  await server.close();
  await sandbox.stop();
});

const handleOf = async (gateway: SignedInGateway, { accountId }: TestCaller): Promise<string> =>
  (await gateway.ctx.db.query<[{ handle: string }]>('select handle from accounts where id = $1', [accountId]))[0]
    .handle;

describe.each([
  ['sandbox', () => sandbox],
  ['acme', () => real],
] as const)('the partner %s', (name, gatewayOf) => {
  const at = (operation: string): string => `/v1/partners/${name}/${operation}`;

  it('answers 200: provisions once per account, returns the balance, sends claims, refreshes tokens', async () => {
    const gateway = gatewayOf();
    const [ada, bob] = [await aCaller(gateway), await aCaller(gateway)];
    const first = await ada.post(at('provision'), { plan: 'any', nested: { a: [1] } });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      data: { partner: name, status: 'provisioned', accountId: expect.any(String) },
      meta: { requestId: expect.any(String) },
      error: null,
    });
    expect(JSON.stringify(first.body)).not.toContain('sbx_');
    for (const again of await Promise.all([1, 2, 3].map(() => ada.post(at('provision'), {})))) {
      expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    }
    await bob.post(at('provision'), {});
    expect((await ada.get(at('balance'))).body.data).toMatchObject({ balance: 10_000, currency: 'SBX' });
    const claim = { to: await handleOf(gateway, bob), amount: 100, idempotencyKey: 'claim 1' };
    const sent = await ada.post(at('send-claim'), claim);
    expect([sent.status, sent.body.data]).toEqual([200, expect.objectContaining({ status: 'settled', amount: 100 })]);
    expect((await ada.post(at('send-claim'), claim)).body.data).toEqual(sent.body.data);
    expect((await bob.get(at('balance'))).body.data).toMatchObject({ balance: 10_100 });
    const bundle = await ada.post(at('refresh-token'), {});
    expect(bundle.body.data).toMatchObject({ tokenType: 'Bearer', accessToken: expect.stringMatching(/^sbx_at_/) });
    expect(JSON.stringify(bundle.body)).not.toContain('sbx_rt_');
    const refreshed = await Promise.all([1, 2, 3, 4].map(() => ada.post(at('refresh-token'), {})));
    expect(refreshed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ada.get(at('balance'))).body.data).toMatchObject({ balance: 9_900 });
  });

  it('refreshes tokens that expire or are refused', async () => {
    const gateway = gatewayOf();
    const ada = await aCaller(gateway);
    const { body } = await ada.post(at('provision'), {});
    const external = body.data?.['accountId'];
    await sandbox.ctx.db.query('update sandbox_tokens set expires_at = now() where sandbox_account_id = $1', [
      external,
    ]);
    expect((await ada.get(at('balance'))).status).toBe(200);
    const rows = await gateway.ctx.db.query<{ generation: number; text: string }[]>(
      `select generation, encode(bundle, 'escape') as text from partner_bundles where account_id = $1`,
      [ada.accountId],
    );
    expect(rows).toMatchObject([{ generation: 2, text: expect.not.stringContaining('sbx_') }]);
    await sandbox.ctx.db.query('update sandbox_tokens set used_at = now() where sandbox_account_id = $1', [external]);
    const ended = await ada.get(at('balance'));
    expect(outcome(ended)).toEqual([500, 'partner_error']);
    expect(ended.body.error?.message).toContain('provision it again');
    expect((await ada.post(at('provision'), {})).body.data).toMatchObject({ accountId: external });
    expect((await ada.get(at('balance'))).status).toBe(200);
  });

  it('replaces a stored bundle that was altered', async () => {
    const gateway = gatewayOf();
    const ada = await aCaller(gateway);
    const { body } = await ada.post(at('provision'), {});
    await gateway.ctx.db.query(
      'update partner_bundles set bundle = set_byte(bundle, 40, get_byte(bundle, 40) # 1) where account_id = $1',
      [ada.accountId],
    );
    expect(outcome(await ada.get(at('balance')))).toEqual([404, 'not_found']);
    expect(outcome(await ada.post(at('refresh-token'), {}))).toEqual([400, 'invalid_request']);
    expect((await ada.post(at('provision'), {})).body.data).toMatchObject({ accountId: body.data?.['accountId'] });
    expect((await ada.get(at('balance'))).status).toBe(200);
  });

  it('answers 400 to invalid requests', async () => {
    const ada = await aCaller(gatewayOf());
    for (const operation of ['refresh-token', 'send-claim'])
      expect(outcome(await ada.post(at(operation), {}))).toEqual([400, 'invalid_request']);
    await ada.post(at('provision'), {});
    const claims = [
      {},
      { to: 'nobody-at-all', amount: 1 },
      { to: 'x', amount: -1 },
      { to: 'x', amount: 1, idempotencyKey: 5 },
    ];
    for (const claim of claims)
      expect(outcome(await ada.post(at('send-claim'), claim))).toEqual([400, 'invalid_request']);
    expect((await ada.post(at('send-claim'), { to: 'nobody-at-all', amount: 1 })).body.error).toMatchObject({
      details: { reason: 'unknown_recipient' },
    });
    for (const operation of ['provision', 'refresh-token', 'send-claim']) {
      expect(outcome(await ada.post(at(operation), [1]))).toEqual([400, 'invalid_request']);
      expect(outcome(await gatewayOf().call('POST', at(operation), { token: ada.token, body: '{' }))).toEqual([
        400,
        'invalid_request',
      ]);
      expect(outcome(await ada.post(at(operation), { x: 'x'.repeat(300_000) }))).toEqual([413, 'payload_too_large']);
      const text = { token: ada.token, body: 'x', headers: { 'content-type': 'text/plain' } };
      expect((await gatewayOf().call('POST', at(operation), text)).status).toBe(415);
    }
  });

  it('answers 401, 403 to service tokens, and to an unknown partner 404 or, where the contract has none, 400', async () => {
    const gateway = gatewayOf();
    const ada = await aCaller(gateway);
    const community = await anAccount(gateway.ctx, { kind: 'community' });
    const organisation = (await aToken(gateway.ctx, { kind: 'organisation', accountId: community.id })).value;
    const developer = (await aToken(gateway.ctx, { accountId: ada.accountId })).value;
    for (const [method, operation] of [
      ['POST', 'provision'],
      ['GET', 'balance'],
      ['POST', 'refresh-token'],
      ['POST', 'send-claim'],
    ] as const) {
      const body = method === 'POST' ? { body: {} } : {};
      const call = (path: string, token: string) => gateway.call(method, path, { token, ...body });
      expect((await call(at(operation), '')).status).toBe(401);
      expect((await call(at(operation), organisation)).status).toBe(403);
      expect([200, 400, 404]).toContain((await call(at(operation), developer)).status);
      for (const other of [name.toUpperCase(), `${name}x`, 'constructor', '__proto__']) {
        const unknown =
          operation === 'provision' || operation === 'balance' ? [404, 'not_found'] : [400, 'invalid_request'];
        expect(outcome(await call(`/v1/partners/${other}/${operation}`, ada.token))).toEqual(unknown);
      }
    }
    expect(outcome(await (await aCaller(gateway)).get(at('balance')))).toEqual([404, 'not_found']);
  });
});

describe('new tokens of a partner', () => {
  const refreshes = () => server.calls.filter((call) => call.startsWith('POST /partner/v1/token')).length;

  it('are requested once for concurrent callers', async () => {
    const ada = await aCaller(real);
    const { body } = await ada.post('/v1/partners/acme/provision', {});
    await sandbox.ctx.db.query('update sandbox_tokens set expires_at = now() where sandbox_account_id = $1', [
      body.data?.['accountId'],
    ]);
    server.calls.length = 0;
    const all = await Promise.all(Array.from({ length: 8 }, () => ada.get('/v1/partners/acme/balance')));
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(refreshes()).toBe(1);
  });

  it('are requested again when the first request failed or its gateway died', async () => {
    const ada = await aCaller(real);
    await ada.post('/v1/partners/acme/provision', {});
    const refresh = async () => (await ada.post('/v1/partners/acme/refresh-token', {})).status;
    await real.ctx.db.query('update partner_bundles set refreshing_until = now() where account_id = $1', [
      ada.accountId,
    ]);
    expect(await refresh()).toBe(200);
    server.misbehave((_, answer) => answer.writeHead(500).end());
    expect([await refresh(), await refresh()]).toEqual([500, 200]);
  });
});

describe('a partner that fails', () => {
  it('causes 500 partner_error without its message, its address or the secret', async () => {
    const ada = await aCaller(real);
    await ada.post('/v1/partners/acme/provision', {});
    const words = 'SECRET WORDS at db.internal';
    for (const operation of ['provision', 'balance', 'refresh-token', 'send-claim']) {
      const one = operation === 'provision' ? await aCaller(real) : ada;
      for (let n = 0; n < 2; n++) server.misbehave((_, answer) => answer.writeHead(500, { 'x-a': words }).end(words));
      const path = `/v1/partners/acme/${operation}`;
      const answer = await (operation === 'balance' ? one.get(path) : one.post(path, { to: 'x', amount: 1 }));
      expect([operation, ...outcome(answer)]).toEqual([operation, 500, 'partner_error']);
      const text = JSON.stringify(answer.body) + JSON.stringify([...answer.headers]);
      for (const part of [words, server.url, '127.0.0.1', secret, 'sbx_']) expect(text).not.toContain(part);
      server.reset();
    }
    server.misbehave((_, answer) =>
      answer.writeHead(422).end(JSON.stringify({ code: `${words} or_not`, message: words })),
    );
    const refused = await ada.post('/v1/partners/acme/send-claim', { to: 'x', amount: 1 });
    expect(outcome(refused)).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(refused.body)).not.toContain('SECRET');
  });
});
