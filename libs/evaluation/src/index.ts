export { StoredDataset } from './dataset.entity.js';
export { addCasesFromRuns } from './cases-from-runs.js';
export { changeCases } from './change-cases.js';
export type { CasesChange } from './change-cases.js';
export { readDatasetFile } from './dataset-file.js';
export {
  createDataset,
  eraseDatasets,
  listDatasets,
  listRevisions,
  readDataset,
  removeDataset,
  updateDataset,
} from './datasets.js';
export { exportDataset } from './export-dataset.js';
export { diffRevisions, everyCase, listCases } from './list-cases.js';
