import { aKeyPair } from '@lensforge/byok/testing';
import { finishByokTest } from '@lensforge/byok';
import {
  ByokKey,
  CreditForecast,
  Credits,
  Me,
  SponsoredLens,
  Sponsorship,
  developerScopes,
  parse,
} from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { ledgerFaults, settleCredits } from '@lensforge/credits';
import { grantTestCredits } from '@lensforge/credits/testing';
import { actingAs, aToken } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import type { Model } from '@lensforge/models';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestCaller, aCaller, aCommunityOf, allPages, callerOf, copies, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let owner: TestCaller;
let stranger: TestCaller;
let lensId: string;
let pricey: Model;
/** The hold of a run of the lens with the expensive model. */
let hold: number;

const execute = (by: TestCaller, more: object = {}) =>
  by.post(`/v1/lenses/${lensId}/execute`, { params: { Name: 'Ada' }, modelOverride: pricey.key, ...more });
const creditsOf = async (by: TestCaller) => parse(Credits, (await by.get('/v1/credits')).body.data);
const put = (by: TestCaller, body: unknown, lens = lensId) =>
  gateway.call('PUT', `/v1/lenses/${lens}/sponsorship`, { token: by.token, body });
const organisationToken = async (more: object = {}) => {
  const communityId = await aCommunityOf(owner);
  const { body } = await owner.post('/v1/tokens', { communityId, label: 'CI', ...more });
  return callerOf(gateway, { accountId: communityId, token: String(body.data?.['value']) });
};

beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000' });
  [owner, stranger] = [await aCaller(gateway), await aCaller(gateway)];
  ({ id: lensId } = await aLens(actingAs(gateway.ctx, owner.accountId), { visibility: 'public' }));
  pricey = await aPricedModel(gateway.ctx);
  const poor = await execute(await aCaller(gateway));
  hold = Number((poor.body.error?.details as { needed?: number } | undefined)?.needed);
});
afterAll(async () => {
  expect(await ledgerFaults(gateway.ctx.db)).toEqual([]);
  await gateway.stop();
});

describe('GET /v1/credits', () => {
  it('answers 200 with the balance and its entries, newest first, in pages', async () => {
    const who = await aCaller(gateway);
    expect(await creditsOf(who)).toEqual({ available: 0, held: 0, entries: [], nextCursor: null });
    await grantTestCredits(gateway.ctx, who.accountId, 1000);
    const { body } = await execute(who);
    const runId = String(body.data?.['runId']);
    expect(await creditsOf(who)).toMatchObject({ available: 1000 - hold, held: hold });
    await who.post(`/v1/runs/${runId}/cancel`);
    const kinds: string[] = [];
    for (let cursor = ''; ;) {
      const page = parse(Credits, (await who.get(`/v1/credits?limit=2${cursor}`)).body.data);
      kinds.push(...page.entries.map(({ kind, amount, runId: of }) => `${kind} ${amount} ${of === runId}`));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(kinds).toEqual([`release ${hold} true`, `hold ${hold} true`, 'grant 1000 false']);
    expect(await creditsOf(who)).toMatchObject({ available: 1000, held: 0 });
  });

  it('answers 400 to an invalid limit or cursor', async () => {
    for (const query of ['limit=0', 'limit=101', 'cursor=cheese']) {
      expect(outcome(await owner.get(`/v1/credits?${query}`))).toEqual([400, 'invalid_request']);
    }
  });

  it('answers 401 without a token, 403 to a service token or without the scope', async () => {
    expect((await gateway.call('GET', '/v1/credits', { token: '' })).status).toBe(401);
    expect(outcome(await (await organisationToken()).get('/v1/credits'))).toEqual([403, 'forbidden']);
    const { value: token } = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['lenses:write'] });
    expect(outcome(await callerOf(gateway, { token }).get('/v1/credits'))).toEqual([403, 'insufficient_scope']);
  });

  it('never shows a negative balance: of 200 concurrent executions with credits for ten, ten are accepted', async () => {
    const who = await aCaller(gateway);
    await grantTestCredits(gateway.ctx, who.accountId, hold * 10 + hold - 1);
    // A busy server may answer 503 although it accepts the run a moment later: the key finds that run again.
    const decided = async (idempotencyKey: string): Promise<Awaited<ReturnType<typeof execute>>> => {
      const answer = await execute(who, { idempotencyKey });
      return answer.status === 503 ? decided(idempotencyKey) : answer;
    };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => decided(`run ${n}`)));
    const tally: Record<string, number> = {};
    for (const answer of answers) tally[outcome(answer).join(' ')] = (tally[outcome(answer).join(' ')] ?? 0) + 1;
    expect(tally).toEqual({ '202 ': 10, '400 insufficient_credits': 190 });
    expect(await creditsOf(who)).toMatchObject({ available: hold - 1, held: hold * 10 });
    expect(await ledgerFaults(gateway.ctx.db)).toEqual([]);
    // A request that was answered 503 may become a run as soon as others give their credits back.
    await until(async () => {
      const queued = await gateway.ctx.db.query<{ id: string }[]>(
        `select id from runs where account_id = $1 and status = 'queued'`,
        [who.accountId],
      );
      await Promise.all(queued.map(({ id }) => who.post(`/v1/runs/${id}/cancel`)));
      return (await creditsOf(who)).held === 0;
    });
    expect(await creditsOf(who)).toMatchObject({ available: hold * 11 - 1, held: 0 });
  });
});

