import { type Context, DomainError, badInput } from '@lensforge/core';
import { type LensHead, canSee, headColumns } from './access.js';
import { type LensInclude, type NamedLens, listNamedLenses } from './include-tags.js';
import type { LensVisibility } from './lens.entity.js';
import { listNamed } from './named-lenses.js';
import { readLensVersion } from './version-reads.js';

const maxIncludes = 20;
const maxText = 100_000;

/** A lens that a tag names. Its title may be that of several. */
async function findNamed(ctx: Context, { tag, handle, lens }: NamedLens): Promise<LensHead> {
  const [found, other] = await listNamed(ctx, { handle, lens });
  if (!found) {
    throw badInput(
      'templateBody',
      `[[${tag}]] names no lens that you can see: write the handle of its owner, and its title with - between words or its id`,
    );
  }
  if (other)
    throw badInput('templateBody', `[[${tag}]] names several lenses: write the id of one in place of its title`);
  return found;
}

/** The place of a lens that includes others. */
export interface IncludingLens {
  visibility: LensVisibility;
  accountId: string;
}

/** Pins the lenses that a text names to the versions that they have now; null without any. */
export async function resolveIncludes(
  ctx: Context,
  templateBody: string,
  including: IncludingLens,
): Promise<LensInclude[] | null> {
  const named = listNamedLenses(templateBody);
  if (named.length > maxIncludes)
    throw badInput('templateBody', `includes ${named.length} lenses; the limit is ${maxIncludes}`);
  const includes: LensInclude[] = [];
  for (const each of named) {
    const lens = await findNamed(ctx, each);
    refuseHidden([lens], including);
    const { id, semver, template } = await readLensVersion(ctx.db, lens, each.version);
    if (template.parts)
      throw badInput('templateBody', `[[${each.tag}]] has messages: only a lens that is one text can be included`);
    includes.push({ tag: each.tag, lensId: lens.id, versionId: id, semver, text: template.text });
  }
  requireShortIncludes(includes);
  return includes.length > 0 ? includes : null;
}

/** An include without the ids of its platform. */
export type ExportedInclude = Pick<LensInclude, 'tag' | 'semver' | 'text'>;

/** The includes of a lens of another platform. */
export function readImportedIncludes(given: readonly ExportedInclude[] | null | undefined): LensInclude[] | null {
  const includes = (given ?? []).map((include) => ({ ...include, lensId: null, versionId: null }));
  requireShortIncludes(includes);
  return includes.length > 0 ? includes : null;
}

function requireShortIncludes(includes: readonly LensInclude[]): void {
  const length = includes.reduce((sum, { text }) => sum + text.length, 0);
  if (length > maxText)
    throw badInput('templateBody', `includes ${length} characters of other lenses; the limit is ${maxText}`);
}

const audiences: readonly LensVisibility[] = ['private', 'community', 'public'];

/** A lens shows what it includes, so that lenses of others must be as visible as it is. */
function refuseHidden(
  lenses: readonly Pick<LensHead, 'id' | 'accountId' | 'visibility'>[],
  { visibility, accountId }: IncludingLens,
): void {
  const hidden = lenses.find(
    (lens) => lens.accountId !== accountId && audiences.indexOf(lens.visibility) < audiences.indexOf(visibility),
  );
  if (!hidden) return;
  const message = `The lens includes ${hidden.id} of another owner, which is ${hidden.visibility}: it can be ${hidden.visibility} at most`;
  throw new DomainError('CONFLICT', message);
}

/** Refuses to show a lens to more than may see what it includes. */
export async function requireVisibleIncludes(
  { db }: Context,
  includes: readonly LensInclude[] | null,
  including: IncludingLens,
): Promise<void> {
  const ids = (includes ?? []).flatMap(({ lensId }) => lensId ?? []);
  if (ids.length === 0) return;
  refuseHidden(
    await db.query<LensHead[]>('select id, account_id as "accountId", visibility from lenses where id = any($1)', [
      ids,
    ]),
    including,
  );
}

/** Advice about includes that stand for a newer version now. */
export async function listNewerIncludes(ctx: Context, includes: readonly LensInclude[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { tag, lensId, versionId, semver } of includes) {
    const newest = lensId === null ? undefined : await readNewest(ctx, lensId, tag.split('@')[1]);
    if (newest && newest.id !== versionId) {
      lines.push(
        `[[${tag}]] is pinned to ${semver} and stands for ${newest.semver} now: save the text again to take it.`,
      );
    }
  }
  return lines;
}

/** The version that a tag stands for now; undefined when the caller cannot see it, or its label went. */
async function readNewest(
  ctx: Context,
  lensId: string,
  version: string | undefined,
): Promise<{ id: string; semver: string } | undefined> {
  const [lens] = await ctx.db.query<LensHead[]>(
    `select ${headColumns} from lenses l where l.id = $1 and l.deleted_at is null`,
    [lensId],
  );
  if (!lens || !canSee(ctx, lens)) return undefined;
  return readLensVersion(ctx.db, lens, version).catch((reason: unknown) => {
    if (reason instanceof DomainError && reason.code === 'NOT_FOUND') return undefined;
    throw reason;
  });
}
