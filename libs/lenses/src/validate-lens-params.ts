import type { Context } from '@lensforge/core';
import { readableLens } from './access.js';
import type { ValueCheck } from './template.js';
import { checkValues } from './template.js';
import type { VersionOf } from './version-reads.js';
import { versionOf } from './version-reads.js';

export interface ValuesToCheck extends VersionOf {
  values: Readonly<Record<string, unknown>>;
}

/** Whether these values would do for a run; unknown names are told and do no harm. */
export async function validateLensParams(
  ctx: Context,
  { lensId, version, values }: ValuesToCheck,
): Promise<ValueCheck> {
  const { templateBody } = await versionOf(ctx.db, await readableLens(ctx, lensId), version);
  return checkValues(templateBody, values);
}
