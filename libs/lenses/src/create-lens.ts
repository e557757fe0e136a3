import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { LensVisibility } from './lens.entity.js';
import { Lens } from './lens.entity.js';
import { LensVersion } from './lens-version.entity.js';
import { templateParams } from './template.js';

export interface NewLens {
  title: string;
  description?: string;
  templateBody: string;
  visibility?: LensVisibility;
}

/** A new lens of the caller's, published, with its version 1.0.0. */
export function createLens(ctx: Context, input: NewLens): Promise<{ lens: Lens; version: LensVersion }> {
  const lensId = newId();
  const versionId = newId();
  return inTransaction(ctx, async (ctx) => {
    const now = ctx.now();
    const lens = ctx.db.create(Lens, {
      id: lensId,
      accountId: ctx.actor.accountId,
      title: input.title,
      description: input.description ?? '',
      visibility: input.visibility ?? 'public',
      status: 'published',
      headVersionId: versionId,
      parentLensId: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    });
    const version = ctx.db.create(LensVersion, {
      id: versionId,
      lensId,
      semver: '1.0.0',
      templateBody: input.templateBody,
      params: templateParams(input.templateBody).map((param) => ({ id: newId(), ...param })),
      changelog: '',
      createdAt: now,
    });
    await ctx.db.insert(Lens, lens);
    await ctx.db.insert(LensVersion, version);
    return { lens, version };
  });
}
