import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, nested, record, text, uuid } from '../schema/field.js';
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

export class AuditVerificationQuery {
  @uuid({ optional: true, description: 'The log of this community, for its owners and admins.' })
  communityId?: string;

  @integer({
    min: 0,
    optional: true,
    description: 'The next of the reply before, to go on; the beginning when absent.',
  })
  after?: number;
}

export class AuditFault {
  @integer({ min: 0, description: 'The sequence number of the first entry that is wrong.' })
  sequence!: number;

  @text({ description: 'The fault at that place.' })
  fault!: string;
}

export class AuditVerification {
  @flag({ description: 'Every hash covers its entry and the hash before it, and no entry is missing.' })
  intact!: boolean;

  @integer({ min: 0, description: 'The number of entries that were verified.' })
  entries!: number;

  @nested(() => AuditFault, { nullable: true, description: 'The first fault; null for an intact log.' })
  fault!: AuditFault | null;

  @integer({
    min: 1,
    nullable: true,
    description: 'The after of the next request when the log has more entries; null at its end and after a fault.',
  })
  next!: number | null;
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
  verifyAudit: {
    route: 'GET /v1/audit/verification',
    summary: 'Verifies the hashes of the audit log of the account or a community',
    description:
      'Computes the hash of every entry again and compares it with the stored one, from the first to the newest entry, 10,000 in a request. A copy of an older hash that you keep outside of the platform must still be in the list.',
    query: AuditVerificationQuery,
    reply: AuditVerification,
    scopes: ['tokens:read'],
    audience: 'people',
    rate: 'expensive',
    errors: [404],
  },
});
