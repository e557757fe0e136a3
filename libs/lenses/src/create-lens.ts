import type { LensSettings } from '@lensforge/contracts';
import { type Context, DomainError, badInput, isServiceRole, newId, platformActor } from '@lensforge/core';
import { publishEvent, inTransaction } from '@lensforge/database';
import { type ParamRequest, deriveParams, requireSameParams } from './contract.js';
import { Lens, type LensVisibility } from './lens.entity.js';
import { readSettings, toStoredSettings } from './lens-settings.js';
import { LensVersion } from './lens-version.entity.js';
import { type LensMessage, toTemplateBody } from './messages.js';
import { type ExportedInclude, readImportedIncludes, resolveIncludes } from './includes.js';
import { readTags } from './tags.js';
import { ParsedTemplate } from './template.js';
import { type LensRow, type VersionRow, insertLens } from './write-lens.js';

export interface NewLens {
  title: string;
  description?: string | undefined;
  /** This or messages. */
  templateBody?: string | undefined;
  messages?: readonly LensMessage[] | undefined;
  settings?: LensSettings | null | undefined;
  /** For a lens of another platform, whose models and included lenses may be unknown here. */
  imported?: { includes: readonly ExportedInclude[] | null } | undefined;
  visibility?: LensVisibility | undefined;
  /** Published when absent. */
  status?: 'draft' | 'published' | undefined;
  tags?: readonly string[] | undefined;
  /** Must match the template; optional. */
  params?: readonly ParamRequest[] | undefined;
}

export interface CreatedLens {
  lens: Lens;
  version: LensVersion;
}

/** Creates a lens of the caller with version 1.0.0. */
export async function createLens(ctx: Context, input: NewLens): Promise<CreatedLens> {
  const templateBody = toTemplateBody(input);
  if (templateBody === undefined) throw badInput('templateBody', 'is required, unless there are messages');
  const including = { visibility: input.visibility ?? 'public', accountId: ctx.actor.accountId };
  const includes = input.imported
    ? readImportedIncludes(input.imported.includes)
    : await resolveIncludes(ctx, templateBody, including);
  const template = new ParsedTemplate(templateBody, includes);
  const settings = input.imported
    ? toStoredSettings(input.settings, template)
    : await readSettings(ctx, input.settings, template);
  requireSameParams(deriveParams(template, [], settings), input.params);
  return insertNewLens(ctx, { ...input, templateBody, settings, includes, parentLensId: null });
}

/** Inserts a lens with version 1.0.0 and publishes an event if the lens is published. */
export async function insertNewLens(
  ctx: Context,
  input: NewLens & Pick<VersionRow, 'templateBody' | 'settings' | 'includes'> & { parentLensId: string | null },
): Promise<CreatedLens> {
  requireAccount(ctx);
  const now = ctx.now();
  const version: VersionRow = {
    id: newId(),
    semver: '1.0.0',
    templateBody: input.templateBody,
    params: deriveParams(new ParsedTemplate(input.templateBody, input.includes), [], input.settings),
    settings: input.settings,
    includes: input.includes,
    changelog: '',
    createdAt: now,
  };
  const lens: LensRow = {
    id: newId(),
    title: input.title,
    description: input.description ?? '',
    visibility: input.visibility ?? 'public',
    status: input.status ?? 'published',
    archivedFrom: null,
    tags: readTags(input.tags ?? []),
    parentLensId: input.parentLensId,
    createdAt: now,
  };
  const { accountId } = ctx.actor;
  await inTransaction(ctx, async (ctx) => {
    if (lens.status === 'published') {
      await publishEvent(ctx, accountId, 'lens.published', { lensId: lens.id, version: version.semver });
    }
    await insertLens(ctx, lens, [version]);
  });
  const dates = { updatedAt: now, deletedAt: null };
  return {
    lens: ctx.db.create(Lens, { ...lens, ...dates, tags: [...lens.tags], accountId, headVersionId: version.id }),
    version: ctx.db.create(LensVersion, {
      ...version,
      params: [...version.params],
      includes: version.includes && [...version.includes],
      isCandidate: false,
      lensId: lens.id,
    }),
  };
}

/** Refuses callers that cannot own a lens: the platform itself and anonymous credentials. */
export function requireAccount(ctx: Context): void {
  if (isServiceRole(ctx) && ctx.actor.accountId !== platformActor.accountId) return;
  if (isServiceRole(ctx) || ctx.actor.credential.kind === 'anonymous') {
    throw new DomainError('MISSING_LENSER', 'This credential acts for no account: a lens needs an owner');
  }
}
