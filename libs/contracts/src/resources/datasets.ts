import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, recordKind, textKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { RunSelection } from './run-selection.js';

export const maxCasesOfRequest = 1000;
export const maxCasesOfDataset = 100_000;
/** The longest JSON of a case. */
export const maxCaseLength = 100_000;

const name = { min: 1, max: 200, pattern: /\S/ } as const;
/** Of cases that are made of runs. */
export const maskOfCases = {
  optional: true,
  description:
    'Puts <email>, <iban>, <card> and <phone> in the place of e-mail addresses, IBANs, card numbers and international phone numbers in all texts. Names and addresses stay.',
} as const;

const keyRule = { min: 1, max: 200, pattern: /\S/ } as const;
const tagKind = textKind({ min: 1, max: 50, pattern: /^[^,\s]+$/ });
const revisionOf = { min: 1, optional: true, description: 'A revision; the newest when absent.' } as const;

export const datasetFormats = ['ndjson', 'csv', 'json', 'promptfoo'] as const;
export type DatasetFormat = (typeof datasetFormats)[number];

export class DatasetPath {
  @uuid({ description: 'The dataset.' })
  datasetId!: string;
}

export class DatasetListQuery extends PageQuery {
  @text({ min: 1, max: 200, optional: true, description: 'A part of the name.' })
  q?: string;
}

export class DatasetRequest {
  @text(name)
  name!: string;

  @text({ max: 2000, optional: true })
  description?: string;

  @uuid({
    optional: true,
    description: 'A lens of the caller: its saved cases become those of the dataset, with their answers as expected.',
    idOf: 'lens',
  })
  casesOfLens?: string;
}

export class DatasetPatch {
  @text({ ...name, optional: true })
  name?: string;

  @text({ max: 2000, optional: true })
  description?: string;
}

export class Dataset {
  @uuid()
  id!: string;

  @text({ description: 'Different from those of other datasets of the account.' })
  name!: string;

  @text()
  description!: string;

  @integer({ min: 0, description: 'The newest revision; 0 before the first case.' })
  revision!: number;

  @integer({ min: 0, description: 'The number of cases in it.' })
  cases!: number;

  @dateTime()
  createdAt!: string;

  @dateTime({ description: 'The time of its newest revision, or of another change.' })
  updatedAt!: string;
}

export class DatasetRemoved {
  @uuid()
  datasetId!: string;

  @flag()
  removed!: boolean;
}

export class DatasetCaseInput {
  @text({ ...keyRule, description: 'Names the case within its dataset.' })
  key!: string;

  @record({ description: 'Values for the parameters of a lens, or the inputs of a workflow.' })
  params!: Record<string, unknown>;

  @json({
    optional: true,
    nullable: true,
    description: 'The answer as it should be: any JSON; null when there is none.',
  })
  expected?: unknown;

  @record({ optional: true, nullable: true })
  metadata?: Record<string, unknown> | null;

  @list(tagKind, { max: 20, optional: true, description: 'Without blanks and commas.' })
  tags?: string[];

  @list(recordKind(), {
    max: 50,
    optional: true,
    description: 'Assertions about the answer to this case, beside those of the first scorer of an experiment.',
  })
  assertions?: Record<string, unknown>[];
}

export class DatasetCase {
  @text()
  key!: string;

  @record()
  params!: Record<string, unknown>;

  @json({ nullable: true })
  expected!: unknown;

  @record({ nullable: true })
  metadata!: Record<string, unknown> | null;

  @list(textKind({}))
  tags!: string[];

  @list(recordKind())
  assertions!: Record<string, unknown>[];

  @integer({ min: 1, description: 'The revision that has added or changed it last.' })
  since!: number;
}

export class DatasetCaseQuery extends PageQuery {
  @integer(revisionOf)
  revision?: number;

  @text({ min: 1, max: 50, optional: true, description: 'Cases with this tag.' })
  tag?: string;

  @text({ min: 1, max: 200, optional: true, description: 'A part of the key.' })
  q?: string;
}

const message = { max: 500, optional: true, description: 'For the list of revisions.' } as const;
const baseRevision = {
  min: 0,
  optional: true,
  description: 'The revision that the change was made from: refused with 409 when there is a newer one.',
} as const;

