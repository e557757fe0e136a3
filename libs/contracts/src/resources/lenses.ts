import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, recordKind, textKind } from '../schema/kinds.js';
import { Sampling } from './models.js';
import { CountedPageQuery, PageQuery, ShortListQuery } from '../schema/paging.js';
import { RunOptions, idempotencyKey } from './run-options.js';
import { type FundingSource, PlatformExecutionAccepted, type RunStatus, fundingSources, runStatuses } from './runs.js';

export class LensPath {
  @uuid({ description: 'The lens.' })
  lensId!: string;
}

export class LensExecuteRequest extends RunOptions {
  @record({ description: 'Inputs passed to the template of the lens.' })
  params!: Record<string, unknown>;

  @text({ min: 1, max: 200, optional: true, description: 'The model to use instead of the default.' })
  modelOverride?: string;

  @text({ min: 1, max: 100, optional: true, description: 'The provider to use instead of the default.' })
  providerOverride?: string;

  @oneOf(fundingSources, { optional: true, description: 'The source of the credits or key that pays for the run.' })
  fundingSource?: FundingSource;

  @text({ min: 1, max: 100, optional: true, description: 'Required when fundingSource is user_byok_cloud.' })
  byokKeyRefId?: string;

  @text(idempotencyKey)
  idempotencyKey?: string;

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'The id, number or label of a version; the newest when absent.',
  })
  version?: string;

  @record({
    optional: true,
    description: 'A JSON Schema that the answer must match; for models with the capability json.',
  })
  outputSchema?: Record<string, unknown>;

  @nested(() => Sampling, { optional: true })
  sampling?: Sampling;
}

export class LensBatchRequest {
  @list(recordKind(), {
    min: 1,
    max: 1000,
    description:
      'Items like the body of an execution, each with its own idempotencyKey. A fault of one item does not affect the others.',
  })
  items!: Record<string, unknown>[];
}

export class LensBatchFault {
  @text()
  code!: string;

  @text()
  message!: string;

  @record({ optional: true })
  details?: Record<string, unknown>;
}

export class LensBatchItem {
  @uuid({ optional: true })
  runId?: string;

  @oneOf(runStatuses, { optional: true })
  status?: RunStatus;

  @nested(() => LensBatchFault, { optional: true, description: 'The fault of an item without a run.' })
  error?: LensBatchFault;
}

export class LensBatchAccepted {
  @uuid({
    description: 'The batch of the runs that this request started; runs of repeated items keep their earlier batch.',
  })
  batchId!: string;

  @list(nestedKind(() => LensBatchItem), { description: 'The items, in the order of the request.' })
  items!: LensBatchItem[];
}

const visibilities = ['public', 'community', 'private'] as const;
const statuses = ['draft', 'published', 'archived'] as const;
const sorts = ['newest', 'popular'] as const;
type Visibility = (typeof visibilities)[number];
type Status = (typeof statuses)[number];

const title = { min: 1, max: 200, pattern: /\S/ } as const;
const templateBody = { min: 50, max: 100_000 } as const;
const description = { max: 2000 } as const;
const changelog = { max: 2000 } as const;
const tags = { max: 20 } as const;
const tagKind = textKind({ min: 1, max: 50 });
const ofParams = 'Must match the template; optional.';

export class LensParamInput {
  @text({ min: 1, max: 100 })
  label!: string;

  @flag()
  optional!: boolean;
}

export class LensParameter {
  @uuid({ description: 'The same in all versions that have a parameter with this label.' })
  id!: string;

  @text()
  label!: string;

  @flag()
  optional!: boolean;
}

export class AuthorRef {
  @uuid()
  id!: string;

  @text()
  handle!: string;

  @text()
  displayName!: string;
}

export class LensVersionRef {
  @uuid()
  id!: string;

  @text()
  semver!: string;
}

export class LensItem {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @text()
  description!: string;

  @oneOf(visibilities)
  visibility!: Visibility;

