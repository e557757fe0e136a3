import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { listKind, nestedKind, oneOfKind, textKind } from '../schema/kinds.js';
import { CountedPageQuery, PageQuery } from '../schema/paging.js';
import { AuthorRef } from './lenses.js';
import { Concurrency, idempotencyKey } from './run-options.js';
import {
  type FundingSource,
  PlatformExecutionAccepted,
  RunItem,
  type RunStatus,
  fundingSources,
  runStatuses,
} from './runs.js';
import { type SuspendedReason, TriggerAuthority, ofSuspendedReason, suspendedReasons } from './trigger-authority.js';

const visibilities = ['public', 'private', 'unlisted'] as const;
type Visibility = (typeof visibilities)[number];
export const overlaps = ['skip', 'queue', 'allow'] as const;
export const missedPolicies = ['skip', 'run_once'] as const;
export const ofOverlap = { description: 'How a tick is handled while a run of an earlier tick has not ended.' };
export const ofMissed = { description: 'How ticks are handled that were due while no scheduler was running.' };
type Overlap = (typeof overlaps)[number];
type Missed = (typeof missedPolicies)[number];

const title = { min: 1, max: 200, pattern: /\S/ } as const;
const description = { max: 2000 } as const;
const changelog = { max: 2000 } as const;
const ofGraph = '{nodes, edges, inputs?, outputs?}; see docs/workflows.md.';

export class WorkflowPath {
  @uuid({ description: 'The workflow.' })
  workflowId!: string;
}

export class WorkflowRunRequest extends Concurrency {
  @record({ description: 'The inputs of the workflow.' })
  inputs!: Record<string, unknown>;

  @text({ min: 1, max: 200, optional: true, description: 'The model for all nodes that use one.' })
  modelOverride?: string;

  @oneOf(fundingSources, {
    optional: true,
    description: 'The source that pays for all nodes; user_byok_local is for lenses only.',
  })
  fundingSource?: FundingSource;

  @text({ min: 1, max: 100, optional: true, description: 'Required when fundingSource is user_byok_cloud.' })
  byokKeyRefId?: string;

  @text(idempotencyKey)
  idempotencyKey?: string;

  @text({ min: 1, max: 100, optional: true, description: 'The id or number of a version; the newest when absent.' })
  version?: string;

  @integer({ min: 0, max: 1_000_000_000, optional: true, description: 'The maximum cost of all nodes together.' })
  budgetCredits?: number;

  @list(textKind({ min: 1, max: 100 }), { max: 20, optional: true, description: 'Tags to find the run by.' })
  tags?: string[];

  @record({ optional: true, description: 'Your own notes, stored with the run.' })
  metadata?: Record<string, unknown>;
}

export class WorkflowVersionRef {
  @uuid()
  id!: string;

  @integer({ min: 1 })
  number!: number;
}

export class WorkflowVersionItem extends WorkflowVersionRef {
  @integer({ min: 0, description: 'Including the nodes of maps.' })
  nodeCount!: number;

  @text()
  changelog!: string;

  @dateTime()
  createdAt!: string;
}

export class WorkflowVersionRecord extends WorkflowVersionItem {
  @uuid()
  workflowId!: string;

  @json({ description: ofGraph })
  graph!: unknown;
}

export class ScheduleRecord {
  @uuid()
  id!: string;

  @uuid()
  workflowId!: string;

  @text()
  title!: string;

  @text({ description: 'minute hour day month weekday' })
  cron!: string;

  @text({ description: 'An IANA name.' })
  timeZone!: string;

  @record({ description: 'The inputs of each run.' })
  inputs!: Record<string, unknown>;

  @oneOf(overlaps, ofOverlap)
  overlap!: Overlap;

  @oneOf(missedPolicies, ofMissed)
  missed!: Missed;

  @flag()
  enabled!: boolean;

  @text({ nullable: true, description: 'The reason of the pause.' })
  pausedReason!: string | null;

  @nested(() => TriggerAuthority, { description: 'The rights of the runs that it starts.' })
  authority!: TriggerAuthority;

  @oneOf(suspendedReasons, ofSuspendedReason)
  suspendedReason!: SuspendedReason | null;

