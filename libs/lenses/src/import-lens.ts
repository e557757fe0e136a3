import type { Context } from '@lensforge/core';
import { badInput, nestBadInput, newId } from '@lensforge/core';
import { publishEvent, inTransaction } from '@lensforge/database';
import { gt, valid } from 'semver';
import { paramsOf, refuseOtherParams } from './contract.js';
import { requireAccount } from './create-lens.js';
import type { LensDocument } from './export-lens.js';
import { mostVersions } from './export-lens.js';
import { refuseLabel } from './set-lens-label.js';
import { readTags } from './tags.js';
import type { WrittenVersion } from './write-lens.js';
import { insertLens } from './write-lens.js';

/** A new lens of the caller's, made of what `exportLens` gave out. */
export async function importLens(ctx: Context, document: LensDocument): Promise<{ lensId: string }> {
  requireAccount(ctx);
  const versions = versionsOf(document);
  const byNumber = new Map(versions.map(({ semver, id }) => [semver, id]));
  const labels = new Map(document.labels.map(({ label, semver }) => [label, pointedAt(label, semver, byNumber)]));
  const lensId = newId();
  const lens = {
    id: lensId,
    title: document.title,
    description: document.description,
    visibility: document.visibility,
    status: document.status,
    archivedFrom: document.status === 'archived' ? ('draft' as const) : null,
    tags: readTags(document.tags),
    parentLensId: null,
    createdAt: ctx.now(),
  };
  await inTransaction(ctx, async (ctx) => {
    const head = versions.at(-1);
    if (lens.status === 'published' && head) {
      await publishEvent(ctx, ctx.actor.accountId, 'lens.published', { lensId, version: head.semver });
    }
    await insertLens(ctx, lens, versions);
    if (labels.size === 0) return;
    await ctx.db.query(
      `insert into lens_labels (lens_id, label, version_id, updated_at)
       select $1, label, version_id, $4 from unnest($2::text[], $3::uuid[]) as x (label, version_id)`,
      [lensId, [...labels.keys()], [...labels.values()], ctx.now()],
    );
  });
  return { lensId };
}

/** Ids are new; within the document a parameter keeps its id where it keeps its label. */
function versionsOf({ versions }: LensDocument): WrittenVersion[] {
  if (versions.length === 0 || versions.length > mostVersions) {
    throw badInput('versions', `must hold 1 to ${mostVersions} versions`);
  }
  let before: WrittenVersion | undefined;
  return versions.map(({ semver, templateBody, params, changelog, createdAt }, index) => {
    if (valid(semver) !== semver || (before && !gt(semver, before.semver))) {
      throw badInput(`versions.${index}.semver`, `must be a version number above the one before it; got ${semver}`);
    }
    try {
      refuseOtherParams(templateBody, params);
    } catch (reason) {
      throw nestBadInput(`versions.${index}`, reason);
    }
    before = {
      id: newId(),
      semver,
      templateBody,
      params: paramsOf(templateBody, before?.params),
      changelog,
      createdAt: new Date(createdAt),
    };
    return before;
  });
}

function pointedAt(label: string, semver: string, byNumber: ReadonlyMap<string, string>): string {
  refuseLabel(label);
  const version = byNumber.get(semver);
  if (version === undefined) throw badInput('labels', `${label} points at ${semver}, which is not among the versions`);
  return version;
}
