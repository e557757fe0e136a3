import type { LabelArm } from '@lensforge/contracts';
import { type Context, batchCalls, notFound } from '@lensforge/core';
import { perDatabase, preparedStatement } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import { canSee } from './access.js';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import { lensesByIds } from './batched-read.js';
import {
  type ChosenVersion,
  type ReleasedLens,
  type StoredVersion,
  chooseVersion,
  readLensVersion,
  versionsByIds,
} from './version-reads.js';

/** The owner, status and pinned version of a lens, for an execution. */
export interface RunnableLens {
  id: string;
  accountId: string;
  visibility: LensVisibility;
  status: LensStatus;
  version: StoredVersion;
  defaultLabel: string | null;
  servedArms: LabelArm[] | null;
}

type Head = Omit<RunnableLens, 'version'> & { versionId: string };

const loaders = perDatabase((db) =>
  batchCalls((ids: string[]) => loadRunnable(db, ids), { maxSize: 200, concurrency: 3 }),
);

/**
 * A lens that the caller may see, with its newest version. Concurrent callers share one read; versions never change and are
 * cached.
 */
export async function runnableLens(ctx: Context, lensId: string): Promise<RunnableLens> {
  const { db } = ctx;
  const lens = db.queryRunner ? (await loadRunnable(db, [lensId]))[0] : await loaders.of(ctx)(lensId);
  if (!lens || !canSee(ctx, lens)) throw notFound('lens', lensId);
  return lens;
}

/** The lens at a version given by id, number or label. */
export async function atVersion(db: EntityManager, lens: RunnableLens, version: string): Promise<RunnableLens> {
  return { ...lens, version: await readLensVersion(db, { id: lens.id, servedVersionId: lens.version.id }, version) };
}

/** The version of a lens for an execution. */
export const chooseVersionOf = (
  db: EntityManager,
  lens: RunnableLens,
  wish: { name: string | undefined; stickyHash: string },
): Promise<ChosenVersion> => chooseVersion(db, toReleased(lens), wish);

/** The version that callers without one got at a moment, such as the acceptance of a run. */
export async function servedAt(
  db: EntityManager,
  lens: RunnableLens,
  { moment, stickyHash }: { moment: string; stickyHash: string },
): Promise<StoredVersion> {
  const [served] = await db.query<Pick<ReleasedLens, 'servedVersionId' | 'servedArms'>[]>(servedAtMoment, [
    lens.id,
    moment,
  ]);
  return (await chooseVersion(db, { ...toReleased(lens), ...served }, { name: undefined, stickyHash })).version;
}

const toReleased = ({ version, ...lens }: RunnableLens): ReleasedLens => ({ ...lens, servedVersionId: version.id });

const servedAtMoment = `
select coalesce(m.version_id, v.id) as "servedVersionId", m.arms as "servedArms"
  from lenses l
  left join lateral (select version_id, arms from lens_label_moves
                      where lens_id = l.id and label = l.default_label and moved_at <= $2 order by id desc limit 1) m on true
  left join lateral (select id from lens_versions
                      where lens_id = l.id and created_at <= $2 and not is_candidate and l.default_label is null
                      order by id desc limit 1) v on true
 where l.id = $1 and coalesce(m.version_id, v.id) is not null`;

const headsById = preparedStatement(`
  select id, account_id as "accountId", visibility, status, coalesce(served_version_id, head_version_id) as "versionId",
         default_label as "defaultLabel", served_arms as "servedArms"
    from ${lensesByIds} l where deleted_at is null`);

async function loadRunnable(db: EntityManager, ids: readonly string[]): Promise<(RunnableLens | undefined)[]> {
  const heads = await db.query<Head[]>(headsById, [[...new Set(ids)]]);
  const versions = await versionsByIds(
    db,
    heads.map(({ versionId }) => versionId),
  );
  const lenses = new Map(
    heads.flatMap(({ versionId, ...head }) => {
      const version = versions.get(versionId);
      return version ? [[head.id, { ...head, version }] as const] : [];
    }),
  );
  return ids.map((id) => lenses.get(id.toLowerCase()));
}
