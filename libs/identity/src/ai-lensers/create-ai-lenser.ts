import { recordAudit } from '@lensforge/audit';
import { AiLenserPolicy, type AiLenser as AiLenserShape, type NewAiLenserRequest } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { createAccount } from '../accounts/create-account.js';
import { readableAiLenser } from './ai-lenser-access.js';
import { requireBelowAiLenserLimit } from './ai-lenser-limit.js';
import { AiLenser } from './ai-lenser.entity.js';
import { requireModel } from './require-model.js';

export type NewAiLenser = Pick<NewAiLenserRequest, 'handle' | 'displayName'> & Partial<NewAiLenserRequest>;

/** Creates an AI lenser that the caller, a person, owns. */
export function createAiLenser(ctx: Context, input: NewAiLenser): Promise<AiLenserShape> {
  const {
    handle,
    displayName,
    bio,
    aiModelKey,
    instructions = '',
    policy = new AiLenserPolicy(),
    usableBy = 'communities',
  } = input;
  return inTransaction(ctx, async (ctx) => {
    const { accountId: ownerAccountId } = ctx.actor;
    await requirePerson(ctx);
    if (aiModelKey !== undefined) await requireModel(ctx, ownerAccountId, aiModelKey);
    await requireBelowAiLenserLimit(ctx);
    const { id, createdAt } = await createAccount(ctx, {
      kind: 'agent',
      handle,
      displayName: displayName.trim(),
      ownerAccountId,
      ...(bio !== undefined && { description: bio }),
    });
    await ctx.db.insert(AiLenser, {
      accountId: id,
      aiModelKey: aiModelKey ?? null,
      instructions,
      policy,
      usableBy,
      archivedAt: null,
      updatedAt: createdAt,
      lastSequence: 0,
    });
    const aiLenser = await readableAiLenser(ctx, id);
    await recordAudit(ctx, {
      accountId: ownerAccountId,
      action: 'ai_lenser.created',
      target: { kind: 'ai_lenser', id },
      details: { handle },
    });
    return aiLenser;
  });
}

async function requirePerson({ db, actor }: Context): Promise<void> {
  const found = await db.query<unknown[]>(
    `select from accounts where id = $1 and kind = 'person' and disabled_at is null`,
    [actor.accountId],
  );
  if (found.length > 0) return;
  throw new DomainError('FORBIDDEN', 'Only a person can own AI lensers: use a credential of a person');
}
