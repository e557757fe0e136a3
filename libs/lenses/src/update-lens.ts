import type { LabelArm, LensSettings } from '@lensforge/contracts';
import { type Context, badInput, newId, requireNewestBase } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type LensHead, writableLens } from './access.js';
import {
  type ParamRequest,
  contractChange,
  describeChange,
  higherBump,
  nextSemver,
  deriveParams,
  requireSameParams,
} from './contract.js';
import { bumpOfSettings, haveSameSettings, listSettingChanges, readSettings } from './lens-settings.js';
import { type LensMessage, readMessages, toTemplateBody } from './messages.js';
import type { LensVisibility } from './lens.entity.js';
import { type LensInclude, haveSameIncludes, listIncludeChanges } from './include-tags.js';
import { requireVisibleIncludes, resolveIncludes } from './includes.js';
import { keepTypes } from './param-types.js';
import type { VersionDetail } from './shapes.js';
import { type LensParam, ParsedTemplate } from './template.js';
import { readTags } from './tags.js';
import { publishVersion, requireMayMove } from './serve-version.js';
import { lensLabels, versionById } from './version-reads.js';
import { insertTerms, insertVersion, searchArguments } from './write-lens.js';

export interface LensChange {
  lensId: string;
  templateBody?: string | undefined;
  /** Instead of templateBody. */
  messages?: readonly LensMessage[] | undefined;
  /** null removes them. */
  settings?: LensSettings | null | undefined;
  /** Must match the template, the new one if given; optional. */
  params?: readonly ParamRequest[] | undefined;
  visibility?: LensVisibility | undefined;
  title?: string | undefined;
  description?: string | undefined;
  tags?: readonly string[] | undefined;
  /** For the new version; describes the change of parameters when absent. */
  changelog?: string | undefined;
  /** The version on which the template was made; another newest version refuses it. */
  baseVersionId?: string | undefined;
  /** The label whose version callers get that name none; null for the newest version. */
  defaultLabel?: string | null | undefined;
}

/**
 * Changes a lens and returns its head version; a different template creates a new version. The lens is locked, so that
 * concurrent changes each create a version.
 */
export function updateLens(ctx: Context, input: LensChange): Promise<VersionDetail> {
  return inTransaction(ctx, async (ctx) => {
    const lens = await writableLens(ctx, input.lensId);
    const head = await versionById(ctx.db, lens.headVersionId);
    const found = await readContent(ctx, { lens, head }, input);
    requireSameParams(found.params, input.params);
    const content = { ...input, ...found };
    if (lens.defaultLabel !== null && input.defaultLabel !== undefined && input.defaultLabel !== lens.defaultLabel) {
      await requireMayMove(ctx, lens.id, lens.defaultLabel);
    }
    const version = isSameContent(found, head) ? head : await addVersion(ctx, lens, head, content);
    await writeChange(ctx, lens, content, version);
    return version;
  });
}

/** The content of a version. */
export interface VersionContent {
  templateBody: string;
  params: LensParam[];
  settings: LensSettings | null;
  includes: LensInclude[] | null;
}

/** A change with the whole content of the version after it. */
type LensContent = Omit<LensChange, 'params'> & VersionContent;

/** The content of the version that a change makes out of the newest one. */
export async function readContent(
  ctx: Context,
  { lens, head }: { lens: LensHead; head: VersionDetail },
  input: Pick<LensChange, 'templateBody' | 'messages' | 'settings' | 'visibility'>,
): Promise<VersionContent> {
  const given = toTemplateBody(input);
  const templateBody = given ?? head.templateBody;
  const including = { visibility: input.visibility ?? lens.visibility, accountId: lens.accountId };
  const includes = given === undefined ? head.includes : await resolveIncludes(ctx, given, including);
  await requireVisibleIncludes(ctx, includes, including);
  const template = new ParsedTemplate(templateBody, includes);
  const settings =
    input.settings === undefined
      ? keepTypes(head.settings, template)
      : await readSettings(ctx, input.settings, template);
  return { templateBody, params: deriveParams(template, head.params, settings), settings, includes };
}

export const isSameContent = (content: VersionContent, head: VersionContent): boolean =>
  content.templateBody === head.templateBody &&
  haveSameSettings(content.settings, head.settings) &&
  haveSameIncludes(content.includes, head.includes);

async function addVersion(
  ctx: Context,
  lens: LensHead,
  head: VersionDetail,
  { templateBody, params, settings, includes, changelog, baseVersionId }: LensContent,
): Promise<VersionDetail> {
  requireNewestBase(head.id, baseVersionId);
  const change = contractChange(head.params, params);
  const bump = higherBump(change.bump, bumpOfSettings(head, { params, settings }));
  const changedSettings = [
    ...listSettingChanges(head.settings, settings),
    ...listIncludeChanges(head.includes, includes),
  ].map(({ name }) => name);
  const now = ctx.now();
  const version: VersionDetail = {
    id: newId(),
    lensId: lens.id,
    semver: nextSemver(head.semver, bump),
    templateBody,
    messages: readMessages(templateBody) ?? null,
    params,
    settings,
    includes,
    changelog: changelog ?? describeChange(change, changedSettings),
    createdAt: now.toISOString(),
  };
  await insertVersion(ctx, lens.id, { ...version, createdAt: now });
  return version;
}

async function writeChange(ctx: Context, lens: LensHead, input: LensContent, version: VersionDetail): Promise<void> {
  const changed = {
    title: input.title ?? lens.title,
    description: input.description ?? lens.description,
    tags: input.tags ? readTags(input.tags) : lens.tags,
    visibility: input.visibility ?? lens.visibility,
    defaultLabel: input.defaultLabel === undefined ? lens.defaultLabel : input.defaultLabel,
  };
  const isSame =
    version.id === lens.headVersionId &&
    (['title', 'description', 'visibility', 'defaultLabel'] as const).every((name) => changed[name] === lens[name]) &&
    changed.tags.join('\n') === lens.tags.join('\n');
  if (isSame) return;
  const { served, arms } =
    changed.defaultLabel === null
      ? { served: version, arms: null }
      : await readDefault(ctx, lens, changed.defaultLabel);
  await insertTerms(ctx, [changed.title, ...changed.tags, changed.description, served.templateBody]);
  await ctx.db.query(
    `update lenses set title = $2, description = $3, tags = $4, visibility = $5, head_version_id = $6, updated_at = $7,
            default_label = $8, served_version_id = $9, served_arms = $10, search_vector = lens_search_vector($11, $12, $13, $14)
      where id = $1`,
    [
      lens.id,
      changed.title,
      changed.description,
      changed.tags,
      changed.visibility,
      version.id,
      ctx.now(),
      changed.defaultLabel,
      changed.defaultLabel === null ? null : served.id,
      arms && JSON.stringify(arms),
      ...searchArguments(changed, served.templateBody),
    ],
  );
  if (served.id !== lens.servedVersionId) await publishVersion(ctx, lens, served);
}

/** The version of a label that is to be the default. */
async function readDefault(
  ctx: Context,
  lens: LensHead,
  label: string,
): Promise<{ served: VersionDetail; arms: LabelArm[] | null }> {
  const found = await lensLabels.read(ctx, lens.id, label);
  if (!found) throw badInput('defaultLabel', `"${label.slice(0, 80)}" is no label of this lens: set the label first`);
  return { served: await versionById(ctx.db, found.versionId), arms: found.arms };
}
