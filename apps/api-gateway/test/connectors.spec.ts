import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connector, ConnectorWithToken, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, aCommunityOf, allPages, callerOf, copies, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let stranger: TestCaller;
let communityId: string;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [ada, stranger] = [await aCaller(gateway), await aCaller(gateway)];
  communityId = await aCommunityOf(ada, { members: { member: [stranger] } });
});
afterAll(() => gateway.stop());

const connectorRequest = { name: 'Deploy bot', scopes: 'lenses:read' };
const created = async (by: TestCaller, more: object = {}) => {
  const answer = await by.post('/v1/connectors', { ...connectorRequest, ...more });
  expect(outcome(answer)).toEqual([201, undefined]);
  return parse(ConnectorWithToken, answer.body.data);
};
const rotated = async (id: string, body?: object) => {
  const answer = await ada.post(`/v1/connectors/${id}/rotate`, body);
  expect(outcome(answer)).toEqual([200, undefined]);
  return parse(ConnectorWithToken, answer.body.data);
};
const daysOf = ({ token }: Connector) =>
  (Date.parse(token?.expiresAt ?? '') - Date.parse(token?.createdAt ?? '')) / 86_400_000;
const me = (token: string) => gateway.call('GET', '/v1/me', { token });
const opens = async (token: string) => (await me(token)).status === 200;

