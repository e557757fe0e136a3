import { recordAudit } from '@lensforge/audit';
import { type Context, platformActor } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { accessSeconds } from './session-claims.js';
import { type NewKey, insertKey, lockKey } from './signing-key.js';

/** A key is published this long before it signs: longer than clients may cache the published keys. */
export const keyNoticeSeconds = 600;
/** A key stays published this long after its last signature: until its last token has expired, plus a margin. */
const keyAfterlifeSeconds = accessSeconds + 600;

/**
 * Publishes the next key. It signs after a notice period; the previous key stays published until its last token has
 * expired. While a next key is waiting, this returns it.
 */
export function rotateSigningKeys(ctx: Context, ring: KeyRing): Promise<NewKey> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const [waiting] = await ctx.db.query<NewKey[]>(
      `select kid, signs_from as "signsFrom" from signing_keys where signs_from > now()`,
    );
    if (waiting) return waiting;
    const made = await insertKey(ctx.db, ring, keyNoticeSeconds);
    await ctx.db.query(
      `update signing_keys set retires_at = $2::timestamptz + $3 * interval '1 s' where retires_at is null and kid <> $1`,
      [made.kid, made.signsFrom, keyAfterlifeSeconds],
    );
    await recordRotation(ctx, made);
    return made;
  });
}

/**
 * Replaces a key that may be stolen: the new key signs at once, and all others are withdrawn. Clients have to refresh their
 * tokens; gateways accept old tokens until they reload the published keys.
 */
export function replaceSigningKeys(ctx: Context, ring: KeyRing): Promise<NewKey> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const made = await insertKey(ctx.db, ring, 0);
    await ctx.db.query(
      `update signing_keys set signs_from = least(signs_from, now() - interval '1 ms'), retires_at = now() where kid <> $1`,
      [made.kid],
    );
    await recordRotation(ctx, made);
    return made;
  });
}

async function recordRotation(ctx: Context, { kid }: NewKey): Promise<void> {
  const target = { kind: 'signing_key', id: kid };
  await recordAudit(ctx, { accountId: platformActor.accountId, action: 'key.rotated', target });
}