describe('credit limits of a run and of a token', () => {
  it('answer 400 insufficient_credits to a run that may cost more than maxCredits', async () => {
    await grantTestCredits(gateway.ctx, owner.accountId, 5000);
    const refused = await execute(owner, { maxCredits: hold - 1 });
    expect(outcome(refused)).toEqual([400, 'insufficient_credits']);
    expect(refused.body.error?.details).toMatchObject({ limitOf: 'run', needed: hold });
    expect((await execute(owner, { maxCredits: hold })).status).toBe(202);
  });

  it('answer 400 insufficient_credits to a token that has spent its limit, although its account has credits', async () => {
    const machine = await organisationToken({ creditLimit: hold * 2, creditPeriod: 'total' });
    await grantTestCredits(gateway.ctx, machine.accountId, hold * 100);
    const answers = [await execute(machine), await execute(machine), await execute(machine)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 400]);
    expect(answers[2]?.body.error).toMatchObject({
      code: 'insufficient_credits',
      message: expect.stringContaining(`This token may spend ${hold * 2} credits in all`),
      details: { limitOf: 'token', held: hold * 2, spent: 0 },
    });
    expect(outcome(await machine.post('/v1/tokens', { communityId: machine.accountId, label: 'more' }))[0]).toBe(403);
  });

  it('show an organisation token its own budget, and none to a token without a limit', async () => {
    const machine = await organisationToken({ scopes: 'lenses:read', creditLimit: hold * 3, creditPeriod: 'total' });
    await grantTestCredits(gateway.ctx, machine.accountId, hold * 10);
    const budget = async (by: TestCaller) => parse(Me, (await by.get('/v1/me')).body.data).budget;
    const limits = { creditLimit: hold * 3, creditPeriod: 'total' };
    expect(await budget(machine)).toEqual({ ...limits, spent: 0, held: 0, remaining: hold * 3 });
    const { body } = await execute(machine);
    expect(await budget(machine)).toEqual({ ...limits, spent: 0, held: hold, remaining: hold * 2 });
    await gateway.ctx.db.transaction(async (db) => {
      await settleCredits({ ...gateway.ctx, db }, { runId: String(body.data?.['runId']), cost: 1 });
    });
    expect(await budget(machine)).toEqual({ ...limits, spent: 1, held: 0, remaining: hold * 3 - 1 });
    for (const by of [owner, await organisationToken()]) expect(await budget(by)).toBeUndefined();
  });

  it('are set, raised and removed with a session by PATCH /v1/tokens/{tokenId}', async () => {
    const { id, value: token } = await aToken(gateway.ctx, { accountId: owner.accountId });
    const limited = await owner.patch(`/v1/tokens/${id}`, { creditLimit: hold - 1 });
    expect([limited.status, limited.body.data]).toMatchObject([200, { creditLimit: hold - 1, creditPeriod: 'month' }]);
    const developer = callerOf(gateway, { token });
    expect(outcome(await execute(developer))).toEqual([400, 'insufficient_credits']);
    expect(outcome(await developer.patch(`/v1/tokens/${id}`, { creditLimit: null }))).toEqual([403, 'forbidden']);
    await owner.patch(`/v1/tokens/${id}`, { creditLimit: null });
    expect((await execute(developer)).status).toBe(202);
    for (const body of [{}, { creditLimit: -1 }, { creditLimit: 1, creditPeriod: 'day' }]) {
      expect(outcome(await owner.patch(`/v1/tokens/${id}`, body))).toEqual([400, 'invalid_request']);
    }
    expect(outcome(await stranger.patch(`/v1/tokens/${id}`, { creditLimit: 1 }))).toEqual([404, 'not_found']);
  });
});

