import type { LensSettings } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readableLens } from './access.js';
import type { LensInclude } from './include-tags.js';
import type { LensParam } from './template.js';
import { type VersionOf, readLensVersion } from './version-reads.js';

export interface LensText {
  title: string;
  description: string;
  templateBody: string;
  params: LensParam[];
  settings: LensSettings | null;
  includes: LensInclude[] | null;
}

/** The title, description and template of a lens that the caller may see. */
export async function getLensText(ctx: Context, { lensId, version }: VersionOf): Promise<LensText> {
  const lens = await readableLens(ctx, lensId);
  const { templateBody, params, settings, includes } = await readLensVersion(ctx.db, lens, version);
  return { title: lens.title, description: lens.description, templateBody, params, settings, includes };
}
