import { recordAudit } from '@lensforge/audit';
import type { AiLenser as AiLenserShape } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { IsNull } from 'typeorm';
import { ownedAiLenser, readableAiLenser } from './ai-lenser-access.js';
import { AiLenser } from './ai-lenser.entity.js';

/** Archives an AI lenser of the caller permanently. Its handle stays reserved. A repeated call has no effect. */
export function archiveAiLenser(ctx: Context, aiLenserId: string): Promise<AiLenserShape> {
  return inTransaction(ctx, async (ctx) => {
    const { id, owner, handle } = await ownedAiLenser(ctx, aiLenserId);
    const { affected: archived } = await ctx.db.update(
      AiLenser,
      { accountId: id, archivedAt: IsNull() },
      { archivedAt: ctx.now(), updatedAt: ctx.now() },
    );
    const aiLenser = await readableAiLenser(ctx, id);
    if (archived) {
      await recordAudit(ctx, {
        accountId: owner.id,
        action: 'ai_lenser.archived',
        target: { kind: 'ai_lenser', id },
        details: { handle },
      });
    }
    return aiLenser;
  });
}
