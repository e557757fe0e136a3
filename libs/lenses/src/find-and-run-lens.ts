import type { Context } from '@lensforge/core';
import { readableLens } from './access.js';
import type { LensVisibility } from './lens.entity.js';
import { searchHits } from './search-lenses.js';
import { type LensParam, fillIn } from './template.js';
import { versionById } from './version-reads.js';

export interface LensRequest {
  query: string;
  paramValues?: Readonly<Record<string, unknown>> | undefined;
  visibility?: LensVisibility | undefined;
}

export type FoundLens =
  | { status: 'ready'; resolvedPrompt: string; lensTitle: string; lensDescription: string; lensId: string }
  | { status: 'needs_params'; missing: string[]; allParameters: LensParam[]; lensTitle: string; lensId: string }
  | { status: 'no_match'; query: string };

/** Finds the published lens that matches a query best and fills in its template. */
export async function findAndRunLens(
  ctx: Context,
  { query, paramValues = {}, visibility }: LensRequest,
): Promise<FoundLens> {
  const [best] = await searchHits(ctx, { query, visibility, status: 'published' });
  if (!best) return { status: 'no_match', query };
  const {
    id: lensId,
    title: lensTitle,
    description: lensDescription,
    servedVersionId,
  } = await readableLens(ctx, best.id);
  const version = await versionById(ctx.db, servedVersionId);
  const values = version.toValues(paramValues);
  const filled = fillIn(version.template, values);
  return 'missing' in filled
    ? { status: 'needs_params', missing: filled.missing, allParameters: version.params, lensTitle, lensId }
    : { status: 'ready', resolvedPrompt: version.toText(filled.parts, values), lensTitle, lensDescription, lensId };
}
