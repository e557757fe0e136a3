import type { Context, Page } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
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
  /** In hexadecimal; the last one of a chain is worth keeping elsewhere. */
  hash: string;
}

export interface AuditQuery {
  accountId: string;
  limit: number;
  cursor?: string | undefined;
}

/** The record of one account, newest first. Whether the caller may see it is asked before. */
export async function listAudit(ctx: Context, { accountId, limit, cursor }: AuditQuery): Promise<Page<AuditEntry>> {
  const rows = await ctx.db.query<(Omit<AuditEntry, 'sequence'> & { sequence: string })[]>(
    `select id, sequence, action, actor, target, details, request_id as "requestId", occurred_at as "occurredAt",
            encode(hash, 'hex') as hash
       from audit_entries where account_id = $1 and ($2::bigint is null or sequence < $2)
      order by sequence desc limit $3`,
    [accountId, cursor === undefined ? null : decode(cursor), limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => ({ ...row, sequence: Number(row.sequence) }));
  const last = items.at(-1);
  return { items, limit, ...(rows.length > limit && last ? { nextCursor: encode(last.sequence) } : {}) };
}

const encode = (sequence: number): string => Buffer.from(`before ${sequence}`).toString('base64url');

function decode(cursor: string): string {
  const [, sequence] = /^before (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (sequence === undefined || encode(Number(sequence)) !== cursor) {
    throw new DomainError('BAD_INPUT', 'cursor: is not one that a list of this platform gave out');
  }
  return sequence;
}
