import type { CommunityRole } from './communities.js';
import { communityRoles } from './communities.js';
import { defineEndpoints } from '../catalogue/endpoint.js';
import type { CreditPeriod } from './credit-period.js';
import { creditPeriods } from './credit-period.js';
import { dateTime, integer, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { nestedKind, oneOfKind } from '../schema/kinds.js';
import type { Scope } from '../catalogue/scopes.js';
import { scopes, writeScopes } from '../catalogue/scopes.js';

export class AccountSummary {
  @uuid()
  id!: string;

  @oneOf(['person', 'community'])
  kind!: 'person' | 'community';

  @text()
  handle!: string;

  @text()
  displayName!: string;

  @text()
  description!: string;
}

export class CredentialSummary {
  @uuid()
  id!: string;

  @oneOf(['session', 'anonymous', 'mcp', 'developer', 'organisation', 'service'])
  kind!: string;

  @list(oneOfKind(scopes))
  scopes!: Scope[];

  @dateTime({ nullable: true, description: 'The time at which the token or its session expires.' })
  expiresAt!: string | null;
}

export class MembershipSummary {
  @uuid()
  communityId!: string;

  @text()
  handle!: string;

  @text()
  displayName!: string;

  @oneOf(communityRoles)
  role!: CommunityRole;
}

/** The budget of a token with a credit limit. */
export class TokenBudget {
  @integer({ min: 0, description: 'The maximum credits that runs started with the token may cost.' })
  creditLimit!: number;

  @oneOf(creditPeriods, { description: 'month: the limit is for each calendar month (UTC); total: for all time.' })
  creditPeriod!: CreditPeriod;

  @integer({ min: 0, description: 'Spent in this month or in total, as period says.' })
  spent!: number;

  @integer({ min: 0, description: 'Held for runs that have not ended.' })
  held!: number;

  @integer({ min: 0, description: 'creditLimit minus spent and held; the balance of the account may be smaller.' })
  remaining!: number;
}

export class Me {
  @uuid({ nullable: true, description: 'The person behind the credential, if any.' })
  userId!: string | null;

  @text({ optional: true, description: 'The e-mail address of the person; for session tokens only.' })
  email?: string;

  @nested(() => AccountSummary, { nullable: true, description: 'null until a handle is chosen.' })
  account!: AccountSummary | null;

  @nested(() => CredentialSummary)
  credential!: CredentialSummary;

  @nested(() => TokenBudget, { optional: true, description: 'The budget of a token with a credit limit.' })
  budget?: TokenBudget;

  @list(nestedKind(() => MembershipSummary), {
    optional: true,
    description: 'The newest 100, for credentials with community:read; /v1/communities lists all.',
  })
  memberships?: MembershipSummary[];
}

export class MePatch {
  @text({ min: 1, max: 100, pattern: /\S/, optional: true })
  displayName?: string;

  @text({ max: 2000, optional: true })
  description?: string;
}

export const meEndpoints = defineEndpoints({
  getMe: {
    route: 'GET /v1/me',
    summary: 'Reads the account, the kind and the scopes of the credential',
    description:
      'Every kind of credential can call it, without any scope. Use it to test a token: the reply names its kind, its scopes, its account and, for a token with a credit limit, its budget.',
    reply: Me,
    scopes: [],
    audience: 'public',
    withoutHandle: true,
    rate: 'read',
  },
  updateMe: {
    route: 'PATCH /v1/me',
    summary: 'Changes how the account of a person is shown; any write scope is enough',
    description:
      'Changes the display name and the description of the profile of the caller. Members that are absent stay as they are.',
    body: MePatch,
    reply: AccountSummary,
    scopes: writeScopes,
    audience: 'people',
    withoutHandle: true,
    rate: 'write',
  },
});
