import type { LabelArm, LensSettings } from '@lensforge/contracts';
import { type Context, isUuid, notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { chooseArm, isLabelName, Labels } from '@lensforge/releases';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { valid } from 'semver';
import type { LensInclude } from './include-tags.js';
import { type LensMessage, readMessages, writeMessages } from './messages.js';
import { toTypedValues } from './param-types.js';
import type { VersionDetail } from './shapes.js';
import { type Example, type LensParam, ParsedTemplate, type Resolution, resolveTemplate } from './template.js';

const columns = `
  v.id, v.lens_id as "lensId", v.semver, v.template_body as "templateBody", v.params, v.settings, v.includes, v.changelog,
  iso(v.created_at) as "createdAt"`;
const byIds = preparedStatement(`select ${columns} from lens_versions v where v.id = any($1)`);
const bySemver = `select ${columns} from lens_versions v where v.lens_id = $1 and v.semver = $2`;
const byLabel = `select ${columns} from lens_labels l join lens_versions v on v.id = l.version_id where l.lens_id = $1 and l.label = $2`;

type Row = Omit<VersionDetail, 'messages'>;

/** A version as it is stored; its template is parsed on first use. */
export class StoredVersion implements VersionDetail {
  readonly id!: string;
  readonly lensId!: string;
  readonly semver!: string;
  readonly templateBody!: string;
  readonly messages!: LensMessage[] | null;
  readonly params!: LensParam[];
  readonly settings!: LensSettings | null;
  readonly includes!: LensInclude[] | null;
  readonly changelog!: string;
  readonly createdAt!: string;
  #template?: ParsedTemplate;

  constructor(row: Row) {
    Object.assign(this, row, { messages: readMessages(row.templateBody) ?? null });
  }

  /** The values of a request by the types of the parameters, with defaults. */
  toValues(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return toTypedValues(this.settings, given);
  }

  /** The request to a model with these values, after the examples. */
  resolve(values: Readonly<Record<string, unknown>>): Resolution {
    return resolveTemplate(this.template, values, this.#examples());
  }

  get hasExamples(): boolean {
    return (this.settings?.examples ?? []).length > 0;
  }

  /** A filled template as one text; with examples, that of the whole conversation. */
  toText(parts: readonly string[], values: Readonly<Record<string, unknown>>): string {
    const resolved = this.hasExamples ? this.resolve(values) : undefined;
    if (!resolved || 'missing' in resolved) return parts.join('');
    const { system, prompt, messages = [] } = resolved;
    return writeMessages([
      ...(system === undefined ? [] : [{ role: 'system' as const, text: system }]),
      { role: 'user', text: prompt },
      ...messages,
    ]);
  }

  #examples(): readonly Example[] | undefined {
    return this.settings?.examples?.map(({ params, answer }) => ({ params: this.toValues(params), answer }));
  }

  get template(): ParsedTemplate {
    return (this.#template ??= new ParsedTemplate(this.templateBody, this.includes));
  }
}

export const lensLabels = new Labels<{ id: string; semver: string }>('lens');

/** Versions never change. Callers check access to the lens before they read this cache. */
const versions = new LRUCache<string, StoredVersion>({
  max: 10_000,
  maxSize: 48 * 1024 * 1024,
  // The text, its messages, and its template.
  sizeCalculation: ({ templateBody, params, settings, includes }) =>
    (templateBody.length + (includes ?? []).reduce((sum, { text }) => sum + text.length, 0)) * 4 +
    params.length * 100 +
    (settings ? JSON.stringify(settings).length * 2 : 0) +
    300,
});

export async function versionById(db: EntityManager, id: string): Promise<StoredVersion> {
  const found = (await versionsByIds(db, [id])).get(id);
  if (!found) throw notFound('lens version', id);
  return found;
}

/** Versions by their ids, those that exist. */
export async function versionsByIds(db: EntityManager, ids: readonly string[]): Promise<Map<string, StoredVersion>> {
  const found = new Map<string, StoredVersion>();
  const unknown: string[] = [];
  for (const id of ids) {
    const known = versions.get(id);
    if (known) found.set(id, known);
    else unknown.push(id);
  }
  if (unknown.length === 0) return found;
  for (const row of await db.query<Row[]>(byIds, [unknown])) {
    const version = new StoredVersion(row);
    found.set(version.id, version);
    if (!db.queryRunner) versions.set(version.id, version);
  }
  return found;
}

export interface VersionOf {
  lensId: string;
  /** The id of a version, its number or a label; when absent, the one that lenses give to such callers. */
  version?: string | undefined;
}

export interface ServedLens {
  id: string;
  servedVersionId: string;
}

/** A version of a lens by id, number or label, or the one without a name. Access to the lens must be checked before. */
export async function readLensVersion(db: EntityManager, lens: ServedLens, name?: string): Promise<StoredVersion> {
  if (name === undefined) return versionById(db, lens.servedVersionId);
  const found = await findByName(db, lens.id, name);
  if (found?.lensId !== lens.id) throw notFound('version of this lens', name);
  return found;
}

/** A lens whose default label may have arms. */
export interface ReleasedLens extends ServedLens {
  defaultLabel: string | null;
  servedArms: LabelArm[] | null;
}

/** The version of an execution, and the label that decided about it. */
export interface ChosenVersion {
  version: StoredVersion;
  label: string | null;
  /** Its number, when the label has arms. */
  arm: string | null;
}

/** The version of a lens for an execution, by id, number or label, or the one without a name. */
export async function chooseVersion(
  db: EntityManager,
  lens: ReleasedLens,
  { name, stickyHash }: { name: string | undefined; stickyHash: string },
): Promise<ChosenVersion> {
  if (name !== undefined && !isLabelName(name))
    return { version: await readLensVersion(db, lens, name), label: null, arm: null };
  const label = name ?? lens.defaultLabel;
  if (label === null) return { version: await versionById(db, lens.servedVersionId), label, arm: null };
  const split =
    name === undefined
      ? { versionId: lens.servedVersionId, arms: lens.servedArms }
      : await lensLabels.read({ db }, lens.id, label);
  if (!split) throw notFound('version of this lens', label);
  const version = await versionById(db, chooseArm(split, `${lens.id} ${label}`, stickyHash));
  return { version, label, arm: split.arms && version.semver };
}

async function findByName(db: EntityManager, lensId: string, name: string): Promise<StoredVersion | undefined> {
  const id = name.toLowerCase();
  if (isUuid(name)) return (await versionsByIds(db, [id])).get(id);
  return readVersion(db, valid(name) === name ? bySemver : byLabel, [lensId, name]);
}

async function readVersion(db: EntityManager, sql: string, values: string[]): Promise<StoredVersion | undefined> {
  const [row] = await db.query<Row[]>(sql, values);
  return row && new StoredVersion(row);
}

/** The numbers of versions by their ids. */
export const listLensVersionNames = async (
  { db }: Pick<Context, 'db'>,
  ids: readonly string[],
): Promise<Map<string, string>> => new Map([...(await versionsByIds(db, ids))].map(([id, { semver }]) => [id, semver]));

const equalVersions = `
select b.id from lens_versions a join lens_versions b on b.lens_id = a.lens_id and b.template_body = a.template_body
   and b.settings::jsonb is not distinct from a.settings::jsonb and b.includes is not distinct from a.includes
 where a.id = $1`;

/** The ids of the versions of a lens with the content of one of them: a candidate that was saved later has another id. */
export const listEqualVersions = async ({ db }: Context, versionId: string): Promise<string[]> =>
  (await db.query<{ id: string }[]>(equalVersions, [versionId])).map(({ id }) => id);
