import { type Context, DomainError } from '@lensforge/core';
import { publishEvent, inTransaction } from '@lensforge/database';
import { type LensHead, writableLens } from './access.js';
import { type LensStatus, Lens } from './lens.entity.js';
import { versionById } from './version-reads.js';

export interface LensState {
  lensId: string;
  status: LensStatus;
}

/** Publishes a draft; a published lens stays as it is. */
export function publishLens(ctx: Context, lensId: string): Promise<LensState> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, lensId);
    if (lens.status === 'archived') {
      throw new DomainError('INVALID_TRANSITION', 'An archived lens cannot be published: restore it first');
    }
    if (lens.status === 'draft') await markPublished(ctx, lens);
    return { lensId: lens.id, status: 'published' };
  });
}

export async function markPublished(ctx: Context, lens: LensHead): Promise<void> {
  const { semver } = await versionById(ctx.db, lens.servedVersionId);
  await publishEvent(ctx, lens.accountId, 'lens.published', { lensId: lens.id, version: semver });
  await ctx.db.update(Lens, { id: lens.id }, { status: 'published', archivedFrom: null, updatedAt: ctx.now() });
}
