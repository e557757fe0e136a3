import type { Dataset, DatasetRevision } from '@lensforge/contracts';
import {
  type Context,
  DomainError,
  type Page,
  type PageRequest,
  decodeCursor,
  decodeKey,
  encodeCursor,
  encodeKey,
  foreignCursor,
  newId,
  requireScope,
  toPage,
} from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { listLensCases } from '@lensforge/lenses';
import { readableDataset, toDataset, writableDataset } from './access.js';
import { changeCases } from './change-cases.js';
import { StoredDataset } from './dataset.entity.js';

export interface NewDataset {
  name: string;
  description?: string | undefined;
  /** A lens of the caller whose saved cases are copied. */
  casesOfLens?: string | undefined;
}

export function createDataset(ctx: Context, { name, description = '', casesOfLens }: NewDataset): Promise<Dataset> {
  requireScope(ctx, 'lenses:write');
  return inTransaction(ctx, async (ctx) => {
    const id = newId();
    const { accountId } = ctx.actor;
    const rows = await ctx.db.query<unknown[]>(
      `insert into datasets (id, account_id, name, description, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
       on conflict do nothing returning id`,
      [id, accountId, name, description, ctx.now()],
    );
    if (rows.length === 0) throw nameIsTaken(name);
    if (casesOfLens !== undefined) await copyLensCases(ctx, id, casesOfLens);
    return toDataset(await ctx.db.findOneByOrFail(StoredDataset, { id }));
  });
}

/** Copies the saved cases of a lens; their answers become what is expected. */
async function copyLensCases(ctx: Context, datasetId: string, lensId: string): Promise<void> {
  const { items } = await listLensCases(ctx, lensId, { limit: 100 });
  const save = items.map(({ name: key, params, reference }) => ({ key, params, expected: reference }));
  await changeCases(ctx, { datasetId, save, message: 'Saved cases of a lens' });
}

const nameIsTaken = (name: string): DomainError =>
  new DomainError('CONFLICT', `You have a dataset with the name ${name}: choose another one`);

export const readDataset = async (ctx: Context, datasetId: string): Promise<Dataset> =>
  toDataset(await readableDataset(ctx, datasetId));

/** Lists the datasets of the caller, the newest first. */
export async function listDatasets(
  ctx: Context,
  { q = null, ...page }: { q?: string | null | undefined } & PageRequest,
): Promise<Page<Dataset>> {
  requireScope(ctx, 'lenses:read');
  const before = page.cursor === undefined ? null : decodeCursor(page.cursor).id;
  const found = ctx.db
    .createQueryBuilder(StoredDataset, 'd')
    .where('d.accountId = :accountId', { accountId: ctx.actor.accountId })
    .orderBy('d.id', 'DESC')
    .limit(page.limit + 1)
    .offset(page.offset ?? 0);
  if (before !== null) found.andWhere('d.id < :before', { before });
  if (q !== null) found.andWhere('position(lower(:q) in lower(d.name)) > 0', { q });
  return toPage((await found.getMany()).map(toDataset), page, ({ id, createdAt: at }) => encodeCursor({ at, id }));
}

export interface DatasetChanges {
  datasetId: string;
  name?: string | undefined;
  description?: string | undefined;
}

export function updateDataset(ctx: Context, { datasetId, name, description }: DatasetChanges): Promise<Dataset> {
  return inTransaction(ctx, async (ctx) => {
    const dataset = await writableDataset(ctx, datasetId);
    const other =
      name === undefined ? null : await ctx.db.findOneBy(StoredDataset, { accountId: dataset.accountId, name });
    if (name !== undefined && other && other.id !== dataset.id) throw nameIsTaken(name);
    const changes = {
      name: name ?? dataset.name,
      description: description ?? dataset.description,
      updatedAt: ctx.now(),
    };
    await ctx.db.update(StoredDataset, { id: dataset.id }, changes);
    return toDataset({ ...dataset, ...changes });
  });
}

/** Deletes a dataset with all its revisions. */
export function removeDataset(ctx: Context, datasetId: string): Promise<{ datasetId: string; removed: true }> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = await writableDataset(ctx, datasetId);
    await ctx.db.delete(StoredDataset, { id });
    return { datasetId: id, removed: true };
  });
}

/** Deletes all datasets of the caller, whose account is closed. */
export async function eraseDatasets(ctx: Context): Promise<void> {
  await ctx.db.delete(StoredDataset, { accountId: ctx.actor.accountId });
}

/** Lists the revisions of a dataset, the newest first. */
export async function listRevisions(
  ctx: Context,
  datasetId: string,
  page: PageRequest,
): Promise<Page<DatasetRevision>> {
  const { id } = await readableDataset(ctx, datasetId);
  const before = page.cursor === undefined ? null : decodeRevision(page.cursor);
  const rows = await ctx.db.query<DatasetRevision[]>(
    `select revision, added, changed, removed, cases, message, iso(created_at) as "createdAt" from dataset_revisions
      where dataset_id = $1 and ($2::int is null or revision < $2) order by revision desc limit $3 offset $4`,
    [id, before, page.limit + 1, page.offset ?? 0],
  );
  return toPage(rows, page, ({ revision }) => encodeKey(String(revision)));
}

function decodeRevision(cursor: string): number {
  const key = decodeKey(cursor);
  if (/^[1-9]\d{0,8}$/.test(key)) return Number(key);
  throw foreignCursor();
}
