import { dateTime, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { listKind, nestedKind, oneOfKind, textKind } from '../schema/kinds.js';
import { CountedPageQuery, PageQuery } from '../schema/paging.js';
import { LensSettings } from './lens-settings.js';
import { LabelMove, LabelPlace, ofBefore, ofMoved } from './labels.js';
import { LensFileInclude, LensLabelRequest } from './lenses.js';
import { LibraryItem } from './library-item.js';
import { Concurrency, idempotencyKey, stickyKey } from './run-options.js';
import { type FundingSource, type RunStatus, fundingSources, runStatuses } from './runs.js';
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

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'The id, number or label of a version; when absent the newest, or that of the default label.',
  })
  version?: string;

  @text(stickyKey)
  stickyKey?: string;

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

export class WorkflowItem extends LibraryItem {
  @oneOf(visibilities)
  visibility!: Visibility;

  @nested(() => WorkflowVersionRef, { description: 'The newest version, or that of the default label.' })
  headVersion!: WorkflowVersionRef;
}

export class WorkflowLabelPlace extends LabelPlace {
  @integer({ min: 1 })
  number!: number;
}

export class WorkflowLabelPath extends WorkflowPath {
  @text({ min: 1, max: 64, description: 'a-z, digits and . _ - with a letter first; production, staging or your own.' })
  label!: string;
}

export class WorkflowLabelRequest extends LensLabelRequest {}

export class WorkflowLabelMove extends LabelMove {
  @nested(() => WorkflowVersionRef, ofMoved)
  version!: WorkflowVersionRef | null;

  @nested(() => WorkflowVersionRef, ofBefore)
  before!: WorkflowVersionRef | null;
}

export class WorkflowLabelRemoved {
  @uuid()
  workflowId!: string;

  @text()
  label!: string;

  @flag()
  removed!: true;
}

export class WorkflowRecord extends WorkflowItem {
  @nested(() => WorkflowVersionRecord, {
    description: 'The newest version. For others than the owner, the version of the default label.',
  })
  override headVersion!: WorkflowVersionRecord;

  @list(nestedKind(() => WorkflowLabelPlace))
  labels!: WorkflowLabelPlace[];

  @text({
    nullable: true,
    description: 'Callers that name no version get the one of this label; the newest when null.',
  })
  defaultLabel!: string | null;

  @nested(() => WorkflowVersionRef, { description: 'The version that callers get that name none.' })
  servedVersion!: WorkflowVersionRef;

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

  @text({
    min: 1,
    max: 64,
    optional: true,
    nullable: true,
    description: 'A label: callers that name no version get its version instead of the newest one. null ends that.',
  })
  defaultLabel?: string | null;
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

/** A graph that is run before it is saved. */
export class WorkflowCandidate {
  @record({ description: ofGraph })
  graph!: Record<string, unknown>;
}

export class WorkflowCandidateSaved extends WorkflowVersionRef {
  @flag({ description: 'False for the graph of the newest version, which is saved already.' })
  isCandidate!: boolean;
}

export class WorkflowDeleted {
  @flag()
  deleted!: true;

  @uuid()
  workflowId!: string;
}

export class WorkflowVersionsQuery extends CountedPageQuery {}

export class WorkflowVersionPath extends WorkflowPath {
  @text({ min: 1, max: 100, description: 'The id, the number or a label of a version.' })
  versionId!: string;
}

export class WorkflowDiffQuery {
  @text({ min: 1, max: 100, description: 'The id, the number or a label of a version.' })
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

  @text({
    min: 1,
    max: 100,
    optional: true,
    description: 'The id, number or label of a version; when absent the newest, or that of the default label.',
  })
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

  @nested(() => LensSettings, { optional: true, nullable: true })
  settings?: LensSettings | null;

  @list(nestedKind(() => LensFileInclude), { max: 20, optional: true, nullable: true })
  includes?: LensFileInclude[] | null;
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
