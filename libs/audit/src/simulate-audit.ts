import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { genesisHash } from './audit-hash.js';

/** Runs the same statements as recordAudit without effect, so that response times do not reveal the difference. */
export function simulateAudit(ctx: Context): Promise<void> {
  const accountId = newId();
  return inTransaction(ctx, async ({ db }) => {
    await db.query(
      `savepoint simulated;
       insert into audit_heads as h (account_id, sequence, hash) values ('${accountId}', 0, '\\x${genesisHash.toString('hex')}')
       on conflict (account_id) do update set sequence = h.sequence returning sequence, hash`,
    );
    await db.query(
      `update audit_heads set sequence = 1 where account_id = '${accountId}'; rollback to savepoint simulated`,
    );
  });
}
