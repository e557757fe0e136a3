import type { Context } from '@lensforge/core';
import { readableLens } from './access.js';
import { type LensParam, rawTokens } from './template.js';
import { type VersionOf, readLensVersion } from './version-reads.js';

export interface ExtractedParams {
  lensId: string;
  versionId: string;
  params: LensParam[];
  /** Distinct tokens as written, in order of appearance. */
  rawTokensInTemplate: string[];
}

/** The parameters of a version of a lens. */
export async function extractLensParams(ctx: Context, { lensId, version }: VersionOf): Promise<ExtractedParams> {
  const { id, params, templateBody, ...found } = await readLensVersion(
    ctx.db,
    await readableLens(ctx, lensId),
    version,
  );
  return { lensId: found.lensId, versionId: id, params, rawTokensInTemplate: rawTokens(templateBody) };
}
