import { type Context, type Page, type PageRequest, foreignCursor, toPage } from '@lensforge/core';
import type { AuditAction } from './audit-actions.js';
import type { AuditTarget } from './record-audit.js';

export interface AuditEntry {
  id: string;
  sequence: number;
  action: AuditAction;
  actor: { credential: string; credentialId: string; accountId: string; userId: string | null };
  target: AuditTarget | null;
  details: Record<string, unknown>;
  requestId: string;
  occurredAt: Date;
  /** In hexadecimal. A copy of the last one outside of the database proves the whole chain. */
  hash: string;
}

export interface AuditQuery extends PageRequest {
  accountId: string;
}

/** Lists the audit entries of an account, newest first. The caller must check the permission. */
export async function listAudit(ctx: Context, { accountId, ...page }: AuditQuery): Promise<Page<AuditEntry>> {
  const { limit, offset = 0, cursor } = page;
  const rows = await ctx.db.query<(Omit<AuditEntry, 'sequence'> & { sequence: string })[]>(
    `select e.id, e.sequence, e.action, e.actor, e.target,
            e.details - 'personalHash' || coalesce(d.details, '{}') as details,
            e.request_id as "requestId", e.occurred_at as "occurredAt", encode(e.hash, 'hex') as hash
       from audit_entries e left join audit_details d on d.account_id = e.account_id and d.sequence = e.sequence
      where e.account_id = $1 and ($2::bigint is null or e.sequence < $2)
      order by e.sequence desc limit $3 offset $4`,
    [accountId, cursor === undefined ? null : decodeCursor(cursor), limit + 1, offset],
  );
  const { items, ...rest } = toPage(rows, page, ({ sequence }) => encodeCursor(Number(sequence)));
  return { ...rest, items: items.map((row) => ({ ...row, sequence: Number(row.sequence) })) };
}

const encodeCursor = (sequence: number): string => Buffer.from(`before ${sequence}`).toString('base64url');

function decodeCursor(cursor: string): string {
  const [, sequence] = /^before (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (sequence === undefined || encodeCursor(Number(sequence)) !== cursor) {
    throw foreignCursor();
  }
  return sequence;
}
