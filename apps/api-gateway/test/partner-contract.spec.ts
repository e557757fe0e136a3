import { type Context, newId } from '@lensforge/core';
import { egress, egressPolicy, readNetworks } from '@lensforge/egress';
import { startCanary, hostileAddresses, hostileUrls } from '@lensforge/egress/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { GatewayEnvironment } from '../src/environment.js';
import { type Holder, type Partner, SandboxPartner } from '@lensforge/partners';
import { HttpPartner } from '../src/partners/http-partner.js';
import { openPartner } from '../src/partners/open-partner.js';
import { type PartnerServer, partnerServer } from './partner-server.js';

const secret = 'what-the-partner-knows-us-by';
let database: TestDatabase;
let source: TestDatabase['source'];
let ctx: Context;
let server: PartnerServer;
let adapters: Record<string, Partner>;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source, ctx } = database);
  const sandbox = new SandboxPartner(ctx, { name: 'acme', tokenSeconds: 3600 });
  server = await partnerServer(sandbox, secret);
  // A busy machine may take seconds for many claims at once.
  adapters = { sandbox, http: httpPartner(30_000), impatient: httpPartner(1000) };
});
/** An adapter that waits so long for each answer. */
function httpPartner(totalMs: number): HttpPartner {
  const policy = egressPolicy({
    allow: readNetworks('127.0.0.1'),
    allowHttp: true,
    ports: 'any',
    totalMs,
    readBytes: 65_536,
    keepBytes: 65_537,
  });
  return new HttpPartner({ name: 'acme', baseUrl: server.url, secret, egress: egress(policy), now: ctx.now });
}
afterAll(async () => {
  await server.close();
  await database.close();
});

const aHolder = (): Holder => {
  const accountId = newId();
  return { accountId, handle: `h-${accountId}` };
};
const money = async (): Promise<number> =>
  Number(
    (await source.query<{ sum: string }[]>('select coalesce(sum(balance), 0) as sum from sandbox_accounts'))[0]?.sum,
  );

