import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { emailSubject } from '../accounts/email.js';
import { toNetwork } from '../accounts/network.js';
import { recordSuccessfulSignIn } from '../accounts/record-successful-sign-in.js';
import type { User } from '../accounts/user.entity.js';
import { asUser, getAuditAccount } from '../tokens/acting-user.js';

/** Records that a user has given all factors that they need. */
export async function completeSignIn(ctx: Context, user: User, address: string): Promise<void> {
  if (user.email !== null) {
    const [subject, network] = [emailSubject(user.email), toNetwork(address)];
    await recordSuccessfulSignIn(ctx, { userId: user.id, subject, network });
  }
  const fact = { action: 'user.signed_in', target: { kind: 'user', id: user.id }, details: { address } } as const;
  await recordAudit(asUser(ctx, user), { ...fact, accountId: getAuditAccount(user) });
}
