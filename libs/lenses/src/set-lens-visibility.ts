import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';
import { requireVisibleIncludes } from './includes.js';
import { type LensVisibility, Lens } from './lens.entity.js';
import { versionById } from './version-reads.js';

export interface VisibilityChange {
  lensId: string;
  visibility: LensVisibility;
}

/** Changes the visibility of a lens. */
export function setLensVisibility(ctx: Context, { lensId, visibility }: VisibilityChange): Promise<VisibilityChange> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    if (lens.visibility !== visibility) {
      const { includes } = await versionById(ctx.db, lens.headVersionId);
      await requireVisibleIncludes(ctx, includes, { visibility, accountId: lens.accountId });
      await ctx.db.update(Lens, { id: lens.id }, { visibility, updatedAt: ctx.now() });
    }
    return { lensId: lens.id, visibility };
  });
}
