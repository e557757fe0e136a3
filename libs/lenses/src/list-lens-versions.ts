import type { Context } from '@lensforge/core';
import { readableLens } from './access.js';
import type { VersionSummary } from './shapes.js';

export interface VersionPage {
  lensId: string;
  versions: VersionSummary[];
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}

/** Lists the versions of a lens, newest first. */
export async function listLensVersions(
  ctx: Context,
  { lensId, limit = 1000, offset = 0 }: { lensId: string; limit?: number; offset?: number },
): Promise<VersionPage> {
  const lens = await readableLens(ctx, lensId);
  const [versions, [{ total }]] = await Promise.all([
    ctx.db.query<VersionSummary[]>(
      `select id, semver, changelog, iso(created_at) as "createdAt" from lens_versions
        where lens_id = $1 and not is_candidate order by id desc limit $2 offset $3`,
      [lens.id, limit, offset],
    ),
    ctx.db.query<[{ total: number }]>(
      'select count(*)::int as total from lens_versions where lens_id = $1 and not is_candidate',
      [lens.id],
    ),
  ]);
  return { lensId: lens.id, versions, total, limit, offset, hasMore: offset + versions.length < total };
}
