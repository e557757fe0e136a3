import type { Context } from '@lensforge/core';

export interface ClientApproval {
  /** The account of the user who may have approved the client. */
  accountId: string;
  clientId: string;
}

/**
 * True when a user has let a client act for them and has not taken that back: a token of the client is in force. The
 * approval ends with the last of these tokens, however it is revoked.
 */
export async function hasApprovedClient(ctx: Context, { accountId, clientId }: ClientApproval): Promise<boolean> {
  const approved = await ctx.db.query<unknown[]>(
    `select from api_tokens
      where account_id = $1 and kind = 'mcp' and client_id = $2 and not sealed and revoked_at is null limit 1`,
    [accountId, clientId],
  );
  return approved.length > 0;
}
