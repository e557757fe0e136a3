import type { Context } from '@lensforge/core';
import { publishEvent } from '@lensforge/database';
import type { LabelArm } from '@lensforge/contracts';
import { requireMayLeave } from '@lensforge/releases';
import type { LensHead } from './access.js';
import { Lens } from './lens.entity.js';
import type { VersionDetail } from './shapes.js';
import { lensLabels } from './version-reads.js';
import { insertTerms, searchArguments } from './write-lens.js';

/** Refuses credentials that may not move a label. */
export async function requireMayMove(ctx: Context, lensId: string, label: string): Promise<void> {
  const found = await lensLabels.read(ctx, lensId, label);
  if (found) requireMayLeave(ctx, found);
}

/** Gives another version or other arms to callers that name none, after a move of the default label. */
export async function serveVersion(
  ctx: Context,
  lens: LensHead,
  version: VersionDetail,
  arms: LabelArm[] | null,
): Promise<void> {
  if (arms !== null || lens.servedArms !== null) {
    await ctx.db.update(Lens, { id: lens.id }, { servedArms: arms, updatedAt: ctx.now() });
  }
  if (version.id === lens.servedVersionId) return;
  const { title, tags, description } = lens;
  await insertTerms(ctx, [title, ...tags, description, version.templateBody]);
  await ctx.db.query(
    `update lenses set served_version_id = $2, updated_at = $3, search_vector = lens_search_vector($4, $5, $6, $7)
      where id = $1`,
    [lens.id, version.id, ctx.now(), ...searchArguments(lens, version.templateBody)],
  );
  await publishVersion(ctx, lens, version);
}

/** Publishes the event that callers of a published lens get another version. */
export async function publishVersion(
  ctx: Context,
  { id, accountId, status }: LensHead,
  { semver }: Pick<VersionDetail, 'semver'>,
): Promise<void> {
  if (status === 'published') await publishEvent(ctx, accountId, 'lens.published', { lensId: id, version: semver });
}
