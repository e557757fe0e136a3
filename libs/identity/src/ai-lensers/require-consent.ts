import { type AiLenserUsers, refusedUse } from '@lensforge/contracts';
import { type Context, DomainError, isServiceRole } from '@lensforge/core';

/** The reason why an account may not use an AI lenser; undefined for its owner and those whom the owner lets use it. */
export async function consentFault(
  { db }: Context,
  { aiLenserId, accountId }: { aiLenserId: string; accountId: string },
): Promise<string | undefined> {
  const [found] = await db.query<{ handle: string; usableBy: AiLenserUsers; isAllowed: boolean }[]>(
    `select a.handle, l.usable_by as "usableBy", may_use_ai_lenser(l.account_id, $2) as "isAllowed"
       from ai_lensers l join accounts a on a.id = l.account_id where l.account_id = $1`,
    [aiLenserId, accountId],
  );
  if (!found || found.isAllowed) return undefined;
  return refusedUse(found);
}

/** FORBIDDEN unless the caller owns the AI lenser, or its owner lets the caller enter and mention it. */
export async function requireConsent(ctx: Context, aiLenserId: string): Promise<void> {
  if (isServiceRole(ctx)) return;
  const fault = await consentFault(ctx, { aiLenserId, accountId: ctx.actor.accountId });
  if (fault !== undefined) throw new DomainError('FORBIDDEN', fault);
}