  @dateTime({ nullable: true })
  nextAt!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class WorkflowItem {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @text()
  description!: string;

  @oneOf(visibilities)
  visibility!: Visibility;

  @nested(() => AuthorRef)
  author!: AuthorRef;

  @nested(() => WorkflowVersionRef, { description: 'The newest version.' })
  headVersion!: WorkflowVersionRef;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class WorkflowRecord extends WorkflowItem {
  @nested(() => WorkflowVersionRecord, { description: 'The newest version.' })
  override headVersion!: WorkflowVersionRecord;

  @list(nestedKind(() => ScheduleRecord), { description: 'For the owner only.' })
  schedules!: ScheduleRecord[];
}

export class WorkflowQuery extends CountedPageQuery {
  @oneOf(visibilities, { optional: true })
  visibility?: Visibility;

  @uuid({ optional: true, description: 'Workflows of this account.' })
  author?: string;
}

export class NewWorkflowRequest {
  @text(title)
  title!: string;

  @text({ ...description, description: 'The purpose of the workflow.' })
  description = '';

  @oneOf(visibilities)
  visibility: Visibility = 'private';

  @record({ optional: true, description: `The graph of the first version, empty when absent: ${ofGraph}` })
  graph?: Record<string, unknown>;
}

export class WorkflowPatch {
  @text({ ...title, optional: true })
  title?: string;

  @text({ ...description, optional: true })
  description?: string;

  @oneOf(visibilities, { optional: true })
  visibility?: Visibility;
}

const ofBase = 'The version on which the graph was made. A newer version answers 409; without it, none does.';
const ofBareGraph = 'A member of the graph, when the body is the graph itself.';

/** A graph: as the whole body, or as the member `graph` with a changelog. */
export class WorkflowGraphRequest {
  @record({ optional: true, description: ofGraph })
  graph?: Record<string, unknown>;

  @json({ optional: true, description: ofBareGraph })
  nodes?: unknown;

  @json({ optional: true, description: ofBareGraph })
  edges?: unknown;

  @json({ optional: true, description: ofBareGraph })
  inputs?: unknown;

  @json({ optional: true, description: ofBareGraph })
  outputs?: unknown;

  @text(changelog)
  changelog = '';

  @uuid({ optional: true, description: ofBase })
  baseVersionId?: string;
}

export class WorkflowDeleted {
  @flag()
  deleted!: true;

  @uuid()
  workflowId!: string;
}

export class WorkflowVersionsQuery extends CountedPageQuery {}

export class WorkflowVersionPath extends WorkflowPath {
  @text({ min: 1, max: 100, description: 'The id or the number of a version.' })
  versionId!: string;
}

export class WorkflowDiffQuery {
  @text({ min: 1, max: 100, description: 'The id or the number of a version.' })
  from!: string;

  @text({ min: 1, max: 100, optional: true, description: 'The newest version when absent.' })
  to?: string;
}

export class WorkflowChange {
  @text({ max: 2000 })
  path!: string;

  @json()
  before!: unknown;

  @json()
  after!: unknown;
}

export class WorkflowNodeChanges {
  @text()
  id!: string;

  @list(nestedKind(() => WorkflowChange), { max: 100_000 })
  changes!: WorkflowChange[];
}

export class WorkflowNodesDiff {
  @list(textKind())
  added!: string[];

  @list(textKind())
  removed!: string[];

  @list(nestedKind(() => WorkflowNodeChanges))
  changed!: WorkflowNodeChanges[];
}

export class WorkflowEdgeShape {
  @text()
  from!: string;

  @text()
  to!: string;

  @text({ optional: true })
  output?: string;

  @text({ optional: true })
  input?: string;

  @text({ optional: true })
  when?: string;
}

export class WorkflowEdgesDiff {
  @list(nestedKind(() => WorkflowEdgeShape), { max: 2000 })
  added!: WorkflowEdgeShape[];

  @list(nestedKind(() => WorkflowEdgeShape), { max: 2000 })
  removed!: WorkflowEdgeShape[];
}

export class WorkflowDiffReply {
  @uuid()
  workflowId!: string;

  @nested(() => WorkflowVersionRef)
  from!: WorkflowVersionRef;

  @nested(() => WorkflowVersionRef)
  to!: WorkflowVersionRef;

  @nested(() => WorkflowNodesDiff)
  nodes!: WorkflowNodesDiff;

  @nested(() => WorkflowEdgesDiff)
  edges!: WorkflowEdgesDiff;

  @list(nestedKind(() => WorkflowChange), { max: 100_000, description: 'Changes of inputs and outputs.' })
  changes!: WorkflowChange[];
}

export class WorkflowDryRunRequest {
  @record({ description: 'Inputs to evaluate conditions with.' })
  inputs: Record<string, unknown> = {};

  @text({ min: 1, max: 200, optional: true })
  modelOverride?: string;

  @text({ min: 1, max: 100, optional: true, description: 'The id or number of a version; the newest when absent.' })
  version?: string;

  @record({ optional: true, description: 'A graph that is not saved, to check in place of a version.' })
  graph?: Record<string, unknown>;
}

export class ExpressionRequest {
  @text({ min: 1, max: 4000, description: 'An expression as in the settings of nodes.' })
  expression!: string;

  @uuid({ description: 'A run of the workflow; its inputs and results are the values.' })
  runId!: string;

  @text({ min: 1, max: 64, optional: true, description: 'The node whose edges give the values of input.' })
  nodeId?: string;
}

export class ExpressionFaultReply {
  @text()
  code!: string;

  @text({ max: 10_000 })
  message!: string;
}

export class ExpressionReply {
  @json({ nullable: true, description: 'The value; null when there is a fault.' })
  value!: unknown;

  @nested(() => ExpressionFaultReply, { nullable: true, description: 'Why the expression has no value.' })
  fault!: ExpressionFaultReply | null;
}

export const dryRunVerdicts = ['runs', 'skipped', 'depends'] as const;

export class WorkflowDryRunNode {
  @text()
  id!: string;

  @text()
  type!: string;

  @integer({ min: 0, description: 'The level of the node; nodes of one level do not depend on each other.' })
  level!: number;

  @oneOf(dryRunVerdicts, { description: 'depends: the result of an earlier node decides.' })
  verdict!: (typeof dryRunVerdicts)[number];

  @integer({
    min: 0,
    nullable: true,
    description: 'The number of times that a map runs, if its items are known; the cost includes its nodes.',
  })
  times!: number | null;

  @integer({ min: 0, max: 2_147_483_647, description: 'The maximum cost, as far as it is known.' })
  estimatedCredits!: number;
}

export class WorkflowDryRunReply {
  @uuid()
  workflowId!: string;

  @nested(() => WorkflowVersionRef, { description: 'The version that was checked; with a graph the newest one.' })
  version!: WorkflowVersionRef;

  @list(listKind(textKind({ max: 64 })), { description: 'The ids of nodes, by level.' })
  levels!: string[][];

  @list(nestedKind(() => WorkflowDryRunNode))
  nodes!: WorkflowDryRunNode[];

  @integer({ min: 0, max: 2_147_483_647, description: 'The maximum cost of all nodes that run or may run.' })
  estimatedCredits!: number;
}

export class WorkflowFileVersion {
  @record({ description: ofGraph })
  graph!: Record<string, unknown>;

  @text(changelog)
  changelog = '';

  @dateTime()
  createdAt!: string;
}

export class WorkflowFileLens {
  @uuid({ description: 'The id of the lens in the graphs.' })
  id!: string;

  @text(title)
  title!: string;

  @text(description)
  description = '';

  @text({ min: 50, max: 100_000 })
  templateBody!: string;
}

export class WorkflowFileSchedule {
  @text(title)
  title!: string;

  @text({ min: 1, max: 200 })
  cron!: string;

  @text({ min: 1, max: 64 })
  timeZone = 'UTC';

  @record()
  inputs: Record<string, unknown> = {};

  @oneOf(overlaps)
  overlap: Overlap = 'skip';

  @oneOf(missedPolicies)
  missed: Missed = 'skip';
}

export class WorkflowFile {
  @oneOf(['lensforge.workflow'])
  format!: 'lensforge.workflow';

  @integer({ min: 1, max: 1 })
  formatVersion!: 1;

  @uuid({ optional: true, description: 'The id of the workflow in its own graphs, for recursive calls.' })
  id?: string;

  @text(title)
  title!: string;

  @text(description)
  description = '';

  @oneOf(visibilities)
  visibility: Visibility = 'private';

  @list(nestedKind(() => WorkflowFileVersion), { min: 1, max: 1000, description: 'The oldest first.' })
  versions!: WorkflowFileVersion[];

  @list(nestedKind(() => WorkflowFileLens), {
    max: 500,
    description: 'The lenses of the graphs; those that the importer cannot use are created as private lenses.',
  })
  lenses: WorkflowFileLens[] = [];

  @list(nestedKind(() => WorkflowFileSchedule), { max: 100, description: 'Schedules, which are imported as paused.' })
  schedules: WorkflowFileSchedule[] = [];
}

export class WorkflowRunsQuery extends PageQuery {
  @list(oneOfKind(runStatuses), { min: 1, max: 6, optional: true, description: 'Runs with one of these statuses.' })
  status?: RunStatus[];
}

/** The maximum size of an export, so that each can be imported. */
export const maxWorkflowFile = { bytes: 10_485_760, members: 200_000 } as const;
const maxGraph = { bytes: 2_097_152, members: 50_000 } as const;

const reading = { scopes: ['workflows:read'], audience: 'public' } as const;

export const workflowEndpoints = defineEndpoints({
  runWorkflow: {
    route: 'POST /v1/workflows/{workflowId}/run',
    summary: 'Runs a workflow; returns the accepted run at once',
    description:
      'Answers as soon as the run is stored. The run uses the version that is the newest now, unless version names another. Inputs that do not match the schema of the graph are refused; an idempotencyKey makes the request safe to repeat.',
    params: WorkflowPath,
    body: WorkflowRunRequest,
    example: { inputs: { name: 'Ada' }, idempotencyKey: 'greeting-of-ada' },
    reply: PlatformExecutionAccepted,
    status: 202,
    scopes: ['workflows:write'],
    rate: 'run',
  },
  listWorkflows: {
    ...reading,
    route: 'GET /v1/workflows',
    summary: 'Lists public workflows and your own, the newest first; counts up to 10,000',
    description:
      'Lists without graphs. visibility and author filter the list; unlisted workflows are found by their id only.',
    query: WorkflowQuery,
    reply: WorkflowItem,
    rate: 'list',
    replies: 'list',
  },
  createWorkflow: {
    route: 'POST /v1/workflows',
    summary: 'Creates a workflow with its version 1',
    description:
      'The graph is checked as a whole and can be left out at first. A fault is refused with its path, such as nodes[3].settings.url.',
    body: NewWorkflowRequest,
    example: {
      title: 'Greeting',
      graph: {
        nodes: [{ id: 'greet', type: 'transform', settings: { expression: '"Hello, " + inputs.name' } }],
        edges: [],
        inputs: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      },
    },
    largeBody: maxGraph,
    reply: WorkflowRecord,
    status: 201,
    scopes: ['workflows:write'],
    rate: 'create',
  },
  importWorkflow: {
    route: 'POST /v1/workflows/import',
    summary: 'Imports an exported workflow with its versions, lenses and schedules',
    description:
      'Takes the document of an export. Lenses that the importer cannot use are created as private lenses, and schedules are imported as paused. The body can be larger than other bodies.',
    body: WorkflowFile,
    largeBody: maxWorkflowFile,
    reply: WorkflowRecord,
    status: 201,
    scopes: ['workflows:write'],
    rate: 'expensive',
  },
  getWorkflow: {
    ...reading,
    route: 'GET /v1/workflows/{workflowId}',
    summary: 'Reads a workflow with its newest graph and its schedules',
    description: 'The reply has the newest version with its graph. Workflows that the caller cannot see return 404.',
    params: WorkflowPath,
    reply: WorkflowRecord,
    rate: 'read',
  },
  updateWorkflow: {
    route: 'PATCH /v1/workflows/{workflowId}',
    summary: 'Changes the title, description or visibility of a workflow of your own',
    description: 'Absent members stay as they are. Use saveWorkflowGraph to change the graph.',
    params: WorkflowPath,
    body: WorkflowPatch,
    reply: WorkflowRecord,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  deleteWorkflow: {
    route: 'DELETE /v1/workflows/{workflowId}',
    summary: 'Deletes a workflow of your own permanently; its schedules end',
    description:
      'Hides the workflow with all its versions from every request. Its runs continue and stay in the list of runs.',
    params: WorkflowPath,
    reply: WorkflowDeleted,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  saveWorkflowGraph: {
    route: 'PUT /v1/workflows/{workflowId}/graph',
    summary: 'Saves a graph as a new version; an unchanged graph returns the newest version',
    description:
      'The body is the graph itself or {graph, changelog}. Versions never change, and runs keep the version with which they were accepted.',
    params: WorkflowPath,
    body: WorkflowGraphRequest,
    example: {
      graph: { nodes: [{ id: 'wait', type: 'delay', settings: { seconds: 5 } }], edges: [] },
      changelog: 'Waits first.',
    },
    largeBody: maxGraph,
    reply: WorkflowVersionRecord,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  listWorkflowVersions: {
    ...reading,
    route: 'GET /v1/workflows/{workflowId}/versions',
    summary: 'Lists the versions of a workflow, the newest first',
    description: 'Items have the number, the changelog and the time of each version, without its graph.',
    params: WorkflowPath,
    query: WorkflowVersionsQuery,
    reply: WorkflowVersionItem,
    rate: 'list',
    replies: 'list',
  },
  getWorkflowVersion: {
    ...reading,
    route: 'GET /v1/workflows/{workflowId}/versions/{versionId}',
    summary: 'Reads a version of a workflow with its graph',
    description: 'A version is named by its id or its number.',
    params: WorkflowVersionPath,
    reply: WorkflowVersionRecord,
    rate: 'read',
  },
  diffWorkflowVersions: {
    ...reading,
    route: 'GET /v1/workflows/{workflowId}/diff',
    summary: 'Compares two versions: nodes, edges, inputs and outputs',
    description:
      'from and to are ids or numbers. The reply has nodes, edges, inputs and outputs that were added, removed or changed.',
    params: WorkflowPath,
    query: WorkflowDiffQuery,
    reply: WorkflowDiffReply,
    rate: 'expensive',
  },
  dryRunWorkflow: {
    route: 'POST /v1/workflows/{workflowId}/dry-run',
    summary: 'Dry run: the order of nodes, what would be skipped and the maximum cost; nothing is executed',
    description:
      'Evaluates conditions with the given inputs as far as possible without running nodes. Use it before runWorkflow to see the cost. With a graph it checks a draft, whose faults are refused as by saveWorkflowGraph.',
    params: WorkflowPath,
    body: WorkflowDryRunRequest,
    largeBody: maxGraph,
    reply: WorkflowDryRunReply,
    scopes: ['workflows:read'],
    rate: 'expensive',
  },
  evaluateExpression: {
    route: 'POST /v1/workflows/{workflowId}/expressions/evaluate',
    summary: 'Evaluates an expression with the inputs and results of one of your runs; nothing is executed',
    description:
      'For an editor that shows the value of an expression. nodes has the results that the run has recorded so far; item and index are null. An expression without a value is answered with its fault.',
    params: WorkflowPath,
    body: ExpressionRequest,
    example: { expression: 'inputs.name', runId: '01920000-0000-7000-8000-000000000000' },
    reply: ExpressionReply,
    scopes: ['workflows:read'],
    rate: 'read',
  },
  exportWorkflow: {
    ...reading,
    route: 'GET /v1/workflows/{workflowId}/export',
    summary: 'Exports a workflow with all its versions and the lenses that it needs as one document',
    description: 'The document can be imported at this or at another platform.',
    params: WorkflowPath,
    reply: WorkflowFile,
    rate: 'expensive',
  },
  listWorkflowRuns: {
    route: 'GET /v1/workflows/{workflowId}/runs',
    summary: 'Lists your own runs of a workflow, the newest first',
    description: 'Runs of other accounts are not listed, also for the owner of the workflow. status filters the list.',
    params: WorkflowPath,
    query: WorkflowRunsQuery,
    reply: RunItem,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
});