describe('/v1/lenses/{lensId}/sponsorship', () => {
  it('answers 200: the owner pays for the runs of others until the pool is used up, then they get 400', async () => {
    expect(outcome(await owner.get(`/v1/lenses/${lensId}/sponsorship`))).toEqual([404, 'not_found']);
    expect(outcome(await execute(stranger, { fundingSource: 'sponsored' }))).toEqual([400, 'invalid_request']);
    const before = await creditsOf(owner);
    const generous = { maxCreditsPerRun: hold, maxCreditsPerCallerPerDay: hold * 10 };
    const set = await put(owner, { credits: hold * 2, period: 'total', ...generous });
    expect(parse(Sponsorship, set.body.data)).toMatchObject({
      lensId,
      enabled: true,
      credits: hold * 2,
      held: 0,
      models: null,
      ...generous,
    });
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await execute(stranger, { fundingSource: 'sponsored' }));
    expect(answers.map((answer) => outcome(answer))).toEqual([
      [202, undefined],
      [202, undefined],
      [400, 'insufficient_credits'],
    ]);
    expect(await creditsOf(owner)).toMatchObject({ available: before.available - hold * 2 });
    expect(await creditsOf(stranger)).toMatchObject({ available: 0, held: 0, entries: [] });
    const [runId] = answers.map(({ body }) => String(body.data?.['runId']));
    expect((await stranger.get(`/v1/runs/${runId}`)).body.data).toMatchObject({ billingStatus: 'reserved' });
    await stranger.post(`/v1/runs/${runId}/cancel`);
    expect(await creditsOf(owner)).toMatchObject({ available: before.available - hold });
    const read = await owner.get(`/v1/lenses/${lensId}/sponsorship`);
    expect(read.body.data).toMatchObject({ held: hold, spent: 0, period: 'total' });
    await put(owner, { credits: hold * 2, enabled: false });
    expect(outcome(await execute(stranger, { fundingSource: 'sponsored' }))).toEqual([400, 'invalid_request']);
  });

  describe('with only an amount of credits', () => {
    let lens: string;
    let cheap: Model;
    const model = (): string => `${cheap.providerKey}/${cheap.key}`;
    const draw = (by: TestCaller, more: object = {}) =>
      by.post(`/v1/lenses/${lens}/execute`, {
        params: { Name: 'Ada' },
        modelOverride: model(),
        fundingSource: 'sponsored',
        ...more,
      });
    const poolOf = async () => parse(Sponsorship, (await owner.get(`/v1/lenses/${lens}/sponsorship`)).body.data);
    beforeAll(async () => {
      ({ id: lens } = await aLens(actingAs(gateway.ctx, owner.accountId), { visibility: 'public' }));
      cheap = await aPricedModel(gateway.ctx, { perThousand: 100, maxOutputTokens: 300 });
      await grantTestCredits(gateway.ctx, owner.accountId, 20_000);
      await put(owner, { credits: 3000 }, lens);
    });

    it('limits one run to 50 credits and says what to do', async () => {
      expect(await poolOf()).toMatchObject({ models: null, maxCreditsPerRun: 50, maxCreditsPerCallerPerDay: 200 });
      const refused = await draw(stranger, { modelOverride: pricey.key });
      expect(outcome(refused)).toEqual([400, 'insufficient_credits']);
      expect(refused.body.error).toMatchObject({
        message: expect.stringMatching(
          /at most 50 credits for a run: 50 are left, and this needs \d+; .*cheaper model/,
        ),
        details: { limitOf: 'sponsorship_run', limit: 50, left: 50, needed: hold },
      });
    });

    it('limits one account to 200 credits per day, also with concurrent requests and several tokens', async () => {
      const greedy = await aCaller(gateway);
      const { value } = await aToken(gateway.ctx, { accountId: greedy.accountId });
      const callers = [greedy, callerOf(gateway, { token: value })];
      const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => draw(callers[n % 2] ?? greedy)));
      const [first] = answers.filter(({ status }) => status === 400);
      const { held } = await poolOf();
      const started = answers.filter(({ status }) => status === 202).length;
      const { needed = NaN } = first?.body.error?.details as { needed?: number };
      expect([started, held]).toEqual([Math.floor(200 / needed), started * needed]);
      expect(first?.body.error).toMatchObject({
        code: 'insufficient_credits',
        message: expect.stringMatching(
          /at most 200 credits a day \(UTC\) for each caller: 0 are spent and \d+ held, \d+ are left/,
        ),
        details: { limitOf: 'sponsorship_caller', limit: 200, period: 'day', left: expect.any(Number) },
      });
      const batch = await greedy.post(`/v1/lenses/${lens}/execute-batch`, {
        items: Array.from({ length: 20 }, () => ({
          params: { Name: 'Ada' },
          modelOverride: model(),
          fundingSource: 'sponsored',
        })),
      });
      const items = batch.body.data?.['items'] as { error?: { code: string } }[];
      expect(items.every(({ error }) => error?.code === 'insufficient_credits')).toBe(true);
      expect((await draw(stranger)).status).toBe(202);
      expect((await poolOf()).held).toBeLessThanOrEqual(400);
    });

    it('returns the hold of a canceled run to the limits', async () => {
      const patient = await aCaller(gateway);
      await put(owner, { credits: 3000, maxCreditsPerCallerPerDay: 40 }, lens);
      const run = await draw(patient);
      await patient.post(`/v1/runs/${String(run.body.data?.['runId'])}/cancel`);
      expect((await draw(patient)).status).toBe(202);
      expect(outcome(await draw(patient))).toEqual([400, 'insufficient_credits']);
    });

    it('refuses models that the sponsor has not named, and uses the first named one by default', async () => {
      const other = await aPricedModel(gateway.ctx, { perThousand: 1 });
      const set = await put(owner, { credits: 3000, models: [model()] }, lens);
      expect(parse(Sponsorship, set.body.data).models).toEqual([model()]);
      const caller = await aCaller(gateway);
      const refused = await draw(caller, { modelOverride: other.key });
      expect([outcome(refused), refused.body.error?.message]).toEqual([
        [400, 'invalid_request'],
        expect.stringContaining(model()),
      ]);
      const run = await draw(caller, { modelOverride: undefined });
      const read = await caller.get(`/v1/runs/${String(run.body.data?.['runId'])}`);
      expect([run.status, read.body.data?.['modelKey']]).toEqual([202, cheap.key]);
      const unknown = await put(owner, { credits: 3000, models: ['offline/nothing'] }, lens);
      expect([outcome(unknown), unknown.body.error?.message]).toEqual([
        [400, 'invalid_request'],
        expect.stringContaining('there is no model offline/nothing'),
      ]);
    });

    it('answers 403 to anonymous callers', async () => {
      const anonymous = callerOf(gateway, { token: gateway.anonymousToken() });
      expect(outcome(await draw(anonymous))).toEqual([403, 'forbidden']);
    });
  });

  it('answers 400, 401, 403, 404, 413 and 415', async () => {
    for (const body of [
      {},
      { credits: 1, maxCreditsPerRun: 0 },
      { credits: 1, models: [] },
      { credits: 1, models: ['gpt'] },
      { credits: -1 },
      { credits: 1.5 },
      { credits: 1, period: 'day' },
      { credits: 1, owner: 'x' },
    ]) {
      expect(outcome(await put(owner, body))).toEqual([400, 'invalid_request']);
    }
    expect((await gateway.call('PUT', `/v1/lenses/${lensId}/sponsorship`, { token: '', body: {} })).status).toBe(401);
    expect(outcome(await put(stranger, { credits: 1 }))).toEqual([403, 'forbidden']);
    expect(outcome(await put(owner, { credits: 1 }, newId()))).toEqual([404, 'not_found']);
    expect((await put(owner, { credits: 1, pad: 'x'.repeat(2_000_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    const path = `/v1/lenses/${lensId}/sponsorship`;
    expect((await gateway.call('PUT', path, { token: owner.token, body: '{}', headers })).status).toBe(415);
  });
});

describe('a developer token of the device flow', () => {
  it('reads and changes BYOK keys, and reads the audit log and the credits', async () => {
    const who = await aCaller(gateway);
    const { value: token } = await aToken(gateway.ctx, { accountId: who.accountId, held: developerScopes });
    const developer = callerOf(gateway, { token });
    const key = { provider: 'openai', label: 'work', secret: 'sk-of-a-developer' };
    const made = await developer.post('/v1/byok-keys', key);
    expect([201, 503]).toContain(made.status);
    for (const path of ['/v1/byok-keys', '/v1/audit', '/v1/credits']) {
      expect([path, (await developer.get(path)).status]).toEqual([path, 200]);
    }
  });

  it('gets errors that name its own missing scopes', async () => {
    const machine = await organisationToken({ scopes: 'tokens:read,lenses:read' });
    const { value: token } = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['lenses:read'] });
    const reader = callerOf(gateway, { token });
    for (const path of ['/v1/byok-keys', '/v1/audit', '/v1/credits']) {
      const [ofMachine, ofReader] = [await machine.get(path), await reader.get(path)];
      expect(outcome(ofMachine)).toEqual([403, 'forbidden']);
      expect(ofMachine.body.error?.message).toBe('This needs a session or developer token');
      expect(outcome(ofReader)).toEqual([403, 'insufficient_scope']);
      expect(ofReader.body.error?.message).toBe(
        'This needs the scope tokens:read, which the credential does not carry',
      );
      expect(developerScopes).toContain('tokens:read');
    }
    const made = await reader.post('/v1/tokens', { communityId: machine.accountId, label: 'x' });
    expect(made.body.error?.message).toBe(
      'This needs the scope tokens:write, which a developer token cannot carry: use a session token',
    );
  });
});

describe('/v1/byok-keys', () => {
  const secret = 'sk-live-c2FVsBQIhrscChlQIMV';
  const order = { provider: 'openai', label: 'work', secret };
  const create = async (by = owner, more: object = {}) =>
    parse(ByokKey, (await by.post('/v1/byok-keys', { ...order, ...more })).body.data);

  it('answers 503 until a run-worker has published its key pair', async () => {
    const early = await owner.post('/v1/byok-keys', order);
    expect(outcome(early)).toEqual([503, 'service_unavailable']);
    await aKeyPair(gateway.ctx);
    expect((await owner.post('/v1/byok-keys', order)).status).toBe(201);
  });

  it('answers 201 and 200 with only the last four characters of a key', async () => {
    const who = await aCaller(gateway);
    const answers = [await who.post('/v1/byok-keys', order)];
    const { id } = parse(ByokKey, answers[0]?.body.data);
    answers.push(await who.post('/v1/byok-keys', order), await who.get(`/v1/byok-keys/${id}`));
    answers.push(await who.post(`/v1/byok-keys/${id}/rotate`, { secret: `${secret}-next` }));
    expect((await allPages(who.get, '/v1/byok-keys')).items).toHaveLength(2);
    answers.push(
      await who.get('/v1/byok-keys'),
      await gateway.call('DELETE', `/v1/byok-keys/${id}`, { token: who.token }),
    );
    answers.push(await who.get('/v1/audit'));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200, 200]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(secret.slice(0, 12));
    expect(answers[3]?.body.data).toMatchObject({ id, last4: 'next', rotatedAt: expect.any(String) });
    expect(answers[5]?.body.data).toMatchObject({ id, revokedAt: expect.any(String) });
    expect(outcome(await who.get(`/v1/byok-keys/${id}`))).toEqual([404, 'not_found']);
    expect(items(await who.get('/v1/byok-keys'))).toHaveLength(1);
  });

  it('answers 409 to more than 100 keys of an account', async () => {
    const who = await aCaller(gateway);
    const { id } = await create(who);
    await copies(gateway, 'byok_keys', id, 99);
    expect(outcome(await who.post('/v1/byok-keys', order))).toEqual([409, 'conflict']);
  });

  it('answers 200 to a test with the result of a worker, or pending without one', async () => {
    const { id: keyId } = await create();
    const asked = owner.post(`/v1/byok-keys/${keyId}/test`);
    const testId = await until(
      async () =>
        (
          await gateway.ctx.db.query<{ id: string | null }[]>('select test_id as id from byok_keys where id = $1', [
            keyId,
          ])
        )[0]?.id ?? undefined,
      { what: 'a test that was asked for' },
    );
    const [row] = await gateway.ctx.db.query<{ payload: object }[]>(
      `select payload from outbox where payload ->> 'testId' = $1`,
      [testId],
    );
    expect(JSON.stringify(row?.payload ?? {})).not.toContain('sk-');
    await finishByokTest(gateway.ctx.db, { keyId, testId, status: 'passed', message: 'It works' });
    expect((await asked).body.data?.['test']).toMatchObject({ status: 'passed', message: 'It works' });
  });

  it('answers 202 to an execution with an own key, without a price and a hold', async () => {
    const who = await aCaller(gateway);
    const { id: byokKeyRefId } = await create(who);
    const funding = { fundingSource: 'user_byok_cloud', byokKeyRefId, modelOverride: undefined };
    const { status, body } = await execute(who, funding);
    expect(status).toBe(202);
    const run = await who.get(`/v1/runs/${String(body.data?.['runId'])}`);
    expect(run.body.data).toMatchObject({ providerKey: 'openai', billingStatus: 'none' });
    const others = await execute(stranger, funding);
    expect(outcome(others)).toEqual([400, 'invalid_request']);
    expect(others.body.error?.message).toContain(`you have no BYOK key with the id ${byokKeyRefId}`);
    const another = await create(who, { provider: 'anthropic' });
    const wrong = await execute(who, { ...funding, byokKeyRefId: another.id, providerOverride: 'openai' });
    expect(wrong.body.error?.message).toContain('is a key for anthropic');
    await gateway.call('DELETE', `/v1/byok-keys/${byokKeyRefId}`, { token: who.token });
    expect(outcome(await execute(who, funding))).toEqual([400, 'invalid_request']);
  });

  it('answers 201 to a key for an own endpoint, whose models runs use without a price', async () => {
    const who = await aCaller(gateway);
    const baseUrl = 'https://models.example.com/v1';
    const models = [{ key: 'llama-4', maxOutputTokens: 8000 }, { key: 'phi-9' }];
    const made = await create(who, { provider: 'openai-compatible', baseUrl, models });
    expect(made).toMatchObject({ baseUrl, models: [models[0], { key: 'phi-9', maxOutputTokens: 4096 }] });
    const funding = { fundingSource: 'user_byok_cloud', byokKeyRefId: made.id };
    const { status, body } = await execute(who, { ...funding, modelOverride: 'phi-9' });
    expect(status).toBe(202);
    const run = await who.get(`/v1/runs/${String(body.data?.['runId'])}`);
    expect(run.body.data).toMatchObject({ providerKey: 'openai-compatible', modelKey: 'phi-9', billingStatus: 'none' });
    const unknown = await execute(who, { ...funding, modelOverride: 'gpt-6-sol' });
    expect(outcome(unknown)).toEqual([400, 'invalid_request']);
    expect(unknown.body.error?.message).toContain('usable are openai-compatible/llama-4, openai-compatible/phi-9');
    expect(JSON.stringify((await who.get('/v1/models?fundingSource=user_byok_cloud')).body)).not.toContain('llama-4');
  });

  it.each([
    ['an endpoint without an address', { provider: 'openai-compatible', models: [{ key: 'x' }] }],
    ['an endpoint without models', { provider: 'openai-compatible', baseUrl: 'https://example.com/v1' }],
    ['an endpoint in plain http', { provider: 'openai-compatible', baseUrl: 'http://x.com', models: [{ key: 'x' }] }],
    ['no provider', { provider: undefined }],
    ['an unknown provider', { provider: 'acme' }],
    ['no label', { label: ' ' }],
    ['no secret', { secret: undefined }],
    ['a short secret', { secret: 'sk-1' }],
    ['a secret with blanks', { secret: 'sk-live with blanks' }],
    ['an unknown member', { accountId: newId() }],
  ])('answers 400 to %s without repeating the secret', async (_, change) => {
    const answer = await owner.post('/v1/byok-keys', { ...order, ...change });
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(answer.body)).not.toContain('sk-');
  });

  it('answers 401, 403, 404, 413 and 415', async () => {
    const { id } = await create();
    expect((await gateway.call('POST', '/v1/byok-keys', { token: '', body: order })).status).toBe(401);
    const machine = await organisationToken({ scopes: 'tokens:write' });
    expect(outcome(await machine.post('/v1/byok-keys', order))).toEqual([403, 'forbidden']);
    for (const path of [`/v1/byok-keys/${id}/test`, `/v1/byok-keys/${id}/rotate`]) {
      expect(outcome(await stranger.post(path, path.endsWith('rotate') ? { secret } : undefined))[0]).toBe(404);
    }
    expect((await owner.post('/v1/byok-keys', { ...order, label: 'x'.repeat(2_000_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('POST', '/v1/byok-keys', { token: owner.token, body: '{}', headers })).status).toBe(415);
  });
});

describe('GET /v1/credits/forecast', () => {
  it('answers 200 with the cost of settled runs of the caller alone', async () => {
    const who = await aCaller(gateway);
    await grantTestCredits(gateway.ctx, who.accountId, 1000);
    const runId = String((await execute(who)).body.data?.['runId']);
    await gateway.ctx.db.transaction((db) => settleCredits({ ...gateway.ctx, db }, { runId, cost: 4 }));
    const forecastOf = async (by: TestCaller) =>
      parse(CreditForecast, (await by.get('/v1/credits/forecast')).body.data);
    expect(await forecastOf(who)).toMatchObject({ available: 996, spent: 4, perDay: 4, daysLeft: 249 });
    expect(await forecastOf(await aCaller(gateway))).toMatchObject({ spent: 0, daysLeft: null });
  });
});

describe('GET /v1/credits/sponsorships', () => {
  it('answers 200 with the pools of the caller, those of the newest lenses first, in pages', async () => {
    const [who, other] = [await aCaller(gateway), await aCaller(gateway)];
    const [first, second] = [
      await aLens(actingAs(gateway.ctx, who.accountId), { title: 'First' }),
      await aLens(actingAs(gateway.ctx, who.accountId), { title: 'Second' }),
    ];
    await put(who, { credits: 10 }, first.id);
    await put(who, { credits: 20, enabled: false }, second.id);
    const path = '/v1/credits/sponsorships';
    const pools = (await allPages(who.get, path)).items.map((item) => parse(SponsoredLens, item));
    expect(pools).toMatchObject([
      { lensId: second.id, lensTitle: 'Second', credits: 20, enabled: false, spent: 0, held: 0 },
      { lensId: first.id, lensTitle: 'First', credits: 10, enabled: true },
    ]);
    expect(items(await other.get(path))).toEqual([]);
  });
});