export class DatasetCasesRequest {
  @list(nestedKind(() => DatasetCaseInput), {
    max: maxCasesOfRequest,
    optional: true,
    description: 'Cases that are added, or replace those with the same keys.',
  })
  save?: DatasetCaseInput[];

  @list(textKind(keyRule), { max: maxCasesOfRequest, optional: true, description: 'Keys of cases that are removed.' })
  remove?: string[];

  @integer(baseRevision)
  baseRevision?: number;

  @text(message)
  message?: string;
}

export class DatasetImport {
  @oneOf(datasetFormats)
  format!: DatasetFormat;

  @text({ max: 2_000_000, description: 'The file.' })
  content!: string;

  @flag({ optional: true, description: 'Removes the cases that the file does not have.' })
  replace?: boolean;

  @integer(baseRevision)
  baseRevision?: number;

  @text(message)
  message?: string;
}

export class CasesFromRuns {
  @list(textKind({ min: 36, max: 36 }), {
    min: 1,
    max: 100,
    optional: true,
    description: 'Runs of lenses and workflows of the caller.',
  })
  runIds?: string[];

  @nested(() => RunSelection, {
    optional: true,
    description: 'Runs by a filter when no runIds are given, such as failed ones or those with a low score.',
  })
  filter?: RunSelection;

  @flag({ optional: true, description: 'Takes the output of each run as expected.' })
  withOutput?: boolean;

  @flag(maskOfCases)
  mask?: boolean;

  @list(tagKind, { max: 20, optional: true })
  tags?: string[];
}

export class DatasetChange {
  @integer({ min: 0, description: 'The revision with the change; the newest before when nothing changed.' })
  revision!: number;

  @integer({ min: 0 })
  added!: number;

  @integer({ min: 0 })
  changed!: number;

  @integer({ min: 0 })
  removed!: number;

  @integer({ min: 0, description: 'The number of cases in the revision.' })
  cases!: number;
}

export class DatasetRevision extends DatasetChange {
  @text({ nullable: true })
  message!: string | null;

  @dateTime()
  createdAt!: string;
}

export class DatasetDiffQuery extends PageQuery {
  @integer({ min: 0, optional: true, description: 'The earlier revision; the one before `to` when absent.' })
  from?: number;

  @integer({ ...revisionOf, description: 'The later revision; the newest when absent.' })
  to?: number;
}

export const caseChanges = ['added', 'changed', 'removed'] as const;

export class CaseDifference {
  @text()
  key!: string;

  @oneOf(caseChanges)
  change!: (typeof caseChanges)[number];

  @json({ nullable: true, description: 'The case in the earlier revision.' })
  before!: DatasetCase | null;

  @json({ nullable: true, description: 'The case in the later one.' })
  after!: DatasetCase | null;
}

export class DatasetExportQuery {
  @oneOf([...datasetFormats, 'openai-batch'], {
    description: 'openai-batch has a request to the API of OpenAI in each line: the prompt of a lens for each case.',
  })
  format: DatasetFormat | 'openai-batch' = 'ndjson';

  @uuid({ optional: true, description: 'The lens of the format openai-batch.', idOf: 'lens' })
  lensId?: string;

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'A version or label of the lens; the one that callers get when absent.',
  })
  version?: string;

  @integer(revisionOf)
  revision?: number;
}

const reading = { scopes: ['lenses:read'], rate: 'list' } as const;
const writing = { scopes: ['lenses:write'], rate: 'write' } as const;

