import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, decimal, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, oneOfKind, textKind } from '../schema/kinds.js';
import { ShortListQuery } from '../schema/paging.js';
import { RunMessage } from './run-message.js';
import { idempotencyKey } from './run-options.js';
import { TokenDetails, tokenDetailsText } from './token-details.js';

export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const finishReasons = ['stop', 'length', 'tool_calls', 'other'] as const;
export type FinishReason = (typeof finishReasons)[number];

export const artifactKinds = ['text', 'image', 'audio', 'video', 'json', 'trace', 'tool_log', 'rubric_result'] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

export const fundingSources = ['user_byok_cloud', 'user_byok_local', 'platform_credit', 'sponsored'] as const;
export type FundingSource = (typeof fundingSources)[number];

export const billingStatuses = ['none', 'reserved', 'charged', 'released'] as const;
export type BillingStatus = (typeof billingStatuses)[number];

export const runKinds = ['lens', 'workflow', 'prompt', 'judging'] as const;
export type RunKind = (typeof runKinds)[number];
const runKindDescription =
  'prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle.';

export const runOrigins = [
  'caller',
  'schedule',
  'incoming_webhook',
  'node',
  'tracking',
  'battle',
  'experiment',
  'agent',
  'team',
  'thread',
] as const;
export type RunOrigin = (typeof runOrigins)[number];
const runOriginDescription =
  'The cause of the run: a request, a schedule, a call of an incoming webhook, a node of another run, a battle, an experiment, an action of an AI lenser, a team run, or a mention in a thread. A tracking record is not executed: its caller reports its outcome.';

const tagKind = textKind({ min: 1, max: 100 });

/** A filter of the caller's runs; absent members match all. */
export class RunFilter {
  @list(oneOfKind(runStatuses), { min: 1, max: 6, optional: true, description: 'Runs with one of these statuses.' })
  status?: RunStatus[];

  @oneOf(runKinds, { optional: true, description: runKindDescription })
  kind?: RunKind;

  @uuid({ optional: true, description: 'Runs of this lens.' })
  lensId?: string;

  @uuid({ optional: true, description: 'Runs of this workflow.' })
  workflowId?: string;

  @list(tagKind, { min: 1, max: 20, optional: true, description: 'Runs that have all of these tags.' })
  tag?: string[];

  @uuid({ optional: true, description: 'Runs of this batch.' })
  batchId?: string;

  @uuid({ optional: true, description: 'Runs that retry this run, or that it started.' })
  parentRunId?: string;

  @dateTime({ optional: true, description: 'Runs accepted at or after this time.' })
  createdAfter?: string;

  @dateTime({ optional: true, description: 'Runs accepted before this time.' })
  createdBefore?: string;

  @text({ min: 1, max: 100, optional: true, description: 'Runs that ended with this error code.' })
  errorCode?: string;
}

/** How many runs one page of a search goes through. */
export const maxSearchedRuns = 10_000;

export class RunsQuery extends RunFilter {
  @text({
    min: 1,
    max: 200,
    optional: true,
    description: 'Runs with this text in their parameters or in their output, in any case.',
  })
  q?: string;

  @text({ min: 1, max: 100, optional: true, description: 'Runs of this model.' })
  modelKey?: string;

  @integer({ min: 0, max: 1_000_000_000, optional: true, description: 'Runs that cost at least this many credits.' })
  minCreditCost?: number;

  @integer({
    min: 0,
    max: 1_000_000_000,
    optional: true,
    description: 'Runs that took at least this long from start to end.',
  })
  minDurationMs?: number;

  @text({ min: 1, max: 100, optional: true, description: 'Runs with a score of this name.' })
  scoreName?: string;

  @decimal({
    min: 0,
    max: 1,
    optional: true,
    description: 'Runs with a score of at least this, of any name or of scoreName.',
  })
  minScore?: number;

  @decimal({
    min: 0,
    max: 1,
    optional: true,
    description: 'Runs with a score of at most this, of any name or of scoreName.',
  })
  maxScore?: number;

  @flag({ description: 'Adds the beginning of the parameters to each run.' })
  withInput = false;

  @integer({ min: 1, max: 100, description: 'The maximum number of items.' })
  limit = 20;

