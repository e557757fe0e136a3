import { type Context, DomainError, isServiceRole } from '@lensforge/core';
import { publishEvent } from '@lensforge/database';
import type { LensHead } from './access.js';
import { LensLabel } from './lens-label.entity.js';
import type { VersionDetail } from './shapes.js';
import { insertTerms, searchArguments } from './write-lens.js';

export const readLabel = (
  { db }: Context,
  lensId: string,
  label: string,
): Promise<Pick<LensLabel, 'versionId' | 'protected'> | null> =>
  db.findOne(LensLabel, { select: { versionId: true, protected: true }, where: { lensId, label } });

/** Refuses credentials that may not move a label. */
export async function requireMayMove(ctx: Context, lensId: string, label: string): Promise<void> {
  const found = await readLabel(ctx, lensId, label);
  if (found?.protected) requirePerson(ctx, label);
}

export function requirePerson(ctx: Context, label: string): void {
  if (isServiceRole(ctx) || ctx.actor.credential.kind === 'session') return;
  throw new DomainError(
    'FORBIDDEN',
    `The label ${label.slice(0, 80)} is protected: only a person who is signed in can protect, move or remove it, for example in the console`,
  );
}

/** Gives another version to callers that name none, after a move of the default label. */
export async function serveVersion(ctx: Context, lens: LensHead, version: VersionDetail): Promise<void> {
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
