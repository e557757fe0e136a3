import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import type { AuthorizationCode } from '../oauth/authorization-code.entity.js';
import { endSession } from './end-session.js';
import { recordOf } from '../tokens/record-of.js';
import { revokeTokenRow } from '../tokens/revoke-token-row.js';

const graceMs = 60_000;

/**
 * Somebody came with a code that was exchanged before. With the right proof and soon after, it may be the same client,
 * whose answer was lost: that ends nothing. Otherwise whoever holds what it was exchanged for may have stolen it.
 */
export async function endReplayed(
  ctx: Context,
  code: AuthorizationCode & { exchangedAt: Date },
  proven: boolean,
): Promise<void> {
  const again = proven && ctx.now().getTime() - code.exchangedAt.getTime() <= graceMs;
  if (!again && code.tokenId !== null) await revokeTokenRow(ctx, code.tokenId);
  if (!again && code.sessionId !== null) await endSession(ctx, code.sessionId);
  const [user] = await ctx.db.query<[{ accountId: string | null }]>(
    'select account_id as "accountId" from users where id = $1',
    [code.userId],
  );
  const [kind, id] = code.tokenId !== null ? ['token', code.tokenId] : ['session', code.sessionId ?? ''];
  await recordAudit(ctx, {
    accountId: recordOf({ id: code.userId, ...user }),
    action: 'token.replayed',
    target: { kind, id },
    details: { clientId: code.clientId, ended: !again },
  });
}
