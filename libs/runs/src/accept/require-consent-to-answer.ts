import { type AiLenserUsers, refusedUse } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';

interface AnsweringLenser {
  handle: string;
  usableBy: AiLenserUsers;
  archived: boolean;
  allowed: boolean;
}

/** Refuses the answer of an AI lenser in a battle when it is archived, or its owner does not let the caller use it now. */
export async function requireConsentToAnswer(ctx: Context, cause: Readonly<Record<string, unknown>>): Promise<void> {
  if (cause['kind'] !== 'battle') return;
  const [lenser] = await ctx.db.query<AnsweringLenser[]>(
    'select handle, usable_by as "usableBy", archived, allowed from answering_lenser($1, $2)',
    [cause['contenderId'], ctx.actor.accountId],
  );
  if (lenser?.archived) throw new DomainError('CONFLICT', `The AI lenser ${lenser.handle} is archived`);
  if (lenser && !lenser.allowed) throw new DomainError('CONFLICT', refusedUse(lenser));
}