export const datasetEndpoints = defineEndpoints({
  listDatasets: {
    ...reading,
    route: 'GET /v1/datasets',
    summary: 'Lists the datasets of the caller, the newest first',
    description: 'A dataset has named cases to try lenses and workflows with.',
    query: DatasetListQuery,
    reply: Dataset,
    replies: 'list',
  },
  createDataset: {
    ...writing,
    route: 'POST /v1/datasets',
    summary: 'Creates a dataset, without cases or with those of a lens',
    description: 'Refused with 409 when the account has one with this name.',
    body: DatasetRequest,
    example: { name: 'Questions of customers' },
    reply: Dataset,
    status: 201,
    errors: [409],
  },
  getDataset: {
    ...reading,
    route: 'GET /v1/datasets/{datasetId}',
    summary: 'Returns a dataset of the caller without its cases',
    description: 'Its cases are returned by listDatasetCases.',
    params: DatasetPath,
    reply: Dataset,
    rate: 'read',
  },
  updateDataset: {
    ...writing,
    route: 'PATCH /v1/datasets/{datasetId}',
    summary: 'Changes the name or description of a dataset',
    description: 'Such a change makes no revision of the cases.',
    params: DatasetPath,
    body: DatasetPatch,
    reply: Dataset,
    errors: [409],
  },
  removeDataset: {
    ...writing,
    route: 'DELETE /v1/datasets/{datasetId}',
    summary: 'Deletes a dataset with all its revisions',
    description: 'Its cases and revisions cannot be read any more.',
    params: DatasetPath,
    reply: DatasetRemoved,
  },
  listDatasetCases: {
    ...reading,
    route: 'GET /v1/datasets/{datasetId}/cases',
    summary: 'Lists the cases of a revision by their keys',
    description: 'Keys are ordered by their bytes. An unknown revision is 404.',
    params: DatasetPath,
    query: DatasetCaseQuery,
    reply: DatasetCase,
    replies: 'list',
  },
  changeDatasetCases: {
    ...writing,
    route: 'POST /v1/datasets/{datasetId}/cases',
    summary: 'Adds, changes and removes cases as one new revision',
    description:
      'Earlier revisions stay as they are. A request that changes nothing makes no revision, so that it may be repeated. A dataset has at most 100,000 cases, a case at most 100,000 characters.',
    params: DatasetPath,
    body: DatasetCasesRequest,
    largeBody: { bytes: 4_000_000, members: 100_000 },
    reply: DatasetChange,
    repeatable: true,
    errors: [409],
  },
  importDatasetCases: {
    ...writing,
    route: 'POST /v1/datasets/{datasetId}/import',
    summary: 'Adds and changes cases of a file as one new revision',
    description:
      'NDJSON has a case in each line, JSON a list of them. CSV has the columns key, expected, tags (separated by blanks) and param: or metadata: with a name. Cases without a key get the number of their row.',
    params: DatasetPath,
    body: DatasetImport,
    example: { format: 'csv', content: 'key,param:Topic,expected\nsea,the sea,calm\n' },
    largeBody: { bytes: 4_000_000, members: 20 },
    reply: DatasetChange,
    rate: 'expensive',
    repeatable: true,
    errors: [409],
  },
  addCasesFromRuns: {
    ...writing,
    route: 'POST /v1/datasets/{datasetId}/cases-from-runs',
    summary: 'Makes a case of each run: its parameters and, if wanted, its output as expected',
    description: 'The keys are the ids of the runs. A run of another account is 404, one without parameters 400.',
    params: DatasetPath,
    body: CasesFromRuns,
    reply: DatasetChange,
    repeatable: true,
  },
  exportDataset: {
    ...reading,
    route: 'GET /v1/datasets/{datasetId}/export',
    summary: 'Returns all cases of a revision as a file',
    description: 'The file can be imported into a dataset, also at another platform.',
    params: DatasetPath,
    query: DatasetExportQuery,
    replies: 'plain',
    fileTypes: ['application/x-ndjson', 'text/csv', 'application/json'],
    rate: 'expensive',
  },
  listDatasetRevisions: {
    ...reading,
    route: 'GET /v1/datasets/{datasetId}/revisions',
    summary: 'Lists the revisions of a dataset, the newest first',
    description: 'Each has the numbers of cases that it has added, changed and removed.',
    params: DatasetPath,
    query: PageQuery,
    reply: DatasetRevision,
    replies: 'list',
  },
  diffDatasetRevisions: {
    ...reading,
    route: 'GET /v1/datasets/{datasetId}/diff',
    summary: 'Lists the cases that differ between two revisions, by their keys',
    description: 'Revision 0 stands for the dataset before its first case.',
    params: DatasetPath,
    query: DatasetDiffQuery,
    reply: CaseDifference,
    replies: 'list',
  },
});
