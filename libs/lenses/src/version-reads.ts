import { isUuid, notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { valid } from 'semver';
import type { VersionDetail } from './shapes.js';
import { type LensParam, ParsedTemplate } from './template.js';

const columns = `
  v.id, v.lens_id as "lensId", v.semver, v.template_body as "templateBody", v.params, v.changelog,
  iso(v.created_at) as "createdAt"`;
const byId = preparedStatement(`select ${columns} from lens_versions v where v.id = $1`);
const bySemver = `select ${columns} from lens_versions v where v.lens_id = $1 and v.semver = $2`;
const byLabel = `select ${columns} from lens_labels l join lens_versions v on v.id = l.version_id where l.lens_id = $1 and l.label = $2`;

/** A version as it is stored; its template is parsed on first use. */
export class StoredVersion implements VersionDetail {
  readonly id!: string;
  readonly lensId!: string;
  readonly semver!: string;
  readonly templateBody!: string;
  readonly params!: LensParam[];
  readonly changelog!: string;
  readonly createdAt!: string;
  #template?: ParsedTemplate;

  constructor(row: VersionDetail) {
    Object.assign(this, row);
  }

  get template(): ParsedTemplate {
    return (this.#template ??= new ParsedTemplate(this.templateBody));
  }
}

/** Versions never change. Callers check access to the lens before they read this cache. */
const versions = new LRUCache<string, StoredVersion>({
  max: 5000,
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ templateBody, params }) => templateBody.length * 2 + params.length * 100 + 300,
});

export async function versionById(db: EntityManager, id: string): Promise<StoredVersion> {
  const found = await findById(db, id);
  if (!found) throw notFound('lens version', id);
  return found;
}

async function findById(db: EntityManager, id: string): Promise<StoredVersion | undefined> {
  const known = versions.get(id);
  if (known) return known;
  const found = await readVersion(db, byId, [id]);
  if (found && !db.queryRunner) versions.set(id, found);
  return found;
}

export interface VersionOf {
  lensId: string;
  /** The id of a version, its number or a label; the head when absent. */
  version?: string | undefined;
}

export interface HeadRef {
  id: string;
  headVersionId: string;
}

/** A version of a lens by id, number or label, or its head. Access to the lens must be checked before. */
export async function readLensVersion(db: EntityManager, lens: HeadRef, name?: string): Promise<StoredVersion> {
  if (name === undefined) return versionById(db, lens.headVersionId);
  const found = await findByName(db, lens.id, name);
  if (found?.lensId !== lens.id) throw notFound('version of this lens', name);
  return found;
}

async function findByName(db: EntityManager, lensId: string, name: string): Promise<StoredVersion | undefined> {
  if (isUuid(name)) return findById(db, name.toLowerCase());
  return readVersion(db, valid(name) === name ? bySemver : byLabel, [lensId, name]);
}

async function readVersion(db: EntityManager, sql: string, values: string[]): Promise<StoredVersion | undefined> {
  const [row] = await db.query<VersionDetail[]>(sql, values);
  return row && new StoredVersion(row);
}