  @oneOf(statuses)
  status!: Status;

  @nested(() => AuthorRef)
  author!: AuthorRef;

  @nested(() => LensVersionRef, { description: 'The newest version.' })
  headVersion!: LensVersionRef;

  @list(nestedKind(() => LensParameter))
  params!: LensParameter[];

  @list(tagKind)
  tags!: string[];

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class LensLabelPlace {
  @text()
  label!: string;

  @uuid()
  versionId!: string;

  @text()
  semver!: string;

  @flag({ description: 'Only a person who is signed in can move or remove it.' })
  protected!: boolean;

  @dateTime()
  updatedAt!: string;
}

export class LensRecord extends LensItem {
  @text({ description: 'The value of the newest version.' })
  templateBody!: string;

  @text({ description: 'The value of the newest version.' })
  changelog!: string;

  @uuid({ nullable: true, description: 'The lens that this one was forked from, if you can see it.' })
  parentLensId!: string | null;

  @list(nestedKind(() => LensLabelPlace))
  labels!: LensLabelPlace[];
}

export class LensQuery extends CountedPageQuery {
  @text({
    min: 1,
    max: 1000,
    optional: true,
    description:
      'Full-text search in title, tags, description and newest text, by rank. Supports -word, "a phrase" and or. Ranks and counts the first 1,000 matches.',
  })
  q?: string;

  @oneOf(visibilities, { optional: true })
  visibility?: Visibility;

  @oneOf(statuses, { optional: true, description: 'Archived lenses are omitted when it is absent.' })
  status?: Status;

  @uuid({ optional: true, description: 'Lenses of this account.' })
  author?: string;

  @uuid({ optional: true, description: 'Lenses of this community.' })
  community?: string;

  @text({ min: 1, max: 50, optional: true, description: 'Lenses with this tag; ranks and counts the first 1,000.' })
  tag?: string;

  @oneOf(sorts, { optional: true, description: 'newest when absent, or by rank with q.' })
  sort?: (typeof sorts)[number];
}

export class NewLensRequest {
  @text(title)
  title!: string;

  @text({ ...description, description: 'The purpose of the lens.' })
  description = '';

  @text({
    ...templateBody,
    description: '[[Name]] is a required parameter, [[Name!]] an optional one, \\[[ a literal [[.',
  })
  templateBody!: string;

  @oneOf(visibilities, { description: 'private, when absent: only the owner can see it.' })
  visibility: Visibility = 'private';

  @oneOf(['draft', 'published'], { description: 'Only the owner can see a draft.' })
  status: 'draft' | 'published' = 'published';

  @list(tagKind, { ...tags, optional: true })
  tags?: string[];

  @list(nestedKind(() => LensParamInput), { optional: true, description: ofParams })
  params?: LensParamInput[];
}

export class LensPatch {
  @text({ ...title, optional: true })
  title?: string;

  @text({ ...description, optional: true })
  description?: string;

  @text({ ...templateBody, optional: true, description: 'A different text creates a new version.' })
  templateBody?: string;

  @oneOf(visibilities, { optional: true })
  visibility?: Visibility;

  @list(tagKind, { ...tags, optional: true })
  tags?: string[];

  @list(nestedKind(() => LensParamInput), { optional: true, description: ofParams })
  params?: LensParamInput[];

  @text({
    ...changelog,
    optional: true,
    description: 'The changelog of the new version; a list of the changed parameters when absent.',
  })
  changelog?: string;

  @uuid({
    optional: true,
    description: 'The version on which the template was made. A newer version answers 409; without it, none does.',
  })
  baseVersionId?: string;
}

export class LensForkRequest {
  @text({ ...title, optional: true, description: '"Fork of" and the id of the source when absent.' })
  title?: string;

  @text({ ...templateBody, optional: true, description: 'The newest text of the source when absent.' })
  templateBody?: string;

  @oneOf(visibilities, { description: 'private, when absent: only the owner can see it.' })
  visibility: Visibility = 'private';
}

export class LensDeleted {
  @flag()
  deleted!: true;

