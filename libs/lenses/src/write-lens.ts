import type { LensSettings } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import type { LensInclude } from './include-tags.js';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import { searchText, splitTerms } from './search-text.js';
import type { LensParam } from './template.js';

export interface LensRow {
  id: string;
  title: string;
  description: string;
  visibility: LensVisibility;
  status: LensStatus;
  archivedFrom: 'draft' | 'published' | null;
  tags: readonly string[];
  parentLensId: string | null;
  createdAt: Date;
}

export interface VersionRow {
  id: string;
  semver: string;
  templateBody: string;
  params: readonly LensParam[];
  settings: LensSettings | null;
  includes: readonly LensInclude[] | null;
  changelog: string;
  createdAt: Date;
  /** True for a version that is only tried. */
  isCandidate?: boolean | undefined;
}

const insertVersions = `
  insert into lens_versions (id, lens_id, semver, template_body, params, settings, includes, changelog, created_at, is_candidate)
  select "id", "lensId", "semver", "templateBody", "params", "settings"::json, "includes", "changelog", "createdAt", coalesce("isCandidate", false)
    from jsonb_to_recordset($1::jsonb) as x (
      "id" uuid, "lensId" uuid, "semver" text, "templateBody" text, "params" jsonb, "settings" text, "includes" jsonb, "changelog" text,
      "createdAt" timestamptz, "isCandidate" boolean)`;

const insertion = `
with versions as (${insertVersions}
)
insert into lenses (id, account_id, title, description, visibility, status, archived_from, tags, head_version_id,
                    parent_lens_id, created_at, updated_at, search_vector)
values ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, lens_search_vector($13, $14, $15, $16))`;

/** Inserts a lens of the caller with its versions, oldest first; the last version is the head. */
export async function insertLens(ctx: Context, lens: LensRow, versions: readonly VersionRow[]): Promise<void> {
  const head = versions.at(-1);
  if (!head) throw new Error('a lens has at least one version');
  await insertTerms(ctx, [lens.title, ...lens.tags, lens.description, head.templateBody]);
  await ctx.db.query(insertion, [
    toRows(lens.id, versions),
    lens.id,
    ctx.actor.accountId,
    lens.title,
    lens.description,
    lens.visibility,
    lens.status,
    lens.archivedFrom,
    lens.tags,
    head.id,
    lens.parentLensId,
    lens.createdAt,
    ...searchArguments(lens, head.templateBody),
  ]);
}

/** Inserts a version of a lens that exists. */
export async function insertVersion(ctx: Context, lensId: string, version: VersionRow): Promise<void> {
  await ctx.db.query(insertVersions, [toRows(lensId, [version])]);
}

/** Settings are text within the rows, since jsonb changes the order of members. */
const toRows = (lensId: string, versions: readonly VersionRow[]): string =>
  toJsonb(
    versions.map(({ settings, ...version }) => ({ ...version, settings: settings && toJsonb(settings), lensId })),
  );

export interface SearchFields {
  title: string;
  tags: readonly string[];
  description: string;
}

/** The arguments of `lens_search_vector`. */
export const searchArguments = ({ title, tags, description }: SearchFields, templateBody: string): unknown[] => [
  searchText(title),
  tags.map(searchText),
  searchText(description),
  searchText(templateBody),
];

const maxTerms = 300;

/** Stores the first words of each text for fuzzy search. */
export async function insertTerms(ctx: Context, texts: readonly string[]): Promise<void> {
  const terms = splitTerms(texts.map((text) => text.slice(0, 4000)).join('\n'), maxTerms);
  if (terms.length === 0) return;
  await ctx.db.query('insert into search_terms (term) select unnest($1::text[]) order by 1 on conflict do nothing', [
    terms,
  ]);
}
