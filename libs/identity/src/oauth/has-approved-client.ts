import type { Context } from '@lensforge/core';

export interface ClientApproval {
  /** The account of the user who may have approved the client. */
  accountId: string;
  clientId: string;
}

/**
 * True when a user has approved a client, which means that a token of the client is valid. The approval ends with the last
 * of these tokens.
 */
export async function hasApprovedClient(ctx: Context, { accountId, clientId }: ClientApproval): Promise<boolean> {
  const approved = await ctx.db.query<unknown[]>(
    `select from api_tokens
      where account_id = $1 and kind = 'mcp' and client_id = $2 and not sealed and revoked_at is null limit 1`,
    [accountId, clientId],
  );
  return approved.length > 0;
}