describe('POST /v1/connectors', () => {
  it('answers 409 to more than 100 connectors of an account', async () => {
    const many = await aCaller(gateway);
    const { id } = await created(many);
    await copies(gateway, 'connectors', id, 99);
    expect(outcome(await many.post('/v1/connectors', connectorRequest))).toEqual([409, 'conflict']);
    await many.remove(`/v1/connectors/${id}`);
    await created(many);
  });

  it('answers 201 with a connector of the caller and a service token for 365 days that acts for them', async () => {
    const made = await created(ada);
    expect(made).toMatchObject({ accountId: ada.accountId, name: 'Deploy bot', scopes: ['lenses:read'] });
    expect(made.value).toMatch(/^lf_svc_[0-9a-f]{64}$/);
    expect(made.token?.prefix).toBe(made.value.slice(0, 12));
    expect(daysOf(made)).toBe(365);
    expect((await me(made.value)).body.data).toMatchObject({
      account: { id: ada.accountId },
      credential: { kind: 'service', scopes: ['lenses:read'], id: made.token?.id },
    });
    const { value: _, ...shown } = made;
    const read = parse(Connector, (await ada.get(`/v1/connectors/${made.id}`)).body.data);
    expect({ ...read, token: { ...read.token, lastUsedAt: null } }).toEqual(shown);
  });

  it('answers 201 for a community to its admins and its organisation token', async () => {
    const made = await created(ada, { communityId, scopes: ['connectors:write', 'lenses:write'] });
    expect(made.accountId).toBe(communityId);
    const machine = callerOf(gateway, { token: made.value });
    expect((await machine.post('/v1/connectors', { name: 'child', scopes: 'lenses:read' })).body.data).toMatchObject({
      accountId: communityId,
    });
    const more = await machine.post('/v1/connectors', { name: 'child', scopes: 'agents:read' });
    expect(outcome(more)).toEqual([403, 'insufficient_scope']);
  });

  it.each([90, 91, 364, 365])('answers 201 with a token for %d days', async (ttl) => {
    expect(daysOf(await created(ada, { ttl }))).toBe(ttl);
  });

  it.each([89, 0, -1, 366, 90.5, '90', null])(
    'answers 400 to a ttl of %j and names the permitted range',
    async (ttl) => {
      const answer = await ada.post('/v1/connectors', { ...connectorRequest, ttl });
      expect(outcome(answer)).toEqual([400, 'invalid_request']);
      expect(answer.body.error?.message).toContain('from 90 to 365');
    },
  );

  it.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of blanks', { name: ' \t' }],
    ['a name too long', { name: 'x'.repeat(101) }],
    ['no scopes', { scopes: undefined }],
    ['empty scopes', { scopes: '' }],
    ['an unknown scope', { scopes: ['lenses:read', 'root'] }],
    ['a community that is not a UUID', { communityId: 'x' }],
    ['an unknown member', { accountId: newId() }],
  ])('answers 400 to %s', async (_, change) => {
    expect(outcome(await ada.post('/v1/connectors', { ...connectorRequest, ...change }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('answers 201 to a developer token with connectors:write, for its owner', async () => {
    const held = ['connectors:write', 'lenses:read'] as const;
    const { value: token } = await aToken(gateway.ctx, { accountId: ada.accountId, held });
    const developer = callerOf(gateway, { token });
    const made = await created(developer);
    expect(made).toMatchObject({ accountId: ada.accountId, scopes: ['lenses:read'] });
    const next = await developer.post(`/v1/connectors/${made.id}/rotate`);
    expect(outcome(next)).toEqual([200, undefined]);
    expect([await opens(made.value), await opens(String(next.body.data?.['value']))]).toEqual([false, true]);
    expect(outcome(await developer.remove(`/v1/connectors/${made.id}`))).toEqual([200, undefined]);
    const wider = await developer.post('/v1/connectors', { ...connectorRequest, scopes: 'lenses:write' });
    expect(outcome(wider)).toEqual([403, 'insufficient_scope']);
    const ofCommunity = await developer.post('/v1/connectors', { ...connectorRequest, communityId });
    expect(outcome(ofCommunity)).toEqual([403, 'forbidden']);
    expect(ofCommunity.body.error?.message).toContain('use a session token');
  });

  it('answers 401 without a token, and 403 without the scope and to a member', async () => {
    const { ctx } = gateway;
    const reader = await aToken(ctx, { accountId: communityId, kind: 'organisation', held: ['connectors:read'] });
    const post = async (token: string) =>
      outcome(await gateway.call('POST', '/v1/connectors', { token, body: connectorRequest }));
    expect(await post('')).toEqual([401, 'unauthorized']);
    expect(await post(reader.value)).toEqual([403, 'insufficient_scope']);
    expect(outcome(await stranger.post('/v1/connectors', { ...connectorRequest, communityId }))).toEqual([
      403,
      'forbidden',
    ]);
  });

  it('answers 404 to an unknown community and one without the caller', async () => {
    const foreign = await aCommunityOf(ada);
    for (const id of [newId(), foreign, ada.accountId]) {
      expect(outcome(await stranger.post('/v1/connectors', { ...connectorRequest, communityId: id }))).toEqual([
        404,
        'not_found',
      ]);
    }
  });

  it('answers 413 to a large body and 415 to another content type', async () => {
    expect((await ada.post('/v1/connectors', { name: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('POST', '/v1/connectors', { token: ada.token, body: {}, headers })).status).toBe(415);
  });
});

describe('GET /v1/connectors', () => {
  it('answers 200 with the own connectors and those of own communities, newest first, in pages', async () => {
    const one = await aCaller(gateway);
    const own = await aCommunityOf(one);
    const ids = [
      (await created(one)).id,
      (await created(one, { communityId: own })).id,
      (await created(one, { name: 'c' })).id,
    ];
    const all = await allPages(one.get, '/v1/connectors', 2);
    expect(all.items.map((each) => parse(Connector, each).id)).toEqual([...ids].reverse());
    expect(all.pages).toBe(2);
    const [, ofCommunity] = ids;
    expect(items(await one.get(`/v1/connectors?communityId=${own}`)).map(({ id }) => id)).toEqual([ofCommunity]);
    const developer = await aToken(gateway.ctx, { accountId: one.accountId });
    expect(items(await callerOf(gateway, { token: developer.value }).get('/v1/connectors'))).toHaveLength(2);
  });

  it.each(['limit=0', 'limit=101', 'communityId=x', 'cursor=x', 'what=1'])('answers 400 to %s', async (query) => {
    expect(outcome(await ada.get(`/v1/connectors?${query}`))).toEqual([400, 'invalid_request']);
  });

  it('answers 401 without a token, 403 without the scope, 404 to a community of others', async () => {
    const { value } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:write'] });
    expect((await gateway.call('GET', '/v1/connectors', { token: '' })).status).toBe(401);
    expect((await gateway.call('GET', '/v1/connectors', { token: value })).status).toBe(403);
    expect((await stranger.get(`/v1/connectors?communityId=${communityId}`)).status).toBe(404);
  });
});

describe('GET /v1/connectors/{connectorId}', () => {
  it('answers 200 without the token value', async () => {
    const { id, value } = await created(ada);
    const { status, body } = await ada.get(`/v1/connectors/${id}`);
    expect([status, parse(Connector, body.data).id]).toEqual([200, id]);
    expect(JSON.stringify(body)).not.toContain(value.slice(12, 30));
  });

  it('answers 400, 401, 403 and 404', async () => {
    const { id } = await created(ada);
    const { value } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['tokens:write'] });
    expect((await ada.get('/v1/connectors/x')).status).toBe(400);
    expect((await gateway.call('GET', `/v1/connectors/${id}`, { token: '' })).status).toBe(401);
    expect((await gateway.call('GET', `/v1/connectors/${id}`, { token: value })).status).toBe(403);
    expect((await stranger.get(`/v1/connectors/${id}`)).status).toBe(404);
    expect((await ada.get(`/v1/connectors/${newId()}`)).status).toBe(404);
  });
});

describe('POST /v1/connectors/{connectorId}/rotate', () => {
  it('answers 200 with a new token of the same lifetime and revokes the old one at once', async () => {
    const made = await created(ada, { ttl: 100 });
    const next = await rotated(made.id);
    expect([await opens(made.value), await opens(next.value)]).toEqual([false, true]);
    expect([next.id, next.name, daysOf(next)]).toEqual([made.id, made.name, 100]);
    expect(next.token?.id).not.toBe(made.token?.id);
    const longer = await rotated(made.id, { ttl: 200 });
    expect(daysOf(longer)).toBe(200);
    expect(daysOf(await rotated(made.id, {}))).toBe(200);
    expect(await opens(longer.value)).toBe(false);
  });

  it('answers 200 to concurrent rotations; only the last token is valid', async () => {
    const made = await created(ada);
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotated(made.id)));
    const values = [made.value, ...answers.map(({ value }) => value)];
    const alive = await Promise.all(values.map(opens));
    expect(alive.filter(Boolean)).toHaveLength(1);
  });

  it('answers 200: replaces a revoked token, and lets a service token replace itself', async () => {
    const made = await created(ada, { scopes: 'connectors:write' });
    await ada.remove(`/v1/tokens/${made.token?.id ?? ''}`);
    expect((await ada.get(`/v1/connectors/${made.id}`)).body.data?.['token']).toBeNull();
    const next = await rotated(made.id);
    const own = await callerOf(gateway, { token: next.value }).post(`/v1/connectors/${made.id}/rotate`);
    expect(own.status).toBe(200);
    expect([await opens(next.value), await opens(String(own.body.data?.['value']))]).toEqual([false, true]);
  });

  it.each([90, 365])('answers 200 with a token for %d days', async (ttl) => {
    expect(daysOf(await rotated((await created(ada)).id, { ttl }))).toBe(ttl);
  });

  it('answers 400 to a ttl out of range and an invalid id; the old token stays valid', async () => {
    const { id, value } = await created(ada);
    for (const ttl of [89, 366, '90', null]) {
      expect((await ada.post(`/v1/connectors/${id}/rotate`, { ttl })).status).toBe(400);
    }
    expect((await ada.post('/v1/connectors/x/rotate')).status).toBe(400);
    expect(await opens(value)).toBe(true);
  });

  it('answers 401 without a token, 403 to fewer scopes, 404 to strangers; the old token stays valid', async () => {
    const { ctx } = gateway;
    const { id, value } = await created(ada, { communityId, scopes: 'lenses:write' });
    const developer = await aToken(ctx, { accountId: ada.accountId });
    const fewer = await aToken(ctx, { accountId: communityId, kind: 'organisation', held: ['connectors:write'] });
    const rotate = async (token: string, what = id) =>
      outcome(await gateway.call('POST', `/v1/connectors/${what}/rotate`, { token }));
    expect(await rotate('')).toEqual([401, 'unauthorized']);
    expect(await rotate(developer.value)).toEqual([404, 'not_found']);
    expect(await rotate(fewer.value)).toEqual([403, 'insufficient_scope']);
    expect(await rotate(stranger.token)).toEqual([404, 'not_found']);
    expect(await rotate(ada.token, newId())).toEqual([404, 'not_found']);
    expect(await opens(value)).toBe(true);
  });

  it('answers 413 to a large body and 415 to another content type', async () => {
    const path = `/v1/connectors/${newId()}/rotate`;
    expect((await ada.post(path, { x: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('POST', path, { token: ada.token, body: {}, headers })).status).toBe(415);
  });
});

describe('DELETE /v1/connectors/{connectorId}', () => {
  it('answers 200: deletes it and revokes its token at once', async () => {
    const { id, value } = await created(ada);
    expect((await ada.remove(`/v1/connectors/${id}`)).status).toBe(200);
    expect(await opens(value)).toBe(false);
    for (const answer of [
      await ada.get(`/v1/connectors/${id}`),
      await ada.remove(`/v1/connectors/${id}`),
      await ada.post(`/v1/connectors/${id}/rotate`),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect(items(await ada.get('/v1/connectors?limit=100')).map((each) => each['id'])).not.toContain(id);
  });

  it('answers 400, 401, 403 and 404 and deletes nothing', async () => {
    const { id, value } = await created(ada);
    const reader = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['connectors:read'] });
    expect((await ada.remove('/v1/connectors/x')).status).toBe(400);
    expect((await gateway.call('DELETE', `/v1/connectors/${id}`, { token: '' })).status).toBe(401);
    expect((await gateway.call('DELETE', `/v1/connectors/${id}`, { token: reader.value })).status).toBe(403);
    expect((await stranger.remove(`/v1/connectors/${id}`)).status).toBe(404);
    expect((await ada.remove(`/v1/connectors/${newId()}`)).status).toBe(404);
    expect(await opens(value)).toBe(true);
  });
});