  @integer({ min: 0, max: 10_000, description: 'The number of items to skip, after the cursor if there is one.' })
  offset = 0;

  @text({ min: 1, max: 200, optional: true, description: 'meta.nextCursor of the previous page.' })
  cursor?: string;
}

export class RunItem {
  @uuid()
  id!: string;

  @oneOf(runKinds, { description: runKindDescription })
  kind!: RunKind;

  @oneOf(runStatuses)
  status!: RunStatus;

  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @text({ nullable: true, description: 'The title of its lens or workflow, while you may read it.' })
  title!: string | null;

  @text({
    nullable: true,
    description: 'The version of its lens, or the number of that of its workflow, with a suffix for a candidate.',
  })
  version!: string | null;

  @text({
    nullable: true,
    optional: true,
    description: 'The first 200 characters of its parameters as JSON, on request.',
  })
  input?: string | null;

  @oneOf(runOrigins, { description: runOriginDescription })
  origin!: RunOrigin;

  @uuid({ nullable: true })
  batchId!: string | null;

  @list(tagKind, { max: 20 })
  tags!: string[];

  @text({ nullable: true })
  modelKey!: string | null;

  @text({ nullable: true })
  providerKey!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  startedAt!: string | null;

  @dateTime({ nullable: true })
  completedAt!: string | null;

  @integer({ min: 0, nullable: true })
  creditCost!: number | null;

  @text({ nullable: true })
  errorCode!: string | null;

  @uuid({ nullable: true, description: 'The run that this one retries, or that started it.' })
  parentRunId!: string | null;
}

export class RunPath {
  @uuid({ description: 'The run.', idOf: 'run' })
  runId!: string;
}

export class PlatformExecutionAccepted {
  @uuid()
  runId!: string;

  @oneOf(runStatuses)
  status!: RunStatus;

  @uuid({ optional: true, nullable: true })
  workflowId?: string | null;
}

export class PlatformExecutionArtifact {
  @uuid()
  id!: string;

  @oneOf(artifactKinds)
  artifactKind!: ArtifactKind;

  @text({ optional: true, nullable: true, max: 10_000_000 })
  contentText?: string | null;

  @json({ optional: true })
  contentJson?: unknown;

  @flag()
  isPrimaryOutput!: boolean;

  @text()
  visibility!: string;

  @dateTime()
  createdAt!: string;
}

export class RequiredCall {
  @uuid()
  callId!: string;

  @text({ description: 'The node that asks: lens in the run of a lens.' })
  nodeKey!: string;

  @text({ description: 'The tool.' })
  name!: string;

  @json({ description: 'Its arguments.' })
  input!: unknown;

  @dateTime()
  requestedAt!: string;

  @dateTime({ description: 'The time until which its result is awaited.' })
  expiresAt!: string;
}

export class RequiredAction {
  @oneOf(['tool_results'])
  type!: 'tool_results';

  @list(nestedKind(() => RequiredCall))
  calls!: RequiredCall[];
}

export class PlatformRunStatus {
  @uuid()
  id!: string;

  @oneOf(runKinds, { description: runKindDescription })
  kind!: RunKind;

  @oneOf(runOrigins, { description: runOriginDescription })
  origin!: RunOrigin;

  @uuid({ nullable: true, description: 'The lens; for a tracking record, the lens of its prompt.' })
  lensId!: string | null;

  @uuid({ nullable: true, description: 'The version of the lens.' })
  lensVersionId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @uuid({ optional: true, nullable: true, description: 'The version of the workflow.' })
  workflowVersionId?: string | null;

  @text({
    optional: true,
    nullable: true,
    description:
      'The label that decided about the version; null when the request named a version, or none without a default label.',
  })
  label?: string | null;

  @text({
    optional: true,
    nullable: true,
    description: 'The number of the version, when the label had arms; null when all its callers got the same version.',
  })
  arm?: string | null;

  @uuid()
  requestId!: string;

  @oneOf(runStatuses)
  status!: RunStatus;

  @text({ optional: true, nullable: true })
  modelId?: string | null;

  @text({ optional: true, nullable: true })
  modelKey?: string | null;

