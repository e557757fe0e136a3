import { endpoint } from './endpoint.js';
import { dateTime, integer, list, oneOf, text, uuid } from './field.js';
import { oneOfKind } from './kinds.js';
import { PageQuery } from './paging.js';
import type { ScopeList } from './scope-list.js';
import { scopeList } from './scope-list.js';
import type { Scope } from './scopes.js';
import { scopes } from './scopes.js';

const kinds = ['mcp', 'developer', 'organisation', 'service'] as const;

export class TokenPath {
  @uuid({ description: 'The token.' })
  tokenId!: string;
}

export class TokenQuery extends PageQuery {
  @oneOf(kinds, { optional: true, description: 'Tokens of this kind only.' })
  kind?: (typeof kinds)[number];

  @uuid({ optional: true, description: 'Tokens of this community only.' })
  communityId?: string;
}

export class NewTokenRequest {
  @uuid({ description: 'The community that the token acts for.' })
  communityId!: string;

  @text({ min: 1, max: 100, pattern: /\S/, description: 'What it is for, as lists will show it.' })
  label!: string;

  @scopeList({ description: 'With commas between them, or a list; none beyond those of the creator.' })
  scopes: ScopeList = 'lenses:read';

  @integer({ min: 30, max: 365, description: 'Days until it expires.' })
  ttl = 90;
}

export class TokenSummary {
  @uuid()
  id!: string;

  @oneOf(kinds)
  kind!: (typeof kinds)[number];

  @uuid({ description: 'Whom it acts for: a person or a community.' })
  accountId!: string;

  @uuid({ nullable: true, description: 'The connector of a service token.' })
  connectorId!: string | null;

  @text()
  label!: string;

  @list(oneOfKind(scopes))
  scopes!: Scope[];

  @text({ description: 'The first characters of its value.' })
  prefix!: string;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  expiresAt!: string | null;

  @dateTime({ nullable: true, description: 'Noted at most once a minute.' })
  lastUsedAt!: string | null;

  @dateTime({ nullable: true })
  revokedAt!: string | null;
}

export class CreatedToken extends TokenSummary {
  @text({ description: 'The token itself. It is shown this once and stored nowhere.' })
  value!: string;
}

export const tokenEndpoints = {
  listTokens: endpoint({
    id: 'listTokens',
    method: 'GET',
    path: '/v1/tokens',
    summary: 'Lists tokens of the account and of the communities it administers, the newest first',
    query: TokenQuery,
    reply: TokenSummary,
    status: 200,
    scopes: ['tokens:read'],
    errors: [400, 401, 403, 404, 500],
    replies: 'list',
  }),
  createToken: endpoint({
    id: 'createToken',
    method: 'POST',
    path: '/v1/tokens',
    summary: 'Makes an organisation token for a community; its value is shown this once',
    body: NewTokenRequest,
    reply: CreatedToken,
    status: 201,
    scopes: ['tokens:write'],
    errors: [400, 401, 403, 404, 413, 415, 500],
    replies: 'envelope',
  }),
  revokeToken: endpoint({
    id: 'revokeToken',
    method: 'DELETE',
    path: '/v1/tokens/{tokenId}',
    summary: 'Revokes a token: nothing accepts it once this has answered',
    params: TokenPath,
    reply: TokenSummary,
    status: 200,
    scopes: ['tokens:write'],
    errors: [400, 401, 403, 404, 500],
    replies: 'envelope',
  }),
} as const;
