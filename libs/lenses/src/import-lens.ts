import { type Context, badInput, nestBadInput, newId } from '@lensforge/core';
import { publishEvent, inTransaction } from '@lensforge/database';
import { gt, valid } from 'semver';
import { toTemplateBody } from './messages.js';
import { readImportedIncludes } from './includes.js';
import { ParsedTemplate } from './template.js';
import { toStoredSettings } from './lens-settings.js';
import { deriveParams, requireSameParams } from './contract.js';
import { requireAccount } from './create-lens.js';
import { type LensDocument, maxVersions } from './export-lens.js';
import { requireValidLabel } from '@lensforge/releases';
import { lensLabels } from './version-reads.js';
import { updateLens } from './update-lens.js';
import { readTags } from './tags.js';
import { type VersionRow, insertLens } from './write-lens.js';

/** Creates a lens of the caller from an exported document. */
export async function importLens(ctx: Context, document: LensDocument): Promise<{ lensId: string }> {
  requireAccount(ctx);
  const versions = toVersionRows(document);
  const idsBySemver = new Map(versions.map(({ semver, id }) => [semver, id]));
  const labels = new Map(
    document.labels.map(({ label, semver }) => [label, findVersionId(label, semver, idsBySemver)]),
  );
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
    for (const [label, versionId] of labels)
      await lensLabels.set(ctx, { id: lensId, accountId: ctx.actor.accountId }, { label, versionId });
    if (document.defaultLabel) await updateLens(ctx, { lensId, defaultLabel: document.defaultLabel });
  });
  return { lensId };
}

/** Versions and parameters get new ids; a parameter keeps its id across versions while its label stays. */
function toVersionRows({ versions }: LensDocument): VersionRow[] {
  if (versions.length === 0 || versions.length > maxVersions) {
    throw badInput('versions', `must hold 1 to ${maxVersions} versions`);
  }
  let before: VersionRow | undefined;
  return versions.map((version, index) => {
    const { semver } = version;
    if (valid(semver) !== semver || (before && !gt(semver, before.semver))) {
      throw badInput(`versions.${index}.semver`, `must be a version number above the one before it; got ${semver}`);
    }
    try {
      before = toVersionRow(version, before?.params);
    } catch (reason) {
      throw nestBadInput(`versions.${index}`, reason);
    }
    return before;
  });
}

function toVersionRow(version: LensDocument['versions'][0], before: VersionRow['params'] | undefined): VersionRow {
  const { semver, templateBody, changelog } = version;
  toTemplateBody({ templateBody });
  const includes = readImportedIncludes(version.includes);
  const template = new ParsedTemplate(templateBody, includes);
  const settings = toStoredSettings(version.settings, template);
  const params = deriveParams(template, before, settings);
  requireSameParams(params, version.params);
  return {
    id: newId(),
    semver,
    templateBody,
    params,
    settings,
    includes,
    changelog,
    createdAt: new Date(version.createdAt),
  };
}

function findVersionId(label: string, semver: string, idsBySemver: ReadonlyMap<string, string>): string {
  requireValidLabel(label);
  const version = idsBySemver.get(semver);
  if (version === undefined) throw badInput('labels', `${label} points at ${semver}, which is not among the versions`);
  return version;
}
