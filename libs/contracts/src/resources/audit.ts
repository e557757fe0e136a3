import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, integer, record, text, uuid } from '../schema/field.js';
import { PageQuery } from '../schema/paging.js';

export class AuditQuery extends PageQuery {
  @uuid({ optional: true, description: 'Entries of this community, for its owners and admins.' })
  communityId?: string;
}

export class AuditEntry {
  @uuid()
  id!: string;

  @integer({ min: 1, description: 'Counts the entries of the account, without gaps.' })
  sequence!: number;

  @text({ description: 'The name of the action, such as token.created.' })
  action!: string;

  @record({ description: 'The credential that acted, and its account.' })
  actor!: Record<string, unknown>;

  @record({ nullable: true, description: 'The resource that was changed: {kind, id}.' })
  target!: Record<string, unknown> | null;

  @record({ description: 'More members, by action.' })
  details!: Record<string, unknown>;

  @uuid({ description: 'The id of the request.' })
  requestId!: string;

  @dateTime()
  occurredAt!: string;

  @text({
    description:
      'In hexadecimal; covers the entry and all before it. Store the newest outside of the platform to detect changes.',
  })
  hash!: string;
}

export const auditEndpoints = defineEndpoints({
  listAudit: {
    route: 'GET /v1/audit',
    summary: 'Lists the audit log of the account or a community, the newest first',
    description:
      'An entry has what was done, by which account and credential, and when. Entries are chained by hashes and cannot be changed. communityId shows the log of a community, for its owners and admins.',
    query: AuditQuery,
    reply: AuditEntry,
    scopes: ['tokens:read'],
    audience: 'people',
    rate: 'list',
    errors: [404],
    replies: 'list',
  },
});
