import type { DatasetFormat } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { pickRevision, readableDataset } from './access.js';
import { type DatasetFile, writeDatasetFile } from './dataset-file.js';
import { everyCase } from './list-cases.js';

export interface DatasetExport {
  datasetId: string;
  format: DatasetFormat;
  /** The newest when absent. */
  revision?: number | undefined;
}

/** All cases of a revision as a file, which is written while they are read. */
export async function exportDataset(
  ctx: Context,
  { datasetId, format, revision }: DatasetExport,
): Promise<DatasetFile> {
  const dataset = await readableDataset(ctx, datasetId);
  return writeDatasetFile(format, everyCase(ctx, { datasetId, revision: pickRevision(dataset, revision) }));
}
