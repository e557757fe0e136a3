import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { ApiToken } from './api-token.entity.js';
import type { Issuer } from '../oauth/authorization-code.entity.js';
import { oauthError } from '../oauth/oauth-error.js';
import { revokeTokenRow } from './revoke-token-row.js';
import { hashToken, detectTokenKind } from './token.js';

export interface RevocationByValue {
  issuer: Issuer;
  value: string;
  /** The revoking client; omitted when the value itself is the proof. */
  clientId?: string | undefined;
}

const kinds = { tools: 'mcp', platform: 'developer' } as const;

/** Revokes an opaque token that a client presents (RFC 7009). Values that are no tokens of this issuer have no effect. */
export async function revokeByValue(ctx: Context, { issuer, value, clientId }: RevocationByValue): Promise<void> {
  if (detectTokenKind(value) !== kinds[issuer]) return;
  await inTransaction(ctx, async (ctx) => {
    const token = await ctx.db.findOneBy(ApiToken, { hash: hashToken(value) });
    if (!token) return;
    if (clientId !== undefined && token.clientId !== null && token.clientId !== clientId) {
      throw oauthError('invalid_grant', 'The token was given to another client');
    }
    if (!(await revokeTokenRow(ctx, token.id))) return;
    const { id, kind, accountId, userId } = token;
    const actor = { ...ctx.actor, credential: { kind, id }, accountId, userId };
    await recordAudit(
      { ...ctx, actor },
      { accountId, action: 'token.revoked', target: { kind: 'token', id }, details: { kind, by: 'value' } },
    );
  });
}
