import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AiLenser, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, aCommunityOf, allPages, callerOf, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let stranger: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_AI_LENSERS_PER_OWNER: '20' });
  [ada, stranger] = [await aCaller(gateway), await aCaller(gateway)];
});
afterAll(() => gateway.stop());

const aRequest = (more: object = {}) => ({ handle: `ai-${newId()}`, displayName: 'Critic', ...more });
const policy = { actions: { run_lens: 'allow', cast_vote: 'ask' }, creditsPerDay: 50, runsPerDay: null };
const secrets = { instructions: 'Answer in one sentence.', policy };

async function created(by: TestCaller, more: object = {}): Promise<AiLenser> {
  const answer = await by.post('/v1/agents', aRequest(more));
  expect(outcome(answer)).toEqual([201, undefined]);
  return parse(AiLenser, answer.body.data);
}

const read = async (by: TestCaller, id: string): Promise<AiLenser> =>
  parse(AiLenser, (await by.get(`/v1/agents/${id}`)).body.data);

const statusOf = async (answer: Promise<{ status: number }>): Promise<number> => (await answer).status;

/** Callers that get 401 and, with a token that lacks `needed`, 403. */
async function refusedCallers(needed: 'read' | 'write'): Promise<[TestCaller, TestCaller]> {
  const held = needed === 'read' ? (['lenses:write'] as const) : (['agents:read'] as const);
  const { value } = await aToken(gateway.ctx, { accountId: ada.accountId, held });
  return [callerOf(gateway, { token: '' }), callerOf(gateway, { token: value })];
}

describe('POST /v1/agents', () => {
  it('answers 201 with the AI lenser of the caller', async () => {
    const made = await created(ada, { bio: 'Judges prose.', aiModelKey: 'offline/echo', ...secrets });
    expect(made).toMatchObject({
      kind: 'ai',
      displayName: 'Critic',
      bio: 'Judges prose.',
      aiModelKey: 'offline/echo',
      owner: { id: ada.accountId },
      status: 'active',
      ...secrets,
    });
    expect(await read(ada, made.id)).toEqual(made);
  });

  it.each([
    ['an invalid handle', { handle: 'Not A Handle' }, 'handle'],
    ['a blank name', { displayName: ' ' }, 'displayName'],
    ['an unknown model', { aiModelKey: 'no-such-model' }, 'aiModelKey'],
    ['an unknown action', { policy: { actions: { fly: 'allow' } } }, 'policy.actions.fly'],
    ['an unknown rule', { policy: { actions: { run_lens: 'maybe' } } }, 'policy.actions.run_lens'],
    ['a negative cap', { policy: { creditsPerDay: -1 } }, 'policy.creditsPerDay'],
  ])('answers 400 to %s', async (_, more, path) => {
    const answer = await ada.post('/v1/agents', aRequest(more));
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.error?.details).toMatchObject({ issues: [{ path }] });
  });

  it('answers 401 and 403 without a token of a person that carries agents:write', async () => {
    const [none, reader] = await refusedCallers('write');
    expect(await statusOf(none.post('/v1/agents', aRequest()))).toBe(401);
    expect(await statusOf(reader.post('/v1/agents', aRequest()))).toBe(403);
    const accountId = await aCommunityOf(ada);
    const { value } = await aToken(gateway.ctx, { kind: 'organisation', accountId });
    expect(outcome(await callerOf(gateway, { token: value }).post('/v1/agents', aRequest()))).toEqual([
      403,
      'forbidden',
    ]);
  });

  it('answers 409 when the handle is taken', async () => {
    const { handle } = await created(ada);
    expect(outcome(await stranger.post('/v1/agents', aRequest({ handle })))).toEqual([409, 'conflict']);
  });

  it('answers 429 above the number that the setting allows', async () => {
    const owner = await aCaller(gateway);
    for (let count = 0; count < 20; count += 1) await created(owner);
    const refused = await owner.post('/v1/agents', aRequest());
    expect(outcome(refused)).toEqual([429, 'rate_limited']);
    expect(refused.body.error?.details).toEqual({ reason: 'ai_lensers', limit: 20, retryAfter: 3600 });
  });
});

describe('GET /v1/agents/{aiLenserId}', () => {
  it('answers 200 to any caller, with instructions and policy for the owner only', async () => {
    const { instructions, policy, ...profile } = await created(ada, secrets);
    expect({ instructions, policy }).toEqual(secrets);
    expect(await read(stranger, profile.id)).toEqual(profile);
    expect(await read(callerOf(gateway, { token: gateway.anonymousToken() }), profile.id)).toEqual(profile);
  });

  it('answers 400 to an id that is no UUID, and 401, 403 and 404', async () => {
    const [none, other] = await refusedCallers('read');
    const { id } = await created(ada);
    expect(await statusOf(ada.get('/v1/agents/x'))).toBe(400);
    expect(await statusOf(none.get(`/v1/agents/${id}`))).toBe(401);
    expect(await statusOf(other.get(`/v1/agents/${id}`))).toBe(403);
    expect(await statusOf(ada.get(`/v1/agents/${newId()}`))).toBe(404);
    expect(await statusOf(ada.get(`/v1/agents/${ada.accountId}`))).toBe(404);
  });
});

