import { type Context, badInput, notFound } from '@lensforge/core';
import { readableLens } from './access.js';
import type { VersionDetail } from './shapes.js';
import { readLensVersion } from './version-reads.js';

export interface VersionChoice {
  lensId: string;
  versionId?: string | undefined;
  semver?: string | undefined;
  /** An id, a version number or a label. */
  version?: string | undefined;
}

/** A version of a lens. If both an id and a number are given, they must name the same version. */
export async function getLensVersion(ctx: Context, choice: VersionChoice): Promise<VersionDetail> {
  const { lensId, versionId, semver, version } = choice;
  const name = versionId ?? semver ?? version;
  if (name === undefined) throw badInput('', 'Either version_id or semver is required');
  const found = await readLensVersion(ctx.db, await readableLens(ctx, lensId), name);
  if (semver !== undefined && found.semver !== semver) throw notFound('version of this lens', semver);
  return found;
}