  @uuid()
  lensId!: string;
}

export class LensStateReply {
  @uuid()
  lensId!: string;

  @oneOf(statuses)
  status!: Status;
}

export class LensVersionPath extends LensPath {
  @text({ min: 1, max: 100, description: 'The id, the number or a label of a version.' })
  version!: string;
}

export class LensVersionsQuery extends CountedPageQuery {}

export class LensVersionItem extends LensVersionRef {
  @text()
  changelog!: string;

  @dateTime()
  createdAt!: string;
}

export class LensVersionRecord extends LensVersionItem {
  @uuid()
  lensId!: string;

  @text()
  templateBody!: string;

  @list(nestedKind(() => LensParameter))
  params!: LensParameter[];
}

export class LensLabelPath extends LensPath {
  @text({ min: 1, max: 64, description: 'a-z, digits and . _ - with a letter first; production, staging or your own.' })
  label!: string;
}

export class LensLabelRequest {
  @text({ min: 1, max: 100, description: 'The id, the number or another label of the version to point at.' })
  version!: string;

  @flag({
    optional: true,
    description:
      'Only a person who is signed in can move or remove a protected label. A new label is not protected; unchanged when absent.',
  })
  protected?: boolean;
}

const credentials = ['session', 'mcp', 'developer', 'organisation', 'service', 'service_role'] as const;

export class LensLabelMove {
  @uuid()
  id!: string;

  @text()
  label!: string;

  @nested(() => LensVersionRef, { nullable: true, description: 'null when the label was removed.' })
  version!: LensVersionRef | null;

  @oneOf(credentials, { description: 'The kind of the credential that moved it.' })
  credential!: (typeof credentials)[number];

  @dateTime()
  movedAt!: string;
}

export class LensLabelRemoved {
  @uuid()
  lensId!: string;

  @text()
  label!: string;

  @flag()
  removed!: true;
}

export class LensCaseRequest {
  @text({ min: 1, max: 200, description: 'A case with this name is replaced.' })
  name!: string;

  @record({ description: 'Values for the parameters of the lens by their labels; up to 100,000 characters of JSON.' })
  params!: Record<string, unknown>;

  @text({ max: 100_000, optional: true, nullable: true, description: 'An answer to compare others with.' })
  reference: string | null = null;
}

export class LensCase {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @record()
  params!: Record<string, unknown>;

  @text({ nullable: true })
  reference!: string | null;

  @dateTime()
  updatedAt!: string;
}

export class LensCasePath extends LensPath {
  @uuid({ description: 'The case.' })
  caseId!: string;
}

export class LensCaseRemoved {
  @uuid()
  caseId!: string;

  @flag()
  removed!: true;
}

export class WorkflowOfLens {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @list(textKind(), {
    description: 'The versions that its nodes name: ids, numbers or labels; latest for nodes that name none.',
  })
  versions!: string[];

  @dateTime()
  createdAt!: string;
}

export class LensDiffQuery {
  @text({ min: 1, max: 100, description: 'The id, the number or a label of a version.' })
  from!: string;

  @text({ min: 1, max: 100, optional: true, description: 'The newest version when absent.' })
  to?: string;
}

export class LensParamsDiff {
  @list(nestedKind(() => LensParamInput))
  added!: LensParamInput[];

  @list(nestedKind(() => LensParamInput))
  removed!: LensParamInput[];

  @list(nestedKind(() => LensParamInput), { description: 'Parameters that became optional or required.' })
  changed!: LensParamInput[];
}

export class LensDiffLine {
  @oneOf(['same', 'added', 'removed'])
  kind!: 'same' | 'added' | 'removed';

  @text()
  text!: string;
}

export class LensDiff {
  @uuid()
  lensId!: string;

  @nested(() => LensVersionRef)
  from!: LensVersionRef;

  @nested(() => LensVersionRef)
  to!: LensVersionRef;