describe.each(['sandbox', 'http'])('the partner adapter %s', (kind) => {
  const partner = (): Partner => adapters[kind] as Partner;

  it('provisions one account per holder, also concurrently', async () => {
    const holder = aHolder();
    const bundles = await Promise.all(Array.from({ length: 5 }, () => partner().provision(holder, { any: 'thing' })));
    bundles.push(await partner().provision(holder, {}));
    expect(new Set(bundles.map(({ externalId }) => externalId)).size).toBe(1);
    for (const bundle of bundles) {
      expect(bundle.expiresAt.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
      expect(await partner().balance(bundle)).toMatchObject({ balance: 10_000, handle: holder.handle });
    }
    expect((await partner().provision(aHolder(), {})).externalId).not.toBe(bundles[0]?.externalId);
  });

  it('replaces tokens: the old ones are invalid, and a refresh token works once', async () => {
    const first = await partner().provision(aHolder(), {});
    const second = await partner().refresh(first);
    expect(second.externalId).toBe(first.externalId);
    expect([second.accessToken, second.refreshToken]).not.toEqual([first.accessToken, first.refreshToken]);
    expect(await partner().balance(second)).toMatchObject({ balance: 10_000 });
    await expect(partner().balance(first)).rejects.toMatchObject({ failure: 'unauthorised' });
    await expect(partner().refresh(first)).rejects.toMatchObject({ failure: 'unauthorised' });
  });

  it('refuses unknown tokens, and access tokens expire', async () => {
    const bundle = await partner().provision(aHolder(), {});
    const wrong = { ...bundle, accessToken: 'sbx_at_wrong', refreshToken: 'sbx_rt_wrong' };
    await expect(partner().balance(wrong)).rejects.toMatchObject({ failure: 'unauthorised' });
    await expect(partner().refresh(wrong)).rejects.toMatchObject({ failure: 'unauthorised' });
    await source.query('update sandbox_tokens set expires_at = now() where sandbox_account_id = $1', [
      bundle.externalId,
    ]);
    await expect(partner().balance(bundle)).rejects.toMatchObject({ failure: 'unauthorised' });
    expect(await partner().balance(await partner().refresh(bundle))).toMatchObject({ balance: 10_000 });
  });

  it('moves money once per idempotency key, and none without enough balance', async () => {
    const [ada, bob] = [aHolder(), aHolder()];
    const [ofAda, ofBob] = [await partner().provision(ada, {}), await partner().provision(bob, {})];
    const before = await money();
    const claim = { to: bob.handle.toUpperCase(), amount: 2_500, note: 'for the cheese' };
    const claims = await Promise.all(Array.from({ length: 6 }, () => partner().sendClaim(ofAda, claim, 'key 1')));
    expect(new Set(claims.map((each) => each['claimId'])).size).toBe(1);
    expect(claims[0]).toMatchObject({ status: 'settled', amount: 2_500 });
    await expect(partner().sendClaim(ofAda, { ...claim, amount: 1 }, 'key 1')).rejects.toMatchObject({
      failure: 'refused',
      reason: 'idempotency_key_reused',
    });
    const both = [ofAda, ofBob].map((bundle) => partner().balance(bundle));
    expect((await Promise.all(both)).map(({ balance }) => balance)).toEqual([7_500, 12_500]);
    const greedy = await Promise.allSettled(
      Array.from({ length: 4 }, (_, n) => partner().sendClaim(ofAda, { to: bob.handle, amount: 3_000 }, `greedy ${n}`)),
    );
    expect(greedy.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const each of greedy) {
      if (each.status === 'rejected')
        expect(each.reason).toMatchObject({ failure: 'refused', reason: 'insufficient_funds' });
    }
    expect(await partner().balance(ofAda)).toMatchObject({ balance: 1_500 });
    expect(await money()).toBe(before);
  });

  it('keeps the total when two accounts pay each other concurrently', async () => {
    const [ada, bob] = [aHolder(), aHolder()];
    const [ofAda, ofBob] = [await partner().provision(ada, {}), await partner().provision(bob, {})];
    const before = await money();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0
          ? partner().sendClaim(ofAda, { to: bob.handle, amount: 100 }, `n ${n}`)
          : partner().sendClaim(ofBob, { to: ada.handle, amount: 100 }, `n ${n}`),
      ),
    );
    expect(await money()).toBe(before);
    expect(await partner().balance(ofAda)).toMatchObject({ balance: 10_000 });
  });

  it.each([
    ['an unknown recipient', { to: 'nobody-has-this', amount: 1 }, 'unknown_recipient'],
    ['no recipient', { amount: 1 }, 'invalid_claim'],
    ['no amount', { to: 'x' }, 'invalid_claim'],
    ['an amount below 1', { to: 'x', amount: 0 }, 'invalid_claim'],
    ['a fractional amount', { to: 'x', amount: 1.5 }, 'invalid_claim'],
    ['a long note', { to: 'x', amount: 1, note: 'x'.repeat(501) }, 'invalid_claim'],
  ])('refuses a claim with %s', async (_, claim, reason) => {
    const bundle = await partner().provision(aHolder(), {});
    await expect(partner().sendClaim(bundle, claim, newId())).rejects.toMatchObject({ failure: 'refused', reason });
  });

  it('refuses a claim to the sender', async () => {
    const ada = aHolder();
    const bundle = await partner().provision(ada, {});
    const claim = { to: ada.handle, amount: 1 };
    await expect(partner().sendClaim(bundle, claim, newId())).rejects.toMatchObject({ reason: 'same_account' });
  });
});

