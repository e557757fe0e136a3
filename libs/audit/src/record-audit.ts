import { type Context, newId } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import type { AuditAction } from './audit-actions.js';
import { auditHash, genesisHash } from './audit-hash.js';
import { type Details, splitDetails } from './personal-details.js';

export interface AuditTarget {
  kind: string;
  id: string;
}

export interface NewAuditEntry {
  /** The account whose log gets the entry, or a user without an account. */
  accountId: string;
  action: AuditAction;
  target?: AuditTarget;
  /**
   * Must contain no secrets: all administrators of the account can read it. Personal members stand beside the chain, see
   * `personal-details.ts`.
   */
  details?: Readonly<Record<string, unknown>>;
}

/**
 * Appends an audit entry in the current transaction. The head of the account's chain stays locked until the commit, so call
 * it last in a transaction.
 */
export function recordAudit(ctx: Context, { accountId, action, target, details }: NewAuditEntry): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const [head] = await ctx.db.query<[{ sequence: string; hash: Buffer }]>(
      `insert into audit_heads as h (account_id, sequence, hash) values ($1, 0, $2)
       on conflict (account_id) do update set sequence = h.sequence
       returning sequence, hash`,
      [accountId, genesisHash],
    );
    const { credential, userId } = ctx.actor;
    const stored = JSON.parse(
      toJsonb({
        actor: { credential: credential.kind, credentialId: credential.id, accountId: ctx.actor.accountId, userId },
        target: target ?? null,
        details: details ?? {},
      }),
    ) as { actor: object; target: object | null; details: Details };
    const { chained, personal } = splitDetails(stored.details);
    const entry = {
      accountId,
      sequence: Number(head.sequence) + 1,
      id: newId(),
      action,
      ...stored,
      details: chained,
      requestId: ctx.requestId,
      occurredAt: ctx.now().toISOString().replace('Z', '000Z'),
      previousHash: head.hash.toString('hex'),
    };
    const hash = auditHash(entry);
    await ctx.db.query(
      `with entry as (
         insert into audit_entries (account_id, sequence, id, action, actor, target, details, request_id, occurred_at,
                                    previous_hash, hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ), personal as (
         insert into audit_details (account_id, sequence, salt, details) select $1, $2, $12::bytea, $13::jsonb where $12 is not null
       )
       update audit_heads set sequence = $2, hash = $11 where account_id = $1`,
      [
        accountId,
        entry.sequence,
        entry.id,
        action,
        JSON.stringify(stored.actor),
        stored.target && JSON.stringify(stored.target),
        JSON.stringify(chained),
        entry.requestId,
        entry.occurredAt,
        head.hash,
        hash,
        personal?.salt ?? null,
        personal ? JSON.stringify(personal.details) : null,
      ],
    );
  });
}