  @nested(() => LensParamsDiff)
  params!: LensParamsDiff;

  @oneOf(['major', 'minor', 'patch', 'none'])
  bump!: 'major' | 'minor' | 'patch' | 'none';

  @list(nestedKind(() => LensDiffLine), { max: 200_000 })
  lines!: LensDiffLine[];
}

export class LensFileVersion {
  @text({ min: 5, max: 100 })
  semver!: string;

  @text(templateBody)
  templateBody!: string;

  @list(nestedKind(() => LensParamInput), { max: 20_000 })
  params!: LensParamInput[];

  @text(changelog)
  changelog = '';

  @dateTime()
  createdAt!: string;
}

export class LensFileLabel {
  @text({ min: 1, max: 64 })
  label!: string;

  @text({ min: 5, max: 100 })
  semver!: string;
}

export class LensFile {
  @oneOf(['lensforge.lens'])
  format!: 'lensforge.lens';

  @integer({ min: 1, max: 1 })
  formatVersion!: 1;

  @text(title)
  title!: string;

  @text(description)
  description = '';

  @oneOf(visibilities)
  visibility: Visibility = 'private';

  @oneOf(statuses)
  status: Status = 'draft';

  @list(tagKind, tags)
  tags: string[] = [];

  @list(nestedKind(() => LensFileVersion), { min: 1, max: 1000, description: 'The oldest first.' })
  versions!: LensFileVersion[];

  @list(nestedKind(() => LensFileLabel), { max: 100 })
  labels: LensFileLabel[] = [];
}

/** The maximum size of an export, so that each can be imported. */
export const maxLensFile = { bytes: 10_485_760, members: 100_000 } as const;

const maxBatch = { bytes: 4_194_304, members: 100_000 } as const;

const countItems = (body: unknown): number => {
  const items: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'items') : undefined;
  return Array.isArray(items) && items.length > 0 ? items.length : 1;
};

const reading = { scopes: ['lenses:read'], audience: 'public' } as const;

