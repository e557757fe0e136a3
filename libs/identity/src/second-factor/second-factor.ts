import { randomBytes } from 'node:crypto';
import { type AuditAction, recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { confirmPassword } from '../accounts/confirm-password.js';
import type { User } from '../accounts/user.entity.js';
import { asUser, getAuditAccount } from '../tokens/acting-user.js';
import { base32 } from './base32.js';
import { type GivenCode, requireCode } from './check-code.js';
import { issueRecoveryCodes } from './recovery-codes.js';
import { openTotpSecret, readSecondFactor, sealTotpSecret } from './stored-secret.js';
import { totpUri } from './totp.js';

/** The secret for an authenticator app: as text, and as the address of a QR code. */
export interface TotpSecret {
  text: string;
  uri: string;
}

export interface SecondFactorState {
  enabled: boolean;
  recoveryCodesLeft: number;
}

export async function readSecondFactorState(ctx: Context, userId: string): Promise<SecondFactorState> {
  const [row] = await ctx.db.query<SecondFactorState[]>(
    `select f.confirmed_at is not null as enabled,
            (select count(*)::int from recovery_codes c where c.user_id = f.user_id) as "recoveryCodesLeft"
       from second_factors f where f.user_id = $1`,
    [userId],
  );
  return row ?? { enabled: false, recoveryCodesLeft: 0 };
}

/** Makes a new secret, which counts once a first code has confirmed it. */
export async function startSecondFactor(
  ctx: Context,
  ring: KeyRing,
  { userId, password }: { userId: string; password: string },
): Promise<TotpSecret> {
  const { user } = await confirmPassword(ctx, { userId, password, field: 'password' });
  const secret = randomBytes(20);
  const stored = await ctx.db.query<unknown[]>(
    `insert into second_factors (user_id, secret) values ($1, $2)
     on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
       where second_factors.confirmed_at is null
     returning user_id`,
    [userId, sealTotpSecret(ring, userId, secret)],
  );
  if (stored.length === 0) throw alreadyEnabled();
  return secretFor(user, secret);
}

/** The secret that waits for its first code. */
export async function pendingSecondFactor(ctx: Context, ring: KeyRing, user: User): Promise<TotpSecret> {
  const stored = await readSecondFactor(ctx, user.id);
  if (!stored) throw new DomainError('CONFLICT', 'Nothing waits for a code: begin again');
  if (stored.confirmed) throw alreadyEnabled();
  return secretFor(user, openTotpSecret(ring, user.id, stored.secret));
}

/** Enables the second factor with a first code of the app, and returns recovery codes. */
export function confirmSecondFactor(ctx: Context, ring: KeyRing, given: GivenCode): Promise<string[]> {
  return changeWithCode(ctx, ring, given, 'second_factor.added', async (ctx) => {
    const [, count] = await ctx.db.query<[unknown, number]>(
      'update second_factors set confirmed_at = now() where user_id = $1 and confirmed_at is null',
      [given.user.id],
    );
    if (count === 0) throw alreadyEnabled();
    return issueRecoveryCodes(ctx, given.user.id);
  });
}

export const replaceRecoveryCodes = (ctx: Context, ring: KeyRing, given: GivenCode): Promise<string[]> =>
  changeWithCode(ctx, ring, given, 'recovery_codes.replaced', (ctx) => issueRecoveryCodes(ctx, given.user.id));

export const removeSecondFactor = (ctx: Context, ring: KeyRing, given: GivenCode): Promise<void> =>
  changeWithCode(ctx, ring, given, 'second_factor.removed', (ctx) => deleteSecondFactor(ctx, given.user.id));

/** Removes the second factor and the passkeys of a person who has lost them; an operator has verified who asks. */
export const resetSecondFactor = (ctx: Context, user: User): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await deleteSecondFactor(ctx, user.id);
    await ctx.db.query('delete from passkeys where user_id = $1', [user.id]);
    await auditChange(ctx, user, 'second_factor.removed');
  });

async function changeWithCode<T>(
  ctx: Context,
  ring: KeyRing,
  given: GivenCode,
  action: AuditAction,
  work: (ctx: Context) => Promise<T>,
): Promise<T> {
  await requireCode(ctx, ring, given);
  return inTransaction(ctx, async (ctx) => {
    const result = await work(ctx);
    await auditChange(asUser(ctx, given.user), given.user, action);
    return result;
  });
}

async function deleteSecondFactor(ctx: Context, userId: string): Promise<void> {
  await ctx.db.query('delete from recovery_codes where user_id = $1', [userId]);
  await ctx.db.query('delete from second_factors where user_id = $1', [userId]);
}

const auditChange = (ctx: Context, user: User, action: AuditAction): Promise<unknown> =>
  recordAudit(ctx, { accountId: getAuditAccount(user), action, target: { kind: 'user', id: user.id } });

const alreadyEnabled = (): DomainError =>
  new DomainError('CONFLICT', 'The second factor is already set up: remove it before you set it up again');

function secretFor(user: User, secret: Uint8Array): TotpSecret {
  const text = base32(secret);
  return { text, uri: totpUri(text, user.email ?? user.id) };
}
