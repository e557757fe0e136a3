import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { type TestCaller, aCaller, aCommunityOf } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

/*
 * Endpoints refuse unknown members of a body and then change nothing. A foreign id and an unknown id get the same
 * answer.
 */
let gateway: SignedInGateway;
let owner: TestCaller;
let member: TestCaller;
let stranger: TestCaller;
let community: string;
let connector: string;
let token: string;
let invite: string;
let aiLenser: string;
let battle: string;
let thread: string;
let message: string;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  [owner, member, stranger] = [await aCaller(gateway), await aCaller(gateway), await aCaller(gateway)];
  community = await aCommunityOf(owner, { members: { member: [member] } });
  const made = async (path: string, body: object) => String((await owner.post(path, body)).body.data?.['id']);
  connector = await made('/v1/connectors', { name: 'bot', scopes: 'lenses:read' });
  token = await made('/v1/tokens', { communityId: community, label: 'CI' });
  aiLenser = await made('/v1/agents', { handle: `ai-${newId()}`, displayName: 'x' });
  battle = await made('/v1/battles', { title: 'x', taskPrompt: 'x', battleType: 'human_vs_ai', maxContenders: 26 });
  thread = await made('/v1/threads', { title: 'x' });
  message = await made(`/v1/threads/${thread}/messages`, { text: 'x' });
  invite = await made(`/v1/communities/${community}/invites`, {});
});
afterAll(() => gateway.stop());

const tables = [
  'accounts',
  'users',
  'memberships',
  'invites',
  'connectors',
  'api_tokens',
  'audit_entries',
  'outbox',
  'ai_lensers',
  'battles',
  'battle_contenders',
  'threads',
  'thread_messages',
];
const allRows = async () => {
  const found: Record<string, unknown> = {};
  for (const table of tables) {
    const rows = await gateway.ctx.db.query<unknown[]>(
      `select to_jsonb(t) - 'last_used_at' as row from ${table} t order by 1`,
    );
    found[table] = rows;
  }
  return found;
};

const unknownMembers = {
  id: `"${newId()}"`,
  ownerId: `"${newId()}"`,
  ownerAccountId: `"${newId()}"`,
  accountId: `"${newId()}"`,
  account_id: `"${newId()}"`,
  lenser_id: `"${newId()}"`,
  userId: `"${newId()}"`,
  kind: '"person"',
  status: '"archived"',
  role: '"owner"',
  isAdmin: 'true',
  scope: '"tokens:write"',
  spent_credits: '0',
  createdAt: '"2020-01-01T00:00:00Z"',
  expiresAt: '"2099-01-01T00:00:00Z"',
  disabledAt: 'null',
  deletedAt: 'null',
  value: '"lf_org_0"',
  hash: '"00"',
  sealed: 'false',
  __proto__x: '{"polluted":true}',
  constructor: '{"prototype":{"polluted":true}}',
  prototype: '{"polluted":true}',
  hasOwnProperty: '1',
};

interface Writable {
  name: string;
  method: string;
  path: () => string;
  body: () => object;
}

