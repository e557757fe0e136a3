import type { Context } from '@lensforge/core';
import { readableLens } from './access.js';
import { type ValueCheck, checkValues } from './template.js';
import { type VersionOf, readLensVersion } from './version-reads.js';

export interface ValuesToCheck extends VersionOf {
  values: Readonly<Record<string, unknown>>;
}

/** Checks values for a run. Unknown names are reported but do not make the values invalid. */
export async function validateLensParams(
  ctx: Context,
  { lensId, version, values }: ValuesToCheck,
): Promise<ValueCheck> {
  const { params } = await readLensVersion(ctx.db, await readableLens(ctx, lensId), version);
  return checkValues(params, values);
}
