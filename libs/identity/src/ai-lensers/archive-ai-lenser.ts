import { recordAudit } from '@lensforge/audit';
import type { AiLenser } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { ownedAiLenser, readableAiLenser } from './ai-lenser-access.js';

/** Archives an AI lenser of the caller permanently. Its handle stays reserved. A repeated call has no effect. */
export function archiveAiLenser(ctx: Context, aiLenserId: string): Promise<AiLenser> {
  return inTransaction(ctx, async (ctx) => {
    const { id, owner, handle } = await ownedAiLenser(ctx, aiLenserId);
    const [, archived] = await ctx.db.query<[unknown, number]>(
      'update ai_lensers set archived_at = $2, updated_at = $2 where account_id = $1 and archived_at is null',
      [id, ctx.now()],
    );
    const aiLenser = await readableAiLenser(ctx, id);
    if (archived > 0) {
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
