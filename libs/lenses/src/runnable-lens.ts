import { type Context, batchCalls, notFound } from '@lensforge/core';
import { perDatabase, preparedStatement } from '@lensforge/database';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { canSee } from './access.js';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import { lensesByIds } from './batched-read.js';
import { readLensVersion } from './version-reads.js';

/** The owner, status and pinned version of a lens, for an execution. */
export interface RunnableLens {
  id: string;
  accountId: string;
  visibility: LensVisibility;
  status: LensStatus;
  versionId: string;
  templateBody: string;
}

type Head = Omit<RunnableLens, 'templateBody'>;

const templates = new LRUCache<string, string>({
  max: 10_000,
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: (body) => body.length * 2 + 100,
});

const loaders = perDatabase((db) =>
  batchCalls((ids: string[]) => loadRunnable(db, ids), { maxSize: 200, concurrency: 3 }),
);

/**
 * A lens that the caller may see, with its newest version. Concurrent callers share one read; templates never change and
 * are cached.
 */
export async function runnableLens(ctx: Context, lensId: string): Promise<RunnableLens> {
  const { db } = ctx;
  const lens = db.queryRunner ? (await loadRunnable(db, [lensId]))[0] : await loaders.of(ctx)(lensId);
  if (!lens || !canSee(ctx, lens)) throw notFound('lens', lensId);
  return lens;
}

/** The lens at a version given by id, number or label. */
export async function atVersion(db: EntityManager, lens: RunnableLens, version: string): Promise<RunnableLens> {
  const { id: versionId, templateBody } = await readLensVersion(
    db,
    { id: lens.id, headVersionId: lens.versionId },
    version,
  );
  return { ...lens, versionId, templateBody };
}

/** The lens at the version that was newest at a moment, such as the acceptance of a run. */
export async function newestAt(db: EntityManager, lens: RunnableLens, moment: string): Promise<RunnableLens> {
  const [version] = await db.query<{ versionId: string; templateBody: string }[]>(
    `select id as "versionId", template_body as "templateBody" from lens_versions
      where lens_id = $1 and created_at <= $2 order by id desc limit 1`,
    [lens.id, moment],
  );
  return { ...lens, ...version };
}

const headsById = preparedStatement(`
  select id, account_id as "accountId", visibility, status, head_version_id as "versionId"
    from ${lensesByIds} l where deleted_at is null`);

async function loadRunnable(db: EntityManager, ids: readonly string[]): Promise<(RunnableLens | undefined)[]> {
  const heads = await db.query<Head[]>(headsById, [[...new Set(ids)]]);
  const bodies = await readTemplates(
    db,
    heads.map(({ versionId }) => versionId),
  );
  const byId = new Map(heads.map((head) => [head.id, head]));
  return ids.map((id) => {
    const head = byId.get(id.toLowerCase());
    const templateBody = head && bodies.get(head.versionId);
    return head && templateBody !== undefined ? { ...head, templateBody } : undefined;
  });
}

async function readTemplates(db: EntityManager, versionIds: readonly string[]): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  const unknown: string[] = [];
  for (const id of versionIds) {
    const body = templates.get(id);
    if (body === undefined) unknown.push(id);
    else bodies.set(id, body);
  }
  if (unknown.length === 0) return bodies;
  const rows = await db.query<{ id: string; templateBody: string }[]>(
    'select id, template_body as "templateBody" from lens_versions where id = any($1)',
    [unknown],
  );
  for (const { id, templateBody } of rows) {
    bodies.set(id, templateBody);
    templates.set(id, templateBody);
  }
  return bodies;
}

/** The template of a version that a run has pinned. */
export async function templateOfVersion(db: EntityManager, versionId: string): Promise<string> {
  const body = (await readTemplates(db, [versionId])).get(versionId);
  if (body === undefined) throw notFound('lens version', versionId);
  return body;
}
