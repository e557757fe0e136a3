import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableLens } from './access.js';
import { type LensState, markPublished } from './publish-lens.js';
import { Lens } from './lens.entity.js';

/** Gives an archived lens the status that it had before. */
export function restoreLens(ctx: Context, lensId: string): Promise<LensState> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    if (lens.status !== 'archived') {
      throw new DomainError(
        'INVALID_TRANSITION',
        `Only an archived lens can be restored, and this one is ${lens.status}`,
      );
    }
    const [{ was }] = await ctx.db.query<[{ was: 'draft' | 'published' }]>(
      `select coalesce(archived_from, 'published') as was from lenses where id = $1`,
      [lens.id],
    );
    if (was === 'published') await markPublished(ctx, lens);
    else {
      await ctx.db.update(Lens, { id: lens.id }, { status: 'draft', archivedFrom: null, updatedAt: ctx.now() });
    }
    return { lensId: lens.id, status: was };
  });
}
