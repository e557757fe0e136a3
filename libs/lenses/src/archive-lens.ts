import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';

/** Hides a lens from listings and from other accounts; restoreLens undoes it. */
export function archiveLens(ctx: Context, lensId: string): Promise<{ lensId: string; status: 'archived' }> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    if (lens.status !== 'archived') {
      await ctx.db.query(
        `update lenses set status = 'archived', archived_from = status, updated_at = $2 where id = $1`,
        [lens.id, ctx.now()],
      );
    }
    return { lensId: lens.id, status: 'archived' };
  });
}
