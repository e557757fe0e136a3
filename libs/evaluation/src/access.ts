import type { Dataset } from '@lensforge/contracts';
import { type Context, notFound, requireScope } from '@lensforge/core';
import { StoredDataset } from './dataset.entity.js';

/** A dataset of the caller; NOT_FOUND for those of others. */
export async function readableDataset(ctx: Context, datasetId: string): Promise<StoredDataset> {
  requireScope(ctx, 'lenses:read');
  const found = await ctx.db.findOneBy(StoredDataset, { id: datasetId, accountId: ctx.actor.accountId });
  return found ?? missing(datasetId);
}

/** A dataset of the caller, locked until the transaction ends. */
export async function writableDataset(ctx: Context, datasetId: string): Promise<StoredDataset> {
  requireScope(ctx, 'lenses:write');
  const found = await ctx.db.findOne(StoredDataset, {
    where: { id: datasetId, accountId: ctx.actor.accountId },
    lock: { mode: 'pessimistic_write' },
  });
  return found ?? missing(datasetId);
}

function missing(datasetId: string): never {
  throw notFound('dataset', datasetId);
}

/** The revision that a request names, or the newest one. */
export function pickRevision({ revision: newest }: StoredDataset, wanted: number | undefined): number {
  if (wanted !== undefined && wanted > newest) throw notFound('revision of this dataset', String(wanted));
  return wanted ?? newest;
}

/** SQL: true for rows of `dataset_cases`, by an alias, that are in the revision of a parameter. */
export const isIn = (row: string, revision: string): string =>
  `${row}.since <= ${revision} and (${row}.until is null or ${row}.until > ${revision})`;

export const toDataset = ({
  id,
  name,
  description,
  revision,
  cases,
  createdAt,
  updatedAt,
}: StoredDataset): Dataset => ({
  id,
  name,
  description,
  revision,
  cases,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