export const lensEndpoints = defineEndpoints({
  listLenses: {
    ...reading,
    route: 'GET /v1/lenses',
    summary: 'Lists or searches the lenses that the caller can see',
    description:
      'Lists public lenses, community lenses for accounts, and the lenses of the caller. With q the request is a search and counts as expensive.',
    query: LensQuery,
    reply: LensItem,
    rate: 'list',
    rateWith: { q: 'expensive' },
    replies: 'list',
  },
  createLens: {
    route: 'POST /v1/lenses',
    summary: 'Creates a lens, with its text as version 1.0.0',
    description:
      '[[Name]] in the text is a required parameter, [[Name!]] an optional one. The lens is private unless visibility says otherwise, and published unless status is draft.',
    body: NewLensRequest,
    example: {
      title: 'Friendly note',
      templateBody: 'Write a friendly note about [[Topic]] in at most three sentences.',
      visibility: 'private',
    },
    reply: LensRecord,
    status: 201,
    scopes: ['lenses:write'],
    rate: 'create',
  },
  importLens: {
    route: 'POST /v1/lenses/import',
    summary: 'Imports an exported lens with all its versions and labels',
    description:
      'Takes the document of an export. The new lens belongs to the caller and has a new id. The body can be larger than other bodies.',
    body: LensFile,
    largeBody: maxLensFile,
    reply: LensRecord,
    status: 201,
    scopes: ['lenses:write'],
    rate: 'expensive',
  },
  getLens: {
    ...reading,
    route: 'GET /v1/lenses/{lensId}',
    summary: 'Reads a lens with its newest text, parameters and labels',
    description: 'Lenses that the caller cannot see return 404; only their owner sees drafts and archived lenses.',
    params: LensPath,
    reply: LensRecord,
    rate: 'read',
  },
  updateLens: {
    route: 'PATCH /v1/lenses/{lensId}',
    summary: 'Changes a lens of your own; a different text creates a new version',
    description:
      'Absent members stay as they are. A version is never changed: another text becomes the next version, with a changelog.',
    params: LensPath,
    body: LensPatch,
    example: {
      templateBody: 'Write a short, friendly note about [[Topic]] in one sentence, without a greeting.',
      changelog: 'Asks for a short note.',
    },
    reply: LensRecord,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  deleteLens: {
    route: 'DELETE /v1/lenses/{lensId}',
    summary: 'Deletes a lens of your own permanently',
    description:
      'Hides the lens with all its versions and labels from every request. Its runs stay. It cannot be restored; use archiveLens to hide it for a while.',
    params: LensPath,
    reply: LensDeleted,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  publishLens: {
    route: 'POST /v1/lenses/{lensId}/publish',
    summary: 'Publishes a draft',
    description:
      'A published lens is visible to the callers that its visibility names. Publishing raises the event lens.published. A published lens stays as it is; an archived one is refused with 409.',
    params: LensPath,
    reply: LensStateReply,
    scopes: ['lenses:write'],
    rate: 'write',
    errors: [409],
  },
  archiveLens: {
    route: 'POST /v1/lenses/{lensId}/archive',
    summary: 'Archives a lens: lists omit it and others cannot use it; it can be restored',
    description: 'Runs that were accepted before continue. A repeated request has no further effect.',
    params: LensPath,
    reply: LensStateReply,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  restoreLens: {
    route: 'POST /v1/lenses/{lensId}/restore',
    summary: 'Restores an archived lens',
    description: 'The lens has its previous visibility again. A lens that is not archived is refused with 409.',
    params: LensPath,
    reply: LensStateReply,
    scopes: ['lenses:write'],
    rate: 'write',
    errors: [409],
  },
  forkLens: {
    route: 'POST /v1/lenses/{lensId}/fork',
    summary: 'Forks a public or community lens into one of your own',
    description: 'The fork is a lens of its own that names its source. Later changes of the source do not affect it.',
    params: LensPath,
    body: LensForkRequest,
    reply: LensRecord,
    status: 201,
    scopes: ['lenses:write'],
    rate: 'create',
  },
  listLensVersions: {
    ...reading,
    route: 'GET /v1/lenses/{lensId}/versions',
    summary: 'Lists the versions of a lens, the newest first',
    description: 'Items have the number, the changelog, the labels and the time of each version, without its text.',
    params: LensPath,
    query: LensVersionsQuery,
    reply: LensVersionItem,
    rate: 'list',
    replies: 'list',
  },
  getLensVersion: {
    ...reading,
    route: 'GET /v1/lenses/{lensId}/versions/{version}',
    summary: 'Reads a version of a lens by its id, number or label',
    description:
      'A version can be named by its id, by its number such as 1.2.0, or by a label such as production. It never changes; what a label points at can.',
    params: LensVersionPath,
    reply: LensVersionRecord,
    rate: 'read',
  },
  diffLensVersions: {
    ...reading,
    route: 'GET /v1/lenses/{lensId}/diff',
    summary: 'Compares two versions: lines of text, and parameters',
    description:
      'from and to are ids, numbers or labels. The reply has the added and removed lines, and the parameters that were added, removed or changed.',
    params: LensPath,
    query: LensDiffQuery,
    reply: LensDiff,
    rate: 'expensive',
  },
  exportLens: {
    ...reading,
    route: 'GET /v1/lenses/{lensId}/export',
    summary: 'Exports a lens with all its versions and labels as one document',
    description: 'The document can be imported at this or at another platform. It has no ids of accounts.',
    params: LensPath,
    reply: LensFile,
    rate: 'expensive',
  },
  setLensLabel: {
    route: 'PUT /v1/lenses/{lensId}/labels/{label}',
    summary: 'Points a label at a version; point it at an older version to roll back',
    description:
      'Creates the label or moves it. Runs and workflow nodes that name the label use the new version from now on. Tokens other than those of a session get 403 for a protected label.',
    params: LensLabelPath,
    body: LensLabelRequest,
    example: { version: '1.0.0' },
    reply: LensLabelPlace,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  removeLensLabel: {
    route: 'DELETE /v1/lenses/{lensId}/labels/{label}',
    summary: 'Removes a label; the version stays',
    description:
      'Later requests that name the label are refused. The version can still be named by its id and number. Tokens other than those of a session get 403 for a protected label.',
    params: LensLabelPath,
    reply: LensLabelRemoved,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  listLensLabelMoves: {
    route: 'GET /v1/lenses/{lensId}/label-moves',
    summary: 'Lists where the labels of a lens of the caller pointed, the newest move first',
    description: 'Only the owner of the lens can read it.',
    params: LensPath,
    query: PageQuery,
    reply: LensLabelMove,
    scopes: ['lenses:read'],
    rate: 'list',
    replies: 'list',
  },
  listLensCases: {
    route: 'GET /v1/lenses/{lensId}/cases',
    summary: 'Lists the saved cases of a lens of the caller, the oldest first',
    description:
      'A case has parameters and, if one was saved, an answer to compare others with. Only the owner of the lens can read them.',
    params: LensPath,
    query: ShortListQuery,
    reply: LensCase,
    scopes: ['lenses:read'],
    rate: 'list',
    replies: 'list',
  },
  saveLensCase: {
    route: 'PUT /v1/lenses/{lensId}/cases',
    summary: 'Saves parameters of a lens as a case, and replaces the case with the same name',
    description: 'A lens has up to 100 cases. Exports of the lens do not contain them.',
    params: LensPath,
    body: LensCaseRequest,
    example: { name: 'A short topic', params: { Topic: 'the sea' }, reference: 'The sea is calm today.' },
    reply: LensCase,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  removeLensCase: {
    route: 'DELETE /v1/lenses/{lensId}/cases/{caseId}',
    summary: 'Removes a saved case of a lens of the caller',
    description: 'Runs that were made with it stay.',
    params: LensCasePath,
    reply: LensCaseRemoved,
    scopes: ['lenses:write'],
    rate: 'write',
  },
  listLensWorkflows: {
    route: 'GET /v1/lenses/{lensId}/workflows',
    summary: 'Lists the workflows of the caller whose newest version executes a lens',
    description: 'Nodes of nested maps count. Workflows of other accounts are never listed.',
    params: LensPath,
    query: PageQuery,
    reply: WorkflowOfLens,
    scopes: ['lenses:read'],
    rate: 'expensive',
    replies: 'list',
  },
  executeLens: {
    route: 'POST /v1/lenses/{lensId}/execute',
    summary: 'Executes a lens; returns the accepted run at once',
    description:
      'Answers as soon as the run is stored. Wait for its end with streamRunEvents or getRun. Missing parameters and too few credits are refused before a run exists; an idempotencyKey makes the request safe to repeat.',
    params: LensPath,
    body: LensExecuteRequest,
    example: { params: { Topic: 'the sea' }, idempotencyKey: 'note-about-the-sea' },
    reply: PlatformExecutionAccepted,
    status: 202,
    scopes: ['lenses:read'],
    rate: 'execute',
  },
  executeLensBatch: {
    route: 'POST /v1/lenses/{lensId}/execute-batch',
    summary: 'Executes a lens many times; each item counts as one execution and returns a run or a fault',
    description:
      'Takes up to 1,000 items in one request, each with its own idempotencyKey. The reply has a run or a fault for each item in the same order, and a batchId with which runs are listed and followed.',
    params: LensPath,
    body: LensBatchRequest,
    example: {
      items: [
        { params: { Topic: 'the sea' }, idempotencyKey: 'note-1' },
        { params: { Topic: 'rain' }, idempotencyKey: 'note-2' },
      ],
    },
    largeBody: maxBatch,
    reply: LensBatchAccepted,
    status: 202,
    scopes: ['lenses:read'],
    rate: 'execute',
    cost: countItems,
  },
});
