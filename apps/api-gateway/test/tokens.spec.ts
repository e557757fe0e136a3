import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreatedToken, TokenSummary, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { findCredentials, hashToken } from '@lensforge/identity';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, aCommunityOf, allPages, callerOf, copies, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let owner: TestCaller;
let admin: TestCaller;
let member: TestCaller;
let stranger: TestCaller;
let communityId: string;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [owner, admin, member, stranger] = (await Promise.all([1, 2, 3, 4].map(() => aCaller(gateway)))) as [
    TestCaller,
    TestCaller,
    TestCaller,
    TestCaller,
  ];
  communityId = await aCommunityOf(owner, { members: { admin: [admin], member: [member] } });
});
afterAll(() => gateway.stop());

const created = async (by: TestCaller, more: object = {}) => {
  const answer = await by.post('/v1/tokens', { communityId, label: 'CI', ...more });
  expect(outcome(answer)).toEqual([201, undefined]);
  return parse(CreatedToken, answer.body.data);
};
const daysOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string | null }) =>
  (Date.parse(expiresAt ?? '') - Date.parse(createdAt)) / 86_400_000;
const opens = async (token: string) => (await gateway.call('GET', '/v1/me', { token })).status === 200;

describe('POST /v1/tokens', () => {
  it('answers 201 to an owner with a valid token, by default for 90 days and lenses:read', async () => {
    const token = await created(owner);
    expect(token).toMatchObject({
      kind: 'organisation',
      accountId: communityId,
      label: 'CI',
      scopes: ['lenses:read'],
      prefix: token.value.slice(0, 12),
      connectorId: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(token.value).toMatch(/^lf_org_[0-9a-f]{64}$/);
    expect(daysOf(token)).toBe(90);
    const me = await gateway.call('GET', '/v1/me', { token: token.value });
    expect(me.body.data).toMatchObject({ account: { id: communityId }, credential: { scopes: ['lenses:read'] } });
  });

  it('answers 409 to more than 200 valid tokens of a community', async () => {
    const ofIts = await aCommunityOf(owner);
    const { id } = await created(owner, { communityId: ofIts });
    await copies(gateway, 'api_tokens', id, 199);
    const more = () => owner.post('/v1/tokens', { communityId: ofIts, label: 'CI' });
    expect(outcome(await more())).toEqual([409, 'conflict']);
    await owner.remove(`/v1/tokens/${id}`);
    expect((await more()).status).toBe(201);
  });

  it('answers 201 with a value that is shown once', async () => {
    const { value, id } = await created(owner);
    const answers = [
      await owner.get(`/v1/tokens?communityId=${communityId}&limit=100`),
      await owner.remove(`/v1/tokens/${id}`),
      await owner.get(`/v1/audit?communityId=${communityId}`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain(id);
      expect(JSON.stringify(body)).not.toContain(value.slice(12, 30));
    }
  });

  it.each([
    ['lenses:read,workflows:write', ['lenses:read', 'workflows:write']],
    [' tokens:write , tokens:write', ['tokens:write']],
    [
      ['community:read', 'lenses:write'],
      ['community:read', 'lenses:write'],
    ],
  ])('answers 201 with the scopes %j', async (given, expected) => {
    expect((await created(admin, { scopes: given })).scopes).toEqual(expected);
  });

  it.each([30, 31, 364, 365])('answers 201 with a token for %d days', async (ttl) => {
    expect(daysOf(await created(owner, { ttl }))).toBe(ttl);
  });

  it.each([29, 0, -1, 366, 1e9, 30.5, '90', null])(
    'answers 400 to a ttl of %j and names the permitted range',
    async (ttl) => {
      const answer = await owner.post('/v1/tokens', { communityId, label: 'CI', ttl });
      expect(outcome(answer)).toEqual([400, 'invalid_request']);
      expect(answer.body.error?.message).toContain('from 30 to 365');
    },
  );

  it.each([
    ['no label', { label: undefined }, 'label'],
    ['an empty label', { label: '' }, '1 to 100 characters'],
    ['a label of blanks', { label: '  ' }, 'label'],
    ['a label too long', { label: 'x'.repeat(101) }, '1 to 100 characters'],
    ['no community', { communityId: undefined }, 'communityId'],
    ['a community that is not a UUID', { communityId: 'cheese' }, 'UUID'],
    ['no scopes', { scopes: '' }, 'lenses:read'],
    ['no scopes in a list', { scopes: [] }, 'lenses:read'],
    ['an unknown scope', { scopes: 'lenses:read,lenses:admin' }, 'tokens:write'],
    ['an unknown member', { kind: 'developer' }, 'kind'],
  ])('answers 400 to %s', async (_, change, word) => {
    const answer = await owner.post('/v1/tokens', { communityId, label: 'CI', ...change });
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.error?.message).toContain(word);
  });

  it.each(['x', '🧀'.repeat(100)])('answers 201 to the label %j', async (label) => {
    expect((await created(owner, { label })).label).toBe(label);
  });

  it('answers 201 to an organisation token for another one with no more scopes', async () => {
    const { value } = await created(owner, { scopes: 'tokens:write,lenses:write' });
    const machine = callerOf(gateway, { token: value });
    const next = await machine.post('/v1/tokens', { communityId, label: 'next', scopes: 'lenses:read,tokens:read' });
    expect(next.status).toBe(201);
    const more = await machine.post('/v1/tokens', { communityId, label: 'more', scopes: 'lenses:read,agents:read' });
    expect(outcome(more)).toEqual([403, 'insufficient_scope']);
    expect(more.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="agents:read"');
  });

  it('answers 401 without a token', async () => {
    expect((await gateway.call('POST', '/v1/tokens', { token: '', body: {} })).status).toBe(401);
  });

  it('answers 403 to a member, a developer token of the owner, a service token and a token without the scope', async () => {
    const order = { communityId, label: 'CI' };
    const developer = await aToken(gateway.ctx, { accountId: owner.accountId });
    const service = await aToken(gateway.ctx, { accountId: communityId, kind: 'service' });
    const reader = await created(owner, { scopes: 'tokens:read' });
    expect(outcome(await member.post('/v1/tokens', order))).toEqual([403, 'forbidden']);
    for (const { value } of [developer, service]) {
      expect(outcome(await callerOf(gateway, { token: value }).post('/v1/tokens', order))).toEqual([403, 'forbidden']);
    }
    const refused = await callerOf(gateway, { token: reader.value }).post('/v1/tokens', order);
    expect(outcome(refused)).toEqual([403, 'insufficient_scope']);
  });

  it('answers the same 404 to an unknown community, a foreign one and the account of a person', async () => {
    const answers = await Promise.all(
      [newId(), communityId, owner.accountId].map(async (id) => {
        const { status, body } = await stranger.post('/v1/tokens', { communityId: id, label: 'CI' });
        return [status, body.error?.code, body.error?.message.replaceAll(id, 'ID')];
      }),
    );
    expect(answers[0]).toEqual([404, 'not_found', 'There is no community with the id ID that you can reach']);
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    const elsewhere = await created(owner, { scopes: 'tokens:write,lenses:read' });
    const other = await aCommunityOf(stranger);
    const reach = callerOf(gateway, { token: elsewhere.value });
    expect((await reach.post('/v1/tokens', { communityId: other, label: 'CI' })).status).toBe(404);
  });

  it('answers 413 to a large body and 415 to another content type', async () => {
    expect((await owner.post('/v1/tokens', { label: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('POST', '/v1/tokens', { token: owner.token, body: {}, headers })).status).toBe(415);
  });
});

describe('GET /v1/tokens', () => {
  it('answers 200 with the tokens of the person and of their communities, newest first, in pages', async () => {
    const one = await aCaller(gateway);
    const own = await aCommunityOf(one);
    const { ctx } = gateway;
    const made = [
      (await aToken(ctx, { accountId: one.accountId, kind: 'developer' })).id,
      (await aToken(ctx, { accountId: one.accountId, kind: 'mcp' })).id,
      (await created(one, { communityId: own })).id,
      String((await one.post('/v1/connectors', { name: 'bot', scopes: 'lenses:read' })).body.data?.['id']),
      (await aToken(ctx, { accountId: one.accountId, kind: 'developer' })).id,
    ];
    const all = await allPages(one.get, '/v1/tokens', 2);
    expect(all.items.map((each) => parse(TokenSummary, each).kind)).toEqual([
      'developer',
      'service',
      'organisation',
      'mcp',
      'developer',
    ]);
    expect(all.items.map(({ id, connectorId }) => connectorId ?? id)).toEqual(made.reverse());
    expect(all.pages).toBe(3);
    const some = async (query: string) => items(await one.get(`/v1/tokens?${query}`)).map(({ kind }) => kind);
    expect(await some('kind=mcp')).toEqual(['mcp']);
    expect(await some('kind=developer')).toEqual(['developer', 'developer']);
    expect(await some(`communityId=${own}`)).toEqual(['organisation']);
    expect(await some(`communityId=${own.toUpperCase()}&kind=mcp`)).toEqual([]);
  });

  it('answers 200 with the tokens of the community to an admin, not to a member', async () => {
    const { id } = await created(owner);
    const seenBy = async (one: TestCaller) => items(await one.get('/v1/tokens?limit=100')).map((each) => each['id']);
    expect(await seenBy(admin)).toContain(id);
    expect(await seenBy(member)).not.toContain(id);
    expect(await seenBy(stranger)).not.toContain(id);
  });

  it('answers 200 to a developer token with those of its person, to an organisation token with those of its community', async () => {
    const developer = await aToken(gateway.ctx, { accountId: owner.accountId });
    const organisation = await created(owner, { scopes: 'tokens:read' });
    const seenBy = async (token: string) =>
      new Set(items(await gateway.call('GET', '/v1/tokens?limit=100', { token })).map((each) => each['accountId']));
    expect(await seenBy(developer.value)).toEqual(new Set([owner.accountId]));
    expect(await seenBy(organisation.value)).toEqual(new Set([communityId]));
  });

  it('answers 200 to a service token of a person without the tokens of the person', async () => {
    const one = await aCaller(gateway);
    await aToken(gateway.ctx, { accountId: one.accountId });
    const { body } = await one.post('/v1/connectors', { name: 'bot', scopes: 'tokens:write' });
    const bot = callerOf(gateway, { token: String(body.data?.['value']) });
    expect(items(await bot.get('/v1/tokens')).map(({ kind }) => kind)).toEqual(['service']);
    const [developer] = items(await one.get('/v1/tokens?kind=developer'));
    expect((await bot.remove(`/v1/tokens/${String(developer?.['id'])}`)).status).toBe(404);
  });

  it('answers 200 without codes that were never exchanged', async () => {
    const { id } = await aToken(gateway.ctx, { accountId: stranger.accountId, kind: 'mcp' });
    await gateway.ctx.db.query('update api_tokens set sealed = true where id = $1', [id]);
    expect(items(await stranger.get('/v1/tokens'))).toEqual([]);
    expect((await stranger.remove(`/v1/tokens/${id}`)).status).toBe(404);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'kind=session', 'communityId=x', 'cursor=x', 'cursor=', 'what=1'])(
    'answers 400 to %s',
    async (query) => {
      expect(outcome(await owner.get(`/v1/tokens?${query}`))).toEqual([400, 'invalid_request']);
    },
  );

  it('answers 404 to a community that the caller does not administer and to an unknown one', async () => {
    for (const [who, id] of [
      [member, communityId],
      [stranger, communityId],
      [owner, newId()],
    ] as const) {
      expect(outcome(await who.get(`/v1/tokens?communityId=${id}`))).toEqual([404, 'not_found']);
    }
  });

  it('answers 401 without a token and 403 without the scope', async () => {
    const { value } = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['lenses:write'] });
    expect((await gateway.call('GET', '/v1/tokens', { token: '' })).status).toBe(401);
    expect(outcome(await gateway.call('GET', '/v1/tokens', { token: value }))).toEqual([403, 'insufficient_scope']);
  });
});

describe('DELETE /v1/tokens', () => {
  it('answers 200 with the number of revoked tokens of a kind; the session stays valid', async () => {
    const ada = await aCaller(gateway);
    const token = async (kind: 'developer' | 'mcp') =>
      (await aToken(gateway.ctx, { accountId: ada.accountId, kind, held: ['tokens:write'] })).value;
    const [mcp, one, other] = [await token('mcp'), await token('developer'), await token('developer')];
    const { value: ofCommunity } = await created(owner);
    expect((await ada.remove('/v1/tokens?kind=mcp')).body.data).toEqual({ revoked: 1 });
    expect(await findCredentials(gateway.ctx.db, [hashToken(mcp)])).toEqual([undefined]);
    expect([await opens(one), await opens(other)]).toEqual([true, true]);
    const byOneOfThem = await callerOf(gateway, { token: one }).remove('/v1/tokens?kind=developer');
    expect([byOneOfThem.status, byOneOfThem.body.data]).toEqual([200, { revoked: 2 }]);
    expect([await opens(one), await opens(other), await opens(ofCommunity)]).toEqual([false, false, true]);
    expect((await ada.remove('/v1/tokens?kind=developer')).body.data).toEqual({ revoked: 0 });
    const actions = items(await ada.get('/v1/audit')).map((entry) => entry['action']);
    expect(actions.filter((action) => action === 'token.revoked')).toHaveLength(2);
  });

  it('answers 200 to an admin for the tokens of a community', async () => {
    const { value } = await created(owner);
    const answer = await admin.remove(`/v1/tokens?kind=organisation&communityId=${communityId}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data?.['revoked']).toBeGreaterThanOrEqual(1);
    expect(await opens(value)).toBe(false);
  });

  it('answers 400, 401, 403 and 404', async () => {
    for (const query of ['', '?kind=paper'])
      expect(outcome(await owner.remove(`/v1/tokens${query}`))).toEqual([400, 'invalid_request']);
    expect((await gateway.call('DELETE', '/v1/tokens', { token: '' })).status).toBe(401);
    const { value } = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['tokens:read'] });
    expect(outcome(await callerOf(gateway, { token: value }).remove('/v1/tokens?kind=mcp'))).toEqual([
      403,
      'insufficient_scope',
    ]);
    for (const [who, id] of [
      [stranger, communityId],
      [member, communityId],
      [owner, newId()],
    ] as const)
      expect(outcome(await who.remove(`/v1/tokens?kind=mcp&communityId=${id}`))).toEqual([404, 'not_found']);
  });
});

describe('DELETE /v1/tokens/{tokenId}', () => {
  it('answers 200: the token is invalid at once, and a repeated call gets the same', async () => {
    const token = await created(owner);
    expect(await opens(token.value)).toBe(true);
    const first = await admin.remove(`/v1/tokens/${token.id}`);
    expect(first.status).toBe(200);
    expect(await opens(token.value)).toBe(false);
    expect(parse(TokenSummary, first.body.data).revokedAt).toEqual(expect.any(String));
    const again = await owner.remove(`/v1/tokens/${token.id}`);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
  });

  it('has the effect of deleting the row with SQL: the token is invalid at once', async () => {
    for (const kind of ['developer', 'organisation', 'service'] as const) {
      const { id, value } = await aToken(gateway.ctx, { accountId: owner.accountId, kind });
      expect(await opens(value)).toBe(true);
      await gateway.ctx.db.query('delete from api_tokens where id = $1', [id]);
      expect(await opens(value)).toBe(false);
    }
  });

  it('answers 200 to a developer token that revokes itself', async () => {
    const { id, value } = await aToken(gateway.ctx, { accountId: owner.accountId });
    expect((await callerOf(gateway, { token: value }).remove(`/v1/tokens/${id}`)).status).toBe(200);
    expect(await opens(value)).toBe(false);
  });

  it('answers 404 to a foreign and an unknown token and revokes nothing', async () => {
    const { id, value } = await created(owner);
    const own = await aToken(gateway.ctx, { accountId: owner.accountId });
    for (const [who, what] of [
      [stranger, id],
      [member, id],
      [admin, own.id],
      [owner, newId()],
    ] as const) {
      const { status, body } = await who.remove(`/v1/tokens/${what}`);
      expect([status, body.error?.message]).toEqual([404, `There is no token with the id ${what} that you can reach`]);
    }
    expect([await opens(value), await opens(own.value)]).toEqual([true, true]);
  });

  it('answers 400 to an invalid id, 401 without a token, 403 to a token with read scopes', async () => {
    const { value } = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['tokens:read'] });
    expect((await owner.remove('/v1/tokens/x')).status).toBe(400);
    expect((await gateway.call('DELETE', `/v1/tokens/${newId()}`, { token: '' })).status).toBe(401);
    expect((await gateway.call('DELETE', `/v1/tokens/${newId()}`, { token: value })).status).toBe(403);
  });
});

describe('POST /v1/tokens/developer', () => {
  const make = (by: TestCaller, more: object = {}) => by.post('/v1/tokens/developer', { label: 'Laptop', ...more });

  it('answers 201 to a person with a token that acts for them, with its limit', async () => {
    const answer = await make(owner, { scopes: 'lenses:write', ttl: 7, creditLimit: 50 });
    expect(answer.status).toBe(201);
    const token = parse(CreatedToken, answer.body.data);
    expect(token).toMatchObject({ kind: 'developer', accountId: owner.accountId, creditLimit: 50 });
    expect(daysOf(token)).toBe(7);
    const me = await gateway.call('GET', '/v1/me', { token: token.value });
    expect(me.body.data).toMatchObject({ account: { id: owner.accountId }, budget: { creditLimit: 50 } });
  });

  it.each([
    ['91 days', { ttl: 91 }, 'from 1 to 90'],
    ['a scope that only sessions have', { scopes: 'tokens:write' }, 'tokens:write'],
    ['no label', { label: ' ' }, 'label'],
  ])('answers 400 to %s', async (_, change, word) => {
    const answer = await make(owner, change);
    expect(outcome(answer)).toEqual([400, 'invalid_request']);
    expect(answer.body.error?.message).toContain(word);
  });

  it('answers 403 to a token, which could outlive itself', async () => {
    const { value } = await aToken(gateway.ctx, { accountId: owner.accountId });
    expect(outcome(await make(callerOf(gateway, { token: value })))).toEqual([403, 'forbidden']);
  });

  it('answers 409 to more than 200 valid tokens of a person', async () => {
    const person = await aCaller(gateway);
    const { body } = await make(person);
    await copies(gateway, 'api_tokens', String(body.data?.['id']), 199);
    expect(outcome(await make(person))).toEqual([409, 'conflict']);
  });
});
