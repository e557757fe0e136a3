import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import {
  joinCommunity,
  listCommunities,
  listInvites,
  listMembers,
  readCommunity,
  setRole,
} from '@lensforge/communities';
import { type Context, encodeCursor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import {
  createConnector,
  revokeTokensOfCreator,
  hasApprovedClient,
  archiveAiLenser,
  createAiLenser,
  listAiLensers,
  listConnectors,
  listSessions,
  listTokens,
  readMe,
  readableAiLenser,
  readableConnector,
  revokeToken,
  rotateConnector,
  updateAiLenser,
} from '@lensforge/identity';
import { aContext, fillDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { indexesOf } from './query-plan-reader.js';

/** One account and one community with many rows, among many with few. */
const fill = `
insert into accounts (id, kind, handle, display_name) select uuidv7(), 'person', 'a-' || i, 'x' from generate_series(1, 5000) i;
insert into accounts (id, kind, handle, display_name, join_policy)
  select uuidv7(), 'community', 'c-' || i, 'x', 'open' from generate_series(1, 1000) i;
insert into memberships (community_id, account_id, role)
  select c.id, p.id, case when p.handle = 'a-1' then 'owner' else 'member' end
    from accounts c, accounts p
   where c.kind = 'community' and p.kind = 'person'
     and (c.handle = 'c-1' or p.handle = 'a-1' or (hashtext(c.handle || p.handle) % 100) = 0);
delete from memberships m using accounts c, accounts p
 where c.id = m.community_id and p.id = m.account_id and c.handle = 'c-1' and p.handle = 'a-5000';
update memberships m set role = 'member' from accounts c, accounts p
 where c.id = m.community_id and p.id = m.account_id and p.handle = 'a-1' and c.handle not in ('c-1', 'c-2', 'c-3');
insert into connectors (id, account_id, name, scopes, ttl_days)
  select uuidv7(), a.id, 'x', '{lenses:read}', 365 from accounts a, generate_series(1, 2) i;
insert into connectors (id, account_id, name, scopes, ttl_days)
  select uuidv7(), a.id, 'x', '{lenses:read}', 365 from accounts a, generate_series(1, 10000) i where a.handle = 'c-1';
insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes, connector_id, expires_at)
  select uuidv7(), 'service', sha256(c.id::text::bytea), 'lf_svc_xxxxx', c.account_id, 'x', '{lenses:read}', c.id, now() + interval '90 days'
    from connectors c;
insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes)
  select uuidv7(), 'developer', sha256(random()::text::bytea), 'lf_dev_xxxxx', a.id, 'x', '{lenses:read}' from accounts a;
insert into api_tokens (id, kind, hash, prefix, account_id, label, scopes)
  select uuidv7(), 'mcp', sha256((random() || 'x')::bytea), 'lf_mcp_xxxxx', a.id, 'x', '{lenses:read}'
    from accounts a, generate_series(1, 10000) i where a.handle = 'a-1';
insert into invites (id, community_id, token_hash, role, invited_by, expires_at)
  select uuidv7(), c.id, sha256((c.id || i::text)::bytea), 'member', p.id, now() + interval '1 day'
    from accounts c, accounts p, generate_series(1, 10) i where c.kind = 'community' and p.handle = 'a-1';
insert into invites (id, community_id, token_hash, role, invited_by, expires_at)
  select uuidv7(), c.id, sha256((c.id || 'more' || i)::bytea), 'member', p.id, now() + interval '1 day'
    from accounts c, accounts p, generate_series(1, 500) i where c.handle = 'c-1' and p.handle = 'a-1';
insert into accounts (id, kind, handle, display_name, owner_account_id)
  select uuidv7(), 'agent', 'ai-' || p.handle || '-' || i, 'x', p.id
    from accounts p, generate_series(1, 4) i where p.kind = 'person';
insert into ai_lensers (account_id, instructions, policy, archived_at, updated_at)
  select id, '', '{"actions":{}}', case when handle like '%-3' then now() end, now() from accounts where kind = 'agent';
insert into users (id, email, account_id) select uuidv7(), handle || '@example.com', id from accounts where kind = 'person';
insert into sessions (id, user_id, kind, client_id, expires_at)
  select uuidv7(), u.id, 'client', 'lensforge-cli', now() + interval '1 day'
    from users u, generate_series(1, case u.email when 'a-1@example.com' then 2000 else 2 end) i;
insert into byok_keys (id, account_id, provider, label, last4, revoked_at)
  select uuidv7(), id, 'openai', 'x', 'abcd', now() from accounts where kind = 'person';
insert into audit_heads (account_id, sequence, hash) select id, 5, '' from accounts;
insert into audit_entries (account_id, sequence, id, action, actor, target, details, request_id, occurred_at, previous_hash, hash)
  select a.id, i, uuidv7(), 'token.created', '{}', '{}', '{}', uuidv7(), now(), '', '' from accounts a, generate_series(1, 5) i`;

let database: TestDatabase;
let source: DataSource;
let owner: string;
let guest: string;
let community: string;
let token: string;
let connector: string;
let cursor: string;
let aiLenser: string;
let user: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  await fillDatabase(database.url, fill);
  const idOf = async (sql: string) => (await source.query<[{ id: string }]>(sql))[0].id;
  owner = await idOf(`select id from accounts where handle = 'a-1'`);
  guest = await idOf(`select id from accounts where handle = 'a-5000'`);
  community = await idOf(`select id from accounts where handle = 'c-1'`);
  token = await idOf(
    `select t.id from api_tokens t join accounts a on a.id = t.account_id where handle = 'a-1' limit 1`,
  );
  connector = await idOf(
    `select c.id from connectors c join accounts a on a.id = c.account_id where handle = 'c-1' limit 1`,
  );
  aiLenser = await idOf(`select id from accounts where handle = 'ai-a-1-1'`);
  user = await idOf(`select id from users where email = 'a-1@example.com'`);
  cursor = encodeCursor({ at: '2026-11-21T09:30:00Z', id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' });
});
afterAll(() => database.close());

const as = (accountId: string, { db }: Context) => aContext(db, { credential: 'session', accountId });
const limit = 20;

const tokensByAccount = 'api_tokens by api_tokens_account';
const connectorsByAccount = 'connectors by connectors_account';
const aliveByConnector = /api_tokens(_connector| by api_tokens_(of_)?connector)$/;
const own = [
  /memberships_(account|pkey)$/,
  'accounts by accounts_pkey',
  /bitmap by memberships_account/,
  /audit_heads_pkey$/,
];

const ofAiLensers = [...own, /ai_lensers_(pkey|active|archived)$/, /accounts_(owner|ai_lensers)$/];

const lists: [string, (ctx: Context) => Promise<unknown>, (string | RegExp)[]][] = [
  ['listing tokens', (ctx) => listTokens(as(owner, ctx), { limit }), [...own, tokensByAccount]],
  ['listing more tokens', (ctx) => listTokens(as(owner, ctx), { limit, cursor }), [...own, tokensByAccount]],
  [
    'listing tokens of a community',
    (ctx) => listTokens(as(owner, ctx), { limit, communityId: community }),
    [...own, tokensByAccount],
  ],
  ['revoking a token', (ctx) => revokeToken(as(owner, ctx), { tokenId: token }), [...own, /api_tokens_pkey$/]],
  [
    'listing connectors',
    (ctx) => listConnectors(as(owner, ctx), { limit }),
    [...own, connectorsByAccount, aliveByConnector],
  ],
  [
    'reading a connector',
    (ctx) => readableConnector(as(owner, ctx), connector),
    [...own, /connectors_pkey$/, aliveByConnector],
  ],
  [
    'rotating a connector',
    (ctx) => rotateConnector(as(owner, ctx), { connectorId: connector }),
    [...own, /connectors_pkey$/, aliveByConnector],
  ],
  [
    'creating a connector',
    (ctx) => createConnector(as(owner, ctx), { name: 'x', scopes: ['lenses:read'], days: 90, limit: 20_000 }),
    [...own, connectorsByAccount],
  ],
  [
    'ending the tokens of a former administrator',
    (ctx) =>
      revokeTokensOfCreator(as(owner, ctx), { communityId: community, accountId: guest, reason: 'creator_removed' }),
    [...own, /api_tokens_account$/],
  ],
  [
    'looking for the approval of a client',
    (ctx) => hasApprovedClient(ctx, { accountId: owner, clientId: 'lf_mcp_client_x' }),
    [/api_tokens_account$/],
  ],
  [
    'deleting the row of a token',
    (ctx) => ctx.db.query('delete from api_tokens where id = $1', [token]),
    [/api_tokens_pkey$/],
  ],
  ['reading a community', (ctx) => readCommunity(as(owner, ctx), community), [...own, /memberships_pkey$/]],
  ['listing communities', (ctx) => listCommunities(as(owner, ctx), { limit }), [...own, /memberships_pkey$/]],
  [
    'listing members',
    (ctx) => listMembers(as(owner, ctx), { communityId: community, limit, cursor }),
    [...own, /memberships_pkey$/],
  ],
  [
    'listing invites',
    (ctx) => listInvites(as(owner, ctx), { communityId: community, limit }),
    [...own, /invites_community$/],
  ],
  ['joining', (ctx) => joinCommunity(as(guest, ctx), { communityId: community }), own],
  [
    'changing a role',
    (ctx) => setRole(as(owner, ctx), { communityId: community, accountId: owner, role: 'owner' }),
    own,
  ],
  [
    'listing sessions',
    (ctx) => listSessions({ ...ctx, actor: { ...ctx.actor, userId: user } }, { limit, offset: 100 }),
    [...own, /sessions_user$/, /users_pkey$/, 'oauth_clients by all of it'],
  ],
  ['reading the audit log', (ctx) => listAudit(ctx, { accountId: owner, limit }), [/audit_(entries|details)_pkey$/]],
  ['listing AI lensers', (ctx) => listAiLensers(as(owner, ctx), { limit }), ofAiLensers],
  ['listing archived AI lensers', (ctx) => listAiLensers(ctx, { status: 'archived', offset: 500 }), ofAiLensers],
  ['listing AI lensers of an owner', (ctx) => listAiLensers(as(owner, ctx), { owner, limit }), ofAiLensers],
  ['searching AI lensers', (ctx) => listAiLensers(as(owner, ctx), { q: 'a-4321-2', limit }), ofAiLensers],
  ['reading an AI lenser', (ctx) => readableAiLenser(as(owner, ctx), aiLenser), ofAiLensers],
  [
    'creating an AI lenser',
    (ctx) => createAiLenser(as(owner, ctx), { handle: 'new', displayName: 'x', aiModelKey: 'echo' }),
    [...ofAiLensers, 'byok_keys by byok_keys_account'],
  ],
  ['changing an AI lenser', (ctx) => updateAiLenser(as(owner, ctx), { aiLenserId: aiLenser, bio: 'x' }), ofAiLensers],
  ['archiving an AI lenser', (ctx) => archiveAiLenser(as(owner, ctx), aiLenser), ofAiLensers],
  ['saying who I am', (ctx) => readMe(as(owner, ctx)), [...own, /api_tokens_pkey$/, 'operators by all of it']],
];

describe('a query of identity uses an index:', () => {
  it.each(lists)('%s', async (_, call, expected) => {
    const ways = await indexesOf(source, call);
    expect(ways.length).toBeGreaterThan(0);
    const strange = ways.filter(
      (way) => !expected.some((one) => (typeof one === 'string' ? one === way : one.test(way))),
    );
    expect(strange).toEqual([]);
  });
});