describe('PATCH /v1/agents/{aiLenserId}', () => {
  it('answers 200 with the changed AI lenser', async () => {
    const made = await created(ada, { aiModelKey: 'echo', ...secrets });
    const change = {
      displayName: 'Judge',
      bio: 'Strict.',
      aiModelKey: null,
      policy: { actions: { run_lens: 'deny' } },
    };
    const { status, body } = await ada.patch(`/v1/agents/${made.id}`, change);
    expect([status, body.data]).toMatchObject([200, { ...made, ...change, updatedAt: expect.any(String) }]);
    expect(await read(ada, made.id)).toMatchObject({
      instructions: secrets.instructions,
      policy: { actions: { run_lens: 'deny' }, creditsPerDay: null, runsPerDay: null },
    });
  });

  it('answers 400 to an empty change and an unknown model, and 401, 403, 404 and 409', async () => {
    const [none, reader] = await refusedCallers('write');
    const { id } = await created(ada);
    const path = `/v1/agents/${id}`;
    const change = { bio: 'Changed.' };
    expect(await statusOf(ada.patch(path, {}))).toBe(400);
    expect(await statusOf(ada.patch(path, { aiModelKey: 'no-such-model' }))).toBe(400);
    expect(await statusOf(none.patch(path, change))).toBe(401);
    expect(await statusOf(reader.patch(path, change))).toBe(403);
    expect(outcome(await stranger.patch(path, change))).toEqual([403, 'forbidden']);
    expect(await statusOf(ada.patch(`/v1/agents/${newId()}`, change))).toBe(404);
    await ada.post(`${path}/archive`);
    const refused = await ada.patch(path, change);
    expect(outcome(refused)).toEqual([409, 'conflict']);
    expect(refused.body.error?.details).toEqual({ status: 'archived' });
    expect(await read(ada, id)).toMatchObject({ bio: '', status: 'archived' });
  });
});

describe('POST /v1/agents/{aiLenserId}/archive', () => {
  it('answers 200, also when repeated', async () => {
    const { id } = await created(ada);
    for (let tries = 0; tries < 2; tries += 1) {
      const { status, body } = await ada.post(`/v1/agents/${id}/archive`);
      expect([status, body.data?.['status']]).toEqual([200, 'archived']);
    }
  });

  it('answers 400 to an id that is no UUID, and 401, 403 and 404', async () => {
    const [none, reader] = await refusedCallers('write');
    const { id } = await created(ada);
    const path = `/v1/agents/${id}/archive`;
    expect(await statusOf(ada.post('/v1/agents/x/archive'))).toBe(400);
    expect(await statusOf(none.post(path))).toBe(401);
    expect(await statusOf(reader.post(path))).toBe(403);
    expect(outcome(await stranger.post(path))).toEqual([403, 'forbidden']);
    expect(await statusOf(ada.post(`/v1/agents/${newId()}/archive`))).toBe(404);
    expect(await read(ada, id)).toMatchObject({ status: 'active' });
  });
});

describe('GET /v1/agents', () => {
  it('answers 200 with the active AI lensers of an owner, page by page, or with the archived ones', async () => {
    const owner = await aCaller(gateway);
    const made = [await created(owner, secrets), await created(owner), await created(owner)];
    const gone = await created(owner);
    await owner.post(`/v1/agents/${gone.id}/archive`);
    const path = `/v1/agents?owner=${owner.accountId}`;
    const listed = await allPages(stranger.get, path);
    expect(listed.items.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse());
    expect(listed.items.filter((item) => 'instructions' in item || 'policy' in item)).toEqual([]);
    expect(items(await stranger.get(`${path}&status=archived`)).map(({ id }) => id)).toEqual([gone.id]);
  });

  it('answers 200 with those that match q', async () => {
    const made = await created(ada, { displayName: 'Zebra Judge' });
    expect(items(await stranger.get('/v1/agents?q=zebra')).map(({ id }) => id)).toEqual([made.id]);
  });

  it('answers 400 to an unknown status, 401 and 403', async () => {
    const [none, other] = await refusedCallers('read');
    expect(await statusOf(ada.get('/v1/agents?status=asleep'))).toBe(400);
    expect(await statusOf(none.get('/v1/agents'))).toBe(401);
    expect(await statusOf(other.get('/v1/agents'))).toBe(403);
  });
});
