import type { DatasetCase, DatasetFormat } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { pickRevision, readableDataset } from './access.js';
import { writeBatchRequests } from './batch-requests.js';
import { type DatasetFile, writeDatasetFile } from './dataset-file.js';
import { everyCase } from './list-cases.js';

export interface DatasetExport {
  datasetId: string;
  format: DatasetFormat | 'openai-batch';
  /** The newest when absent. */
  revision?: number | undefined;
  /** The lens of openai-batch, and its version or label. */
  lensId?: string | undefined;
  version?: string | undefined;
}

/** All cases of a revision as a file, which is written while they are read. */
export async function exportDataset(
  ctx: Context,
  { datasetId, format, revision, lensId, version }: DatasetExport,
): Promise<DatasetFile> {
  const dataset = await readableDataset(ctx, datasetId);
  const cases = (): AsyncIterable<DatasetCase> =>
    everyCase(ctx, { datasetId, revision: pickRevision(dataset, revision) });
  return format === 'openai-batch'
    ? writeBatchRequests(ctx, { lensId, version }, cases)
    : writeDatasetFile(format, cases());
}