  @text({ optional: true, nullable: true })
  providerKey?: string | null;

  @dateTime({ optional: true, nullable: true })
  startedAt?: string | null;

  @dateTime({ optional: true, nullable: true })
  completedAt?: string | null;

  @integer({ min: 0, optional: true, nullable: true })
  latencyMs?: number | null;

  @integer({ min: 0, optional: true, nullable: true })
  tokenInput?: number | null;

  @integer({ min: 0, optional: true, nullable: true })
  tokenOutput?: number | null;

  @nested(() => TokenDetails, { optional: true, nullable: true, description: tokenDetailsText })
  tokenDetails?: TokenDetails | null;

  @oneOf(finishReasons, {
    optional: true,
    nullable: true,
    description:
      'Why the model ended its answer: `length` when it was cut off. null for workflows, lenses with tools, and earlier runs.',
  })
  finishReason?: FinishReason | null;

  @integer({ min: 0, optional: true, nullable: true })
  creditCost?: number | null;

  @text({ optional: true, nullable: true })
  billingStatus?: string | null;

  @text({ optional: true, nullable: true })
  errorCode?: string | null;

  @text({ optional: true, nullable: true })
  errorMessage?: string | null;

  @nested(() => RequiredAction, {
    optional: true,
    nullable: true,
    description: 'The tool calls that wait for results of the caller.',
  })
  requiredAction?: RequiredAction | null;

  @list(nestedKind(() => PlatformExecutionArtifact))
  artifacts!: PlatformExecutionArtifact[];

  @list(tagKind, { max: 20, optional: true })
  tags?: string[];

  @record({ optional: true, nullable: true, description: 'The metadata of its request.' })
  metadata?: Record<string, unknown> | null;

  @uuid({ optional: true, nullable: true, description: 'The batch that it belongs to.' })
  batchId?: string | null;

  @uuid({ optional: true, nullable: true, description: 'The run that this one retries, or that started it.' })
  parentRunId?: string | null;

  @dateTime()
  createdAt!: string;
}

/** The parameters, versions and limits of a run. */
export class RunInput {
  @uuid()
  runId!: string;

  @record({
    nullable: true,
    description:
      'The parameters of the lens, the inputs of the workflow, or the conversation of a request in the form of OpenAI; null for runs of other kinds.',
  })
  params!: Record<string, unknown> | null;

  @list(nestedKind(() => RunMessage), {
    nullable: true,
    description:
      'The messages that the lens made of the parameters, without images; null for other runs, and when you may not read the lens.',
  })
  messages!: RunMessage[] | null;

  @uuid({ nullable: true, description: 'The version of the workflow.' })
  workflowVersionId!: string | null;

  @record({ nullable: true, description: 'The settings of the model that differ from its defaults.' })
  sampling!: Record<string, unknown> | null;

  @record({ nullable: true, description: 'The JSON schema of the answer.' })
  outputSchema!: Record<string, unknown> | null;

  @integer()
  priority!: number;

  @integer({ min: 0, nullable: true, description: 'The most credits that the run may cost.' })
  creditLimit!: number | null;

  @integer({ min: 0, nullable: true, description: 'The time limit of the execution.' })
  executionMs!: number | null;

  @oneOf(fundingSources, { nullable: true })
  fundingSource!: FundingSource | null;

  @text({ nullable: true, description: 'The id of the trace that the run belongs to, if its request was traced.' })
  traceId!: string | null;
}

export class RunCanceled {
  @uuid()
  runId!: string;

  @oneOf(runStatuses, { description: 'canceled, or running until the worker has stopped.' })
  status!: RunStatus;
}

export class ArtifactPath extends RunPath {
  @uuid({ description: 'The artifact.', idOf: 'artifact' })
  artifactId!: string;
}

export const retriesFrom = ['start', 'failed_nodes'] as const;
export type RetryFrom = (typeof retriesFrom)[number];

export class RunRetryRequest {
  @text({
    ...idempotencyKey,
    description: 'A repeated request with the same key and run within 24 hours returns the same new run.',
  })
  idempotencyKey?: string;

