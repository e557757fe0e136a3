import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';
import { Lens } from './lens.entity.js';

/** Hides a lens from listings and from other accounts; restoreLens undoes it. */
export function archiveLens(ctx: Context, lensId: string): Promise<{ lensId: string; status: 'archived' }> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    if (lens.status !== 'archived') {
      await ctx.db.update(
        Lens,
        { id: lens.id },
        { status: 'archived', archivedFrom: () => 'status', updatedAt: ctx.now() },
      );
    }
    return { lensId: lens.id, status: 'archived' };
  });
}
