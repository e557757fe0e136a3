import { isUuid, notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { valid } from 'semver';
import type { VersionDetail } from './shapes.js';
import type { ReadTemplate } from './template.js';
import { readTemplate } from './template.js';

const columns = `
  v.id, v.lens_id as "lensId", v.semver, v.template_body as "templateBody", v.params, v.changelog,
  iso(v.created_at) as "createdAt"`;
const byId = preparedStatement(`select ${columns} from lens_versions v where v.id = $1`);
const bySemver = `select ${columns} from lens_versions v where v.lens_id = $1 and v.semver = $2`;
const byLabel = `select ${columns} from lens_labels l join lens_versions v on v.id = l.version_id where l.lens_id = $1 and l.label = $2`;

/** Versions never change. Callers check access to the lens before they read this cache. */
const versions = new LRUCache<string, VersionDetail>({
  max: 5000,
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ templateBody, params }) => templateBody.length * 2 + params.length * 100 + 300,
});

export async function versionById(db: EntityManager, id: string): Promise<VersionDetail> {
  const found = await findById(db, id);
  if (!found) throw notFound('lens version', id);
  return found;
}

async function findById(db: EntityManager, id: string): Promise<VersionDetail | undefined> {
  const known = versions.get(id);
  if (known) return known;
  const [found] = await db.query<VersionDetail[]>(byId, [id]);
  if (found && !db.queryRunner) versions.set(id, found);
  return found;
}

const parsedTemplates = new WeakMap<VersionDetail, ReadTemplate>();

/** The parsed template of a version, cached as long as the version. */
export function templateOf(version: VersionDetail): ReadTemplate {
  let template = parsedTemplates.get(version);
  if (!template) parsedTemplates.set(version, (template = readTemplate(version.templateBody)));
  return template;
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
export async function versionOf(db: EntityManager, lens: HeadRef, name?: string): Promise<VersionDetail> {
  if (name === undefined) return versionById(db, lens.headVersionId);
  const found = await findByName(db, lens.id, name);
  if (found?.lensId !== lens.id) throw notFound('version of this lens', name);
  return found;
}

async function findByName(db: EntityManager, lensId: string, name: string): Promise<VersionDetail | undefined> {
  if (isUuid(name)) return findById(db, name.toLowerCase());
  const [found] = await db.query<VersionDetail[]>(valid(name) === name ? bySemver : byLabel, [lensId, name]);
  return found;
}