  @oneOf(retriesFrom, {
    description: 'failed_nodes keeps the results of nodes that succeeded and are the same in the version.',
  })
  from: RetryFrom = 'start';

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'Of a run of a workflow: the id, the number or a label of another version to run.',
  })
  version?: string;

  @text({
    min: 1,
    max: 64,
    optional: true,
    description:
      'Of a run of a workflow: a node that runs again with all nodes after it, although it succeeded. The other results are kept, as by failed_nodes.',
  })
  fromNode?: string;
}

export const reportStatuses = ['succeeded', 'failed'] as const;

export class RunReportRequest {
  @oneOf(reportStatuses)
  status!: (typeof reportStatuses)[number];

  @json({ optional: true, description: 'The result, which becomes the primary output: a text or JSON.' })
  output?: unknown;

  @integer({ min: 0, max: 2_147_483_647, optional: true })
  tokenInput?: number;

  @integer({ min: 0, max: 2_147_483_647, optional: true })
  tokenOutput?: number;

  @text({ min: 1, max: 2000, optional: true, description: 'The fault; for the status failed only.' })
  error?: string;
}

export class RunReported {
  @uuid()
  runId!: string;

  @oneOf(reportStatuses)
  status!: (typeof reportStatuses)[number];
}

export class RunReadTokenRequest {
  @integer({
    min: 10,
    max: 86_400,
    optional: true,
    description: 'Seconds for which the token is valid; the platform sets a maximum.',
  })
  ttlSeconds?: number;
}

export class RunReadToken {
  @uuid()
  runId!: string;

  @text({
    description:
      'The bearer token, or the value of the query parameter token, for the events of this run only. It is shown only now.',
  })
  token!: string;

  @dateTime()
  expiresAt!: string;

  @text({
    description:
      'The path of the events, relative to the URL of the API; with the token for an EventSource, unless the operator has switched that off.',
  })
  eventsPath!: string;
}

export class RunEventsQuery {
  @text({
    min: 1,
    max: 200,
    optional: true,
    description: 'A token of POST /v1/runs/{runId}/read-token, instead of the Authorization header.',
  })
  token?: string;
}

export class GroupEventsQuery {
  @text({ min: 1, max: 100, optional: true, description: 'The events of all present and future runs with this tag.' })
  tag?: string;

  @uuid({ optional: true, description: 'The events of all runs of this batch, until the last one has ended.' })
  batchId?: string;
}

/** The scopes that read or change runs; the kind of a run decides which one it needs. */
export const runReadScopes = ['lenses:read', 'workflows:read', 'community:read'] as const;
export const runWriteScopes = ['lenses:read', 'workflows:write', 'community:write'] as const;

