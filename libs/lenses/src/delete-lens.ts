import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';
import { Lens } from './lens.entity.js';

/** Marks a lens as deleted, which hides it from every query. Its runs keep the version that they pinned. */
export function deleteLens(ctx: Context, lensId: string): Promise<{ deleted: true; lensId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    await ctx.db.update(Lens, { id: lens.id }, { deletedAt: ctx.now(), updatedAt: ctx.now() });
    await recordAudit(ctx, {
      accountId: lens.accountId,
      action: 'lens.deleted',
      target: { kind: 'lens', id: lens.id },
      details: { title: lens.title },
    });
    return { deleted: true, lensId: lens.id };
  });
}
