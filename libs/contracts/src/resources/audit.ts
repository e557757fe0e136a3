import { endpoint } from '../catalogue/endpoint.js';
import { dateTime, integer, record, text, uuid } from '../schema/field.js';
import { PageQuery } from '../schema/paging.js';

export class AuditQuery extends PageQuery {
  @uuid({ optional: true, description: 'What was done in this community, for its owners and admins.' })
  communityId?: string;
}

export class AuditEntry {
  @uuid()
  id!: string;

  @integer({ min: 1, description: 'Counts the entries of the account, without gaps.' })
  sequence!: number;

  @text({ description: 'Such as token.created.' })
  action!: string;

  @record({ description: 'Who did it: the credential, and the account that it speaks for.' })
  actor!: Record<string, unknown>;

  @record({ nullable: true, description: 'What it was done to: {kind, id}.' })
  target!: Record<string, unknown> | null;

  @record({ description: 'What else is worth knowing.' })
  details!: Record<string, unknown>;

  @uuid({ description: 'The request in which it was done.' })
  requestId!: string;

  @dateTime()
  occurredAt!: string;

  @text({ description: 'In hexadecimal; covers the entry and all before it. The newest is worth keeping elsewhere.' })
  hash!: string;
}

export const auditEndpoints = {
  listAudit: endpoint({
    id: 'listAudit',
    method: 'GET',
    path: '/v1/audit',
    summary: 'Lists the audit log of the account or a community, the newest first',
    query: AuditQuery,
    reply: AuditEntry,
    status: 200,
    scopes: ['tokens:read'],
    audience: 'people',
    rate: 'list',
    errors: [400, 401, 403, 404, 429, 500],
    replies: 'list',
  }),
} as const;
