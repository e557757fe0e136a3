import { type AiLenserUsers, refusedUse, runConsents } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';

interface AnsweringLenser {
  handle: string;
  usableBy: AiLenserUsers;
  archived: boolean;
  allowed: boolean;
}

/** Refuses a run that an AI lenser is to answer when it is archived, or its owner does not let the caller use it now. */
export async function requireConsent(ctx: Context, cause: Readonly<Record<string, unknown>>): Promise<void> {
  const needed = runConsents.find(({ causeKind }) => causeKind === cause['kind']);
  if (!needed) return;
  const [lenser] = await ctx.db.query<AnsweringLenser[]>(
    `select handle, usable_by as "usableBy", archived, allowed from ${needed.reader}($1, $2)`,
    [cause[needed.member], ctx.actor.accountId],
  );
  if (lenser?.archived) throw new DomainError('CONFLICT', `The AI lenser ${lenser.handle} is archived`);
  if (lenser && !lenser.allowed) throw new DomainError('CONFLICT', refusedUse(lenser));
}