describe('the partner adapter http', () => {
  const http = (): Partner => adapters['http'] as Partner;

  it('retries safe requests once, with the idempotency key', async () => {
    const holder = aHolder();
    server.calls.length = 0;
    server.misbehave((request) => request.socket.destroy());
    const bundle = await http().provision(holder, {});
    const call = `POST /partner/v1/accounts ${holder.accountId}`;
    expect(server.calls).toEqual([call, call]);
    server.calls.length = 0;
    server.misbehave((_, answer) => answer.writeHead(503).end());
    expect(await http().balance(bundle)).toMatchObject({ balance: 10_000 });
    expect(server.calls).toHaveLength(2);
    server.misbehave((_, answer) => answer.writeHead(500).end());
    server.misbehave((_, answer) => answer.writeHead(500).end());
    await expect(http().balance(bundle)).rejects.toMatchObject({ failure: 'failed' });
  });

  it('does not retry a claim or a refresh', async () => {
    const bundle = await http().provision(aHolder(), {});
    server.calls.length = 0;
    server.misbehave((_, answer) => answer.writeHead(502).end('<h1>secret words</h1>'));
    await expect(http().sendClaim(bundle, { to: 'x', amount: 1 }, 'k')).rejects.toMatchObject({
      failure: 'failed',
      message: expect.stringContaining('send it again with the same idempotencyKey'),
    });
    server.misbehave((_, answer) => answer.writeHead(502).end());
    await expect(http().refresh(bundle)).rejects.toMatchObject({ failure: 'failed' });
    expect(server.calls).toEqual(['POST /partner/v1/claims k', 'POST /partner/v1/token -']);
  });

  it.each<[string, Parameters<PartnerServer['misbehave']>[0]]>([
    ['hangs', () => undefined],
    ['sends no JSON', (_, answer) => answer.writeHead(200).end('<html>')],
    ['sends a list', (_, answer) => answer.writeHead(200).end('[]')],
    ['redirects', (_, answer) => answer.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['sends too much', (_, answer) => answer.writeHead(200).end(JSON.stringify({ x: 'x'.repeat(100_000) }))],
    ['has no bundle', (_, answer) => answer.writeHead(200).end('{"accountId":"x"}')],
    [
      'has a bundle without an expiry',
      (_, answer) =>
        answer.writeHead(200).end('{"accountId":"x","accessToken":"y","refreshToken":"z","expiresIn":1e300}'),
    ],
  ])('fails with its own message when the partner %s', async (_, how) => {
    for (let n = 0; n < 2; n++) server.misbehave(how);
    const failure = await adapters['impatient']?.provision(aHolder(), {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: 'failed', message: expect.not.stringContaining(server.url) });
    server.reset();
  });

  it('calls no private address, however it is written', async () => {
    const canary = await startCanary();
    const urls = [
      ...hostileAddresses.flatMap((host) => [`http://${host}:${canary.port}/`, `https://${host}:${canary.port}/`]),
      ...hostileUrls
        .map((url) => url.replaceAll('HOST', `127.0.0.1:${canary.port}`))
        .filter((url) => URL.canParse(url)),
    ];
    for (const url of urls) {
      const environment = { ...ownAddress(url), LENSFORGE_EGRESS_ALLOW: '' } as GatewayEnvironment;
      const outcome = await openPartner(
        environment,
        () => new Date(),
      )(ctx)
        .provision(aHolder(), {})
        .catch((error: unknown) => error);
      const message = expect.stringMatching(/\((address|url)_not_allowed\)$/);
      expect([url, outcome]).toEqual([url, expect.objectContaining({ failure: 'failed', message })]);
    }
    expect(canary.connections()).toBe(0);
    canary.close();
  });
});

const ownAddress = (url: string): Partial<GatewayEnvironment> => ({
  LENSFORGE_PARTNER_NAME: 'acme',
  LENSFORGE_PARTNER_BASE_URL: url,
  LENSFORGE_PARTNER_SECRET: secret,
  LENSFORGE_PARTNER_TIMEOUT_MS: 1000,
});