export const runEndpoints = defineEndpoints({
  listRuns: {
    route: 'GET /v1/runs',
    summary: "Lists the caller's runs, the newest first",
    description:
      'Lists runs of the kinds that the scopes of the caller can read. Filters can be combined; several statuses match any of them, several tags match all. A page with `q`, `modelKey`, `minCreditCost`, `minDurationMs`, `scoreName`, `minScore` or `maxScore` goes through 10,000 runs that match the other filters, and with `q` through at most 32 MB of text. It can therefore have fewer items than its limit, or none, and still a `meta.nextCursor` that goes on from there.',
    query: RunsQuery,
    reply: RunItem,
    scopes: runReadScopes,
    rate: 'list',
    replies: 'list',
  },
  getRun: {
    route: 'GET /v1/runs/{runId}',
    summary: 'Reads the status and the artifacts of a run',
    description:
      'The primary output is the artifact with isPrimaryOutput. Runs of other accounts return 404. Poll it, or follow streamRunEvents instead.',
    params: RunPath,
    reply: PlatformRunStatus,
    scopes: runReadScopes,
    rate: 'read',
  },
  streamRunEvents: {
    route: 'GET /v1/runs/{runId}/events',
    summary: 'Streams the events of a run; resumes after Last-Event-ID',
    description:
      'Sends one frame for each stored event in order, a comment every 15 seconds, and event: done after the event that ends the run. A read token is accepted as a bearer token from any origin, and in the query for an EventSource.',
    params: RunPath,
    query: RunEventsQuery,
    scopes: runReadScopes,
    rate: 'read',
    replies: 'event-stream',
  },
  streamGroupEvents: {
    route: 'GET /v1/run-events',
    summary: 'Streams the events of all runs of a batch or with a tag; resumes after Last-Event-ID',
    description:
      'Name either a batchId or a tag. Ids of frames are opaque. The stream of a batch ends with event: done, that of a tag does not end.',
    query: GroupEventsQuery,
    scopes: runReadScopes,
    rate: 'read',
    errors: [404],
    replies: 'event-stream',
  },
  createRunReadToken: {
    route: 'POST /v1/runs/{runId}/read-token',
    summary: 'Creates a short-lived token with which a browser can follow the events of a run',
    description:
      'The token reads the events of this run only and is never valid for longer than the credential that created it. Send it as a bearer token. eventsPath in the reply has it as a query parameter, for an EventSource.',
    params: RunPath,
    body: RunReadTokenRequest,
    reply: RunReadToken,
    status: 201,
    scopes: runReadScopes,
    rate: 'write',
  },
  listRunArtifacts: {
    route: 'GET /v1/runs/{runId}/artifacts',
    summary: 'Lists the artifacts of a run, its primary output first',
    description:
      'Artifacts are the outputs of a run: text, JSON, traces of its execution and results of rubrics. A run that has not ended can have some already.',
    params: RunPath,
    query: ShortListQuery,
    reply: PlatformExecutionArtifact,
    scopes: runReadScopes,
    rate: 'read',
    replies: 'list',
  },
  getRunArtifact: {
    route: 'GET /v1/runs/{runId}/artifacts/{artifactId}',
    summary: 'Reads an artifact of a run',
    description: 'The content is in contentText or contentJson, according to its kind.',
    params: ArtifactPath,
    reply: PlatformExecutionArtifact,
    scopes: runReadScopes,
    rate: 'read',
  },
  getRunArtifactContent: {
    route: 'GET /v1/runs/{runId}/artifacts/{artifactId}/content',
    summary: 'Downloads the content of an artifact unchanged, as text or JSON',
    description:
      'Sends the content alone as text/plain or application/json, without the envelope, with a Content-Disposition for downloads.',
    params: ArtifactPath,
    scopes: runReadScopes,
    rate: 'read',
    fileTypes: ['text/plain', 'application/json'],
    replies: 'plain',
  },
  retryRun: {
    route: 'POST /v1/runs/{runId}/retry',
    summary: 'Retries a run that failed, timed out or was canceled, as a new run',
    description:
      'The new run has the same model, parameters and options, and the same version unless the request names another one. It is charged again and names the original in parentRunId. A run that has not ended or that has succeeded is refused with 409.',
    params: RunPath,
    body: RunRetryRequest,
    reply: PlatformExecutionAccepted,
    status: 202,
    scopes: runWriteScopes,
    rate: 'execute',
    errors: [409],
  },
  reportRun: {
    route: 'POST /v1/runs/{runId}/report',
    summary: 'Ends a tracking record, once, with the outcome that its caller reports',
    description:
      'For runs that were recorded by the tool run_lens and are executed by their caller. A second report is refused with 409.',
    params: RunPath,
    body: RunReportRequest,
    largeBody: { bytes: 4_000_000, members: 50_000 },
    reply: RunReported,
    scopes: ['workflows:write'],
    rate: 'write',
    errors: [409],
  },
  getRunInput: {
    route: 'GET /v1/runs/{runId}/input',
    summary: 'Reads what a run was started with: parameters, versions and limits',
    description:
      'A retry starts with the same parameters and the same version. Parameters are as the caller gave them. Prompts and judgements have none.',
    params: RunPath,
    reply: RunInput,
    scopes: runReadScopes,
    rate: 'read',
  },
  cancelRun: {
    route: 'POST /v1/runs/{runId}/cancel',
    summary: 'Cancels a run: at once while queued, within seconds while running',
    description:
      'The platform returns the hold of credits that were not used. A run that has ended is refused with 409.',
    params: RunPath,
    reply: RunCanceled,
    status: 202,
    scopes: runWriteScopes,
    rate: 'write',
    errors: [409],
  },
});