const writables: Writable[] = [
  { name: 'PATCH /v1/me', method: 'PATCH', path: () => '/v1/me', body: () => ({ displayName: 'Mallory' }) },
  {
    name: 'POST /v1/tokens',
    method: 'POST',
    path: () => '/v1/tokens',
    body: () => ({ communityId: community, label: 'x' }),
  },
  {
    name: 'POST /v1/connectors',
    method: 'POST',
    path: () => '/v1/connectors',
    body: () => ({ name: 'x', scopes: 'lenses:read' }),
  },
  {
    name: 'POST /v1/connectors/{connectorId}/rotate',
    method: 'POST',
    path: () => `/v1/connectors/${connector}/rotate`,
    body: () => ({ ttl: 90 }),
  },
  {
    name: 'POST /v1/communities',
    method: 'POST',
    path: () => '/v1/communities',
    body: () => ({ handle: `c-${newId()}`, displayName: 'x' }),
  },
  {
    name: 'PATCH /v1/communities/{communityId}',
    method: 'PATCH',
    path: () => `/v1/communities/${community}`,
    body: () => ({ displayName: 'x' }),
  },
  {
    name: 'PATCH /v1/communities/{communityId}/members/{accountId}',
    method: 'PATCH',
    path: () => `/v1/communities/${community}/members/${member.accountId}`,
    body: () => ({ role: 'moderator' }),
  },
  {
    name: 'POST /v1/communities/{communityId}/invites',
    method: 'POST',
    path: () => `/v1/communities/${community}/invites`,
    body: () => ({ role: 'member' }),
  },
  {
    name: 'POST /v1/communities/{communityId}/join',
    method: 'POST',
    path: () => `/v1/communities/${community}/join`,
    body: () => ({}),
  },
  {
    name: 'POST /v1/agents',
    method: 'POST',
    path: () => '/v1/agents',
    body: () => ({ handle: `ai-${newId()}`, displayName: 'x' }),
  },
  {
    name: 'PATCH /v1/agents/{aiLenserId}',
    method: 'PATCH',
    path: () => `/v1/agents/${aiLenser}`,
    body: () => ({ bio: 'x' }),
  },
  {
    name: 'POST /v1/battles',
    method: 'POST',
    path: () => '/v1/battles',
    body: () => ({ title: 'x', taskPrompt: 'x' }),
  },
  {
    name: 'PATCH /v1/battles/{battleId}',
    method: 'PATCH',
    path: () => `/v1/battles/${battle}`,
    body: () => ({ title: 'y' }),
  },
  {
    name: 'POST /v1/battles/{battleId}/contenders',
    method: 'POST',
    path: () => `/v1/battles/${battle}/contenders`,
    body: () => ({ displayName: 'x', contenderType: 'ai_model', contenderRefId: aiLenser }),
  },
  {
    name: 'POST /v1/battles/{battleId}/submissions',
    method: 'POST',
    path: () => `/v1/battles/${battle}/submissions`,
    body: () => ({ contenderId: newId(), contentText: 'x' }),
  },
  {
    name: 'POST /v1/battles/{battleId}/execute',
    method: 'POST',
    path: () => `/v1/battles/${battle}/execute`,
    body: () => ({}),
  },
  {
    name: 'POST /v1/battles/{battleId}/status',
    method: 'POST',
    path: () => `/v1/battles/${battle}/status`,
    body: () => ({ status: 'open' }),
  },
  {
    name: 'POST /v1/battles/{battleId}/votes',
    method: 'POST',
    path: () => `/v1/battles/${battle}/votes`,
    body: () => ({ tie: true }),
  },
  { name: 'POST /v1/threads', method: 'POST', path: () => '/v1/threads', body: () => ({ title: 'x' }) },
  {
    name: 'PATCH /v1/threads/{threadId}',
    method: 'PATCH',
    path: () => `/v1/threads/${thread}`,
    body: () => ({ title: 'y', status: 'open' }),
  },
  {
    name: 'POST /v1/threads/{threadId}/messages',
    method: 'POST',
    path: () => `/v1/threads/${thread}/messages`,
    body: () => ({ text: 'x' }),
  },
  {
    name: 'PATCH /v1/threads/{threadId}/messages/{messageId}',
    method: 'PATCH',
    path: () => `/v1/threads/${thread}/messages/${message}`,
    body: () => ({ text: 'y' }),
  },
  {
    name: 'POST /v1/threads/{threadId}/messages/{messageId}/hide',
    method: 'POST',
    path: () => `/v1/threads/${thread}/messages/${message}/hide`,
    body: () => ({ hidden: true }),
  },
];

