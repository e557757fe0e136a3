import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, integer, list, oneOf, text, uuid } from '../schema/field.js';
import { oneOfKind } from '../schema/kinds.js';
import { type CreditPeriod, creditPeriods } from './credit-period.js';
import { PageQuery } from '../schema/paging.js';
import { type ScopeList, scopeList } from '../catalogue/scope-list.js';
import { type Scope, scopes } from '../catalogue/scopes.js';

const creditLimit = {
  min: 0,
  max: 1_000_000_000_000,
  description:
    'The maximum credits that runs started with the token may cost; when absent, only the balance of the account limits them.',
} as const;
const creditPeriod = 'month: the limit is for each calendar month (UTC); total: for all time.';
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

export class TokensQuery {
  @oneOf(kinds, { description: 'Tokens of this kind.' })
  kind!: (typeof kinds)[number];

  @uuid({ optional: true, description: "Tokens of this community instead of the caller's own." })
  communityId?: string;
}

export class RevokedTokens {
  @integer({ min: 0, description: 'The number of revoked tokens.' })
  revoked!: number;
}

export class NewTokenRequest {
  @uuid({ description: 'The community that the token acts for.' })
  communityId!: string;

  @text({ min: 1, max: 100, pattern: /\S/, description: 'A name for lists.' })
  label!: string;

  @scopeList({ description: 'A list, or a text with commas between the scopes; at most those of the creator.' })
  scopes: ScopeList = 'lenses:read';

  @integer({ min: 30, max: 365, description: 'Days until it expires.' })
  ttl = 90;

  @integer({ ...creditLimit, optional: true })
  creditLimit?: number;

  @oneOf(creditPeriods, { description: creditPeriod })
  creditPeriod: CreditPeriod = 'month';
}

export class NewDeveloperTokenRequest {
  @text({ min: 1, max: 100, pattern: /\S/, description: 'A name for lists.' })
  label!: string;

  @scopeList({
    description: 'A list, or a text with commas between the scopes; every scope but community:write and tokens:write.',
  })
  scopes: ScopeList = 'lenses:read';

  @integer({ min: 1, max: 90, description: 'Days until it expires.' })
  ttl = 30;

  @integer({ ...creditLimit, optional: true })
  creditLimit?: number;

  @oneOf(creditPeriods, { description: creditPeriod })
  creditPeriod: CreditPeriod = 'month';
}

export class TokenLimitRequest {
  @integer({ ...creditLimit, nullable: true })
  creditLimit!: number | null;

  @oneOf(creditPeriods, { description: creditPeriod })
  creditPeriod: CreditPeriod = 'month';
}

export class TokenSummary {
  @uuid()
  id!: string;

  @oneOf(kinds)
  kind!: (typeof kinds)[number];

  @uuid({ description: 'The account that it acts for: a person or a community.' })
  accountId!: string;

  @uuid({ nullable: true, description: 'The connector of a service token.' })
  connectorId!: string | null;

  @text()
  label!: string;

  @list(oneOfKind(scopes))
  scopes!: Scope[];

  @text({ description: 'The first characters of its value.' })
  prefix!: string;

  @integer({
    nullable: true,
    description: 'The maximum credits that runs started with it may cost; null: the balance of the account.',
  })
  creditLimit!: number | null;

  @oneOf(creditPeriods)
  creditPeriod!: CreditPeriod;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  expiresAt!: string | null;

  @dateTime({ nullable: true, description: 'Updated at most once a minute.' })
  lastUsedAt!: string | null;

  @dateTime({ nullable: true })
  revokedAt!: string | null;
}

export class CreatedToken extends TokenSummary {
  @text({ description: 'The token. It is shown only now and not stored.' })
  value!: string;
}

export const tokenEndpoints = defineEndpoints({
  listTokens: {
    route: 'GET /v1/tokens',
    summary: 'Lists tokens of the account and of the communities it administers, the newest first',
    description:
      'Values of tokens are never shown again; the list has labels, scopes, times and budgets. kind and communityId filter it.',
    query: TokenQuery,
    reply: TokenSummary,
    scopes: ['tokens:read'],
    rate: 'list',
    errors: [404],
    replies: 'list',
  },
  createToken: {
    route: 'POST /v1/tokens',
    summary: 'Creates an organisation token for a community; its value is shown only now',
    description:
      'An owner or admin of the community can create the token, and so can a token of the community with tokens:write. It acts as the community, is valid for 30 to 365 days and cannot have more scopes than its creator.',
    body: NewTokenRequest,
    reply: CreatedToken,
    status: 201,
    scopes: ['tokens:write'],
    rate: 'create',
    errors: [404, 409],
  },
  revokeTokens: {
    route: 'DELETE /v1/tokens',
    summary: 'Revokes all tokens of a kind, of the account or of a community; sessions stay',
    description:
      'Requests with these tokens are refused as soon as the reply arrives. Sessions of browsers and command lines stay open; the sign-in pages end those.',
    query: TokensQuery,
    reply: RevokedTokens,
    scopes: ['tokens:write'],
    rate: 'write',
    errors: [404],
  },
  createDeveloperToken: {
    route: 'POST /v1/tokens/developer',
    summary: 'Creates a developer token for the person; its value is shown only now',
    description:
      'Needs a session: no token can create another one of its kind. It acts for the person, is valid for 1 to 90 days and cannot have community:write or tokens:write. Programs on other machines get theirs by the device flow.',
    body: NewDeveloperTokenRequest,
    example: { label: 'Laptop', scopes: 'lenses:read', ttl: 30 },
    reply: CreatedToken,
    status: 201,
    scopes: ['tokens:write'],
    audience: 'session',
    rate: 'create',
    errors: [409],
  },
  limitToken: {
    route: 'PATCH /v1/tokens/{tokenId}',
    summary: 'Sets or removes the credit limit of a token',
    description:
      'A limit is counted for each calendar month (UTC) or for all time, and includes the holds of runs that have not ended. null removes it.',
    params: TokenPath,
    body: TokenLimitRequest,
    reply: TokenSummary,
    scopes: ['tokens:write'],
    audience: 'session',
    rate: 'write',
  },
  revokeToken: {
    route: 'DELETE /v1/tokens/{tokenId}',
    summary: 'Revokes a token at once',
    description:
      'Requests with the token are refused as soon as the reply arrives, at every gateway. A revoked token cannot be restored.',
    params: TokenPath,
    reply: TokenSummary,
    scopes: ['tokens:write'],
    rate: 'write',
  },
});
