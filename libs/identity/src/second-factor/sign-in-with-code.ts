import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import type { User } from '../accounts/user.entity.js';
import { completeSignIn } from '../sessions/complete-sign-in.js';
import { getAuditAccount } from '../tokens/acting-user.js';
import { takeCode, wrongCode } from './check-code.js';

export interface SignInWithCode {
  /** The user whose password has been verified. */
  user: User;
  code: string;
  /** The client's address. */
  address: string;
}

/** The second step of a sign-in: a code of the app, or a recovery code. */
export async function signInWithCode(
  ctx: Context,
  ring: KeyRing,
  { user, code, address }: SignInWithCode,
): Promise<void> {
  if (await takeCode(ctx, ring, { user, code })) {
    await inTransaction(ctx, (ctx) => completeSignIn(ctx, user, address));
    return;
  }
  const target = { kind: 'user', id: user.id };
  const fact = { action: 'user.sign_in_failed', target, details: { address } } as const;
  await inTransaction(ctx, (ctx) => recordAudit(ctx, { ...fact, accountId: getAuditAccount(user) }));
  throw wrongCode('UNAUTHENTICATED');
}