describe.each(writables)('$name', ({ method, path, body }) => {
  const caller = () => (path().endsWith('/join') ? stranger : owner);

  it.each(Object.entries(unknownMembers))(
    'refuses the unknown member %s and changes nothing',
    async (member, value) => {
      const name = member === '__proto__x' ? '__proto__' : member;
      const known = body();
      if (Object.hasOwn(known, name) || (name === 'role' && path().endsWith('/invites'))) return;
      const before = await allRows();
      const fields = JSON.stringify(known).slice(1, -1);
      const raw = `{${fields}${fields && ','}"${name}":${value}}`;
      const { status, body: answer } = await gateway.call(method, path(), { token: caller().token, body: raw });
      expect([status, answer.error?.code]).toEqual([400, 'invalid_request']);
      expect(await allRows()).toEqual(before);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );
});

describe('a foreign id and an unknown id', () => {
  const rows: [string, (id: string) => readonly [method: string, path: string, body?: object], () => string][] = [
    ['DELETE a token', (id) => ['DELETE', `/v1/tokens/${id}`], () => token],
    ['read a connector', (id) => ['GET', `/v1/connectors/${id}`], () => connector],
    ['rotate a connector', (id) => ['POST', `/v1/connectors/${id}/rotate`, {}], () => connector],
    ['DELETE a connector', (id) => ['DELETE', `/v1/connectors/${id}`], () => connector],
    ['tokens of a community', (id) => ['GET', `/v1/tokens?communityId=${id}`], () => community],
    ['connectors of a community', (id) => ['GET', `/v1/connectors?communityId=${id}`], () => community],
    ['audit log of a community', (id) => ['GET', `/v1/audit?communityId=${id}`], () => community],
    ['make a token', (id) => ['POST', '/v1/tokens', { communityId: id, label: 'x' }], () => community],
    [
      'make a connector',
      (id) => ['POST', '/v1/connectors', { communityId: id, name: 'x', scopes: 'lenses:read' }],
      () => community,
    ],
    ['PATCH a community', (id) => ['PATCH', `/v1/communities/${id}`, { displayName: 'x' }], () => community],
    ['DELETE a community', (id) => ['DELETE', `/v1/communities/${id}`], () => community],
    ['members', (id) => ['GET', `/v1/communities/${id}/members`], () => community],
    [
      'PATCH a member',
      (id) => ['PATCH', `/v1/communities/${id}/members/${member.accountId}`, { role: 'admin' }],
      () => community,
    ],
    ['DELETE a member', (id) => ['DELETE', `/v1/communities/${id}/members/${member.accountId}`], () => community],
    ['leave', (id) => ['DELETE', `/v1/communities/${id}/members/${stranger.accountId}`], () => community],
    ['invites', (id) => ['GET', `/v1/communities/${id}/invites`], () => community],
    ['invite', (id) => ['POST', `/v1/communities/${id}/invites`, {}], () => community],
    ['DELETE an invite', (id) => ['DELETE', `/v1/communities/${id}/invites/${invite}`], () => community],
  ];

  it.each(rows)('get the same 404 from: %s', async (_, request, foreignId) => {
    const before = await allRows();
    const [foreignAnswer, unknownAnswer] = await Promise.all(
      [foreignId(), newId()].map(async (id) => {
        const [method, path, body] = request(id);
        const answer = await gateway.call(method, path, { token: stranger.token, ...(body && { body }) });
        const { requestId: _requestId, durationMs: _durationMs, ...meta } = answer.body.meta as Record<string, unknown>;
        const headers = Object.fromEntries(answer.headers);
        for (const name of ['date', 'x-request-id', 'content-length', 'ratelimit-remaining', 'ratelimit-reset']) {
          Reflect.deleteProperty(headers, name);
        }
        return { status: answer.status, headers, body: JSON.stringify({ ...answer.body, meta }).replaceAll(id, 'ID') };
      }),
    );
    expect(foreignAnswer?.status).toBe(404);
    expect(foreignAnswer).toEqual(unknownAnswer);
    expect(await allRows()).toEqual(before);
  });
});
