import { type CommunityRole, communityRoles } from './communities.js';
import { defineEndpoints } from '../catalogue/endpoint.js';
import { type CreditPeriod, creditPeriods } from './credit-period.js';
import { dateTime, flag, integer, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, oneOfKind } from '../schema/kinds.js';
import { type Scope, scopes, writeScopes } from '../catalogue/scopes.js';
import { PageQuery } from '../schema/paging.js';

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

  @flag({ optional: true, description: 'true for operators of the installation; absent for others.' })
  operator?: boolean;

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

/** The kinds of objects in the export of an account. */
export const exportedTypes = [
  'account',
  'community',
  'lens',
  'lens_version',
  'lens_case',
  'dataset',
  'dataset_case',
  'experiment',
  'scorer',
  'evaluation_rule',
  'review_queue',
  'review',
  'recording',
  'recorded_call',
  'experiment_cell',
  'workflow',
  'workflow_version',
  'run',
  'ai_lenser',
  'battle',
  'vote',
  'thread_message',
  'webhook_endpoint',
  'incoming_webhook',
  'mcp_server',
  'byok_key',
  'connector',
  'token',
  'credit_entry',
  'audit_entry',
] as const;

export type ExportedType = (typeof exportedTypes)[number];

export class ExportedObject {
  @oneOf(exportedTypes)
  type!: ExportedType;

  @record({ description: 'The object as the endpoints for its kind return it.' })
  object!: Record<string, unknown>;
}

export class AccountToClose {
  @text({ min: 3, max: 64, description: 'The handle of the account, as a confirmation.' })
  handle!: string;
}

export class ClosedAccount {
  @flag()
  closed!: boolean;
}

export class SessionPath {
  @uuid({ description: 'The session.' })
  sessionId!: string;
}

export class SessionItem {
  @uuid()
  id!: string;

  @oneOf(['browser', 'client'], {
    description: 'browser: on the sign-in pages; client: of a program, such as the command line.',
  })
  kind!: 'browser' | 'client';

  @text({ nullable: true, description: 'The name of the program; null for a browser.' })
  clientName!: string | null;

  @text({ nullable: true, description: 'The IP address that opened it.' })
  address!: string | null;

  @text({ nullable: true, description: 'The User-Agent that opened it, as the browser or program named itself.' })
  userAgent!: string | null;

  @flag({ description: 'The session of this request.' })
  current!: boolean;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true, description: 'Updated at most once a minute.' })
  lastUsedAt!: string | null;

  @dateTime({ description: 'It ends at this time, and 30 days after its last use.' })
  expiresAt!: string;
}

export class EndedSessions {
  @integer({ min: 0, description: 'The number of sessions that were open and ended.' })
  ended!: number;
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
  exportMe: {
    route: 'GET /v1/me/export',
    summary: 'Downloads what the platform stores about the person, one JSON object a line',
    description:
      'Sends application/x-ndjson: first the account, then its communities, lenses, workflows and runs, its entries in battles and threads, its keys and tokens without their secrets, its credit entries and its audit log. A line names the type of its object. Each part is read when it is sent, so that objects which change meanwhile are in the state of that moment.',
    reply: ExportedObject,
    scopes: [],
    audience: 'session',
    withoutHandle: true,
    rate: 'expensive',
    replies: 'lines',
  },
  closeMe: {
    route: 'POST /v1/me/close',
    summary: 'Closes the account of the person permanently',
    description:
      'Deletes the email, the name, the handle, all ways to sign in, tokens, keys, webhooks, schedules, and the lenses, workflows and threads that no other account sees; within minutes also all runs. Public objects, messages, battles and votes stay under "Closed account", and credit entries and the audit log, since the law asks for them. Refused with 409 while a run has not ended, and for the last owner of a community.',
    body: AccountToClose,
    example: { handle: 'ada' },
    reply: ClosedAccount,
    scopes: [],
    audience: 'session',
    rate: 'write',
    errors: [409],
  },
  listSessions: {
    route: 'GET /v1/me/sessions',
    summary: 'Lists the open sessions of the person, the newest first',
    description:
      'A session is a sign-in: of a browser, or of a program such as the command line. Each has the address and the User-Agent that opened it.',
    query: PageQuery,
    reply: SessionItem,
    scopes: [],
    audience: 'session',
    withoutHandle: true,
    rate: 'list',
    replies: 'list',
  },
  endOtherSessions: {
    route: 'DELETE /v1/me/sessions',
    summary: 'Ends all sessions of the person but the one of the request',
    description:
      'Their cookies, refresh tokens and access tokens are refused as soon as the reply arrives. Developer and MCP tokens stay.',
    reply: EndedSessions,
    scopes: [],
    audience: 'session',
    withoutHandle: true,
    rate: 'write',
  },
  endSession: {
    route: 'DELETE /v1/me/sessions/{sessionId}',
    summary: 'Ends a session of the person',
    description:
      'Its cookie, refresh tokens and access tokens are refused as soon as the reply arrives. It may be the session of the request. A repeated request has no further effect.',
    params: SessionPath,
    reply: EndedSessions,
    scopes: [],
    audience: 'session',
    withoutHandle: true,
    rate: 'write',
  },
});
