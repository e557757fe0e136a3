import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import type { AuthorizationCode } from './authorization-code.entity.js';
import { endSession } from '../sessions/end-session.js';
import { getAuditAccount } from '../tokens/acting-user.js';
import { revokeTokenRow } from '../tokens/revoke-token-row.js';
import { User } from '../accounts/user.entity.js';

const graceMs = 60_000;

/**
 * Handles a code that was exchanged before. With the right proof and within a minute it may be the same client, whose
 * response was lost; nothing ends. Otherwise the token or session may be stolen, so it ends.
 */
export async function handleCodeReplay(
  ctx: Context,
  code: AuthorizationCode & { exchangedAt: Date },
  proven: boolean,
): Promise<void> {
  const isRetry = proven && ctx.now().getTime() - code.exchangedAt.getTime() <= graceMs;
  if (!isRetry && code.tokenId !== null) await revokeTokenRow(ctx, code.tokenId);
  if (!isRetry && code.sessionId !== null) await endSession(ctx, code.sessionId);
  const user = await ctx.db.findOne(User, { select: { id: true, accountId: true }, where: { id: code.userId } });
  const [kind, id] = code.tokenId !== null ? ['token', code.tokenId] : ['session', code.sessionId ?? ''];
  await recordAudit(ctx, {
    accountId: getAuditAccount({ id: code.userId, accountId: user?.accountId ?? null }),
    action: 'token.replayed',
    target: { kind, id },
    details: { clientId: code.clientId, ended: !isRetry },
  });
}
