import { recordAudit } from '@lensforge/audit';
import type { AiLenser, AiLenserPolicy, AiLenserUsers } from '@lensforge/contracts';
import { type Context, DomainError, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { ownedAiLenser, readableAiLenser } from './ai-lenser-access.js';
import { requireModel } from './require-model.js';

export interface AiLenserChange {
  aiLenserId: string;
  displayName?: string | undefined;
  bio?: string | undefined;
  /** null for the default model. */
  aiModelKey?: string | null | undefined;
  instructions?: string | undefined;
  /** Replaces the whole policy. */
  policy?: AiLenserPolicy | undefined;
  usableBy?: AiLenserUsers | undefined;
}

/** Changes an active AI lenser of the caller. Omitted members stay unchanged. */
export function updateAiLenser(ctx: Context, { aiLenserId, ...change }: AiLenserChange): Promise<AiLenser> {
  return inTransaction(ctx, async (ctx) => {
    const { id, owner, status } = await ownedAiLenser(ctx, aiLenserId);
    const { displayName, bio, aiModelKey, instructions, policy, usableBy } = change;
    const members = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : name));
    if (members.length === 0) throw badInput('', 'There is nothing to change: give at least one member');
    if (status === 'archived') throw new DomainError('CONFLICT', 'An archived AI lenser cannot change', { status });
    if (typeof aiModelKey === 'string') await requireModel(ctx, owner.id, aiModelKey);
    await ctx.db.query(
      `with profile as (
         update accounts set display_name = coalesce($2, display_name), description = coalesce($3, description)
          where id = $1)
       update ai_lensers set ai_model_key = case when $4 then $5 else ai_model_key end,
              instructions = coalesce($6, instructions), policy = coalesce($7, policy), usable_by = coalesce($9, usable_by),
              updated_at = $8
        where account_id = $1`,
      [
        id,
        displayName?.trim() ?? null,
        bio ?? null,
        aiModelKey !== undefined,
        aiModelKey ?? null,
        instructions ?? null,
        policy ? JSON.stringify(policy) : null,
        ctx.now(),
        usableBy ?? null,
      ],
    );
    const changed = await readableAiLenser(ctx, id);
    await recordAudit(ctx, {
      accountId: owner.id,
      action: 'ai_lenser.updated',
      target: { kind: 'ai_lenser', id },
      details: { members },
    });
    return changed;
  });
}
