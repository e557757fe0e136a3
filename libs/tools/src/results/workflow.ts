import {
  dateTime,
  flag,
  integer,
  json,
  list,
  nested,
  nestedKind,
  oneOf,
  record,
  text,
  uuid,
} from '@lensforge/contracts';
import { type AcceptedRun, type WorkflowRunDetail, toolRunStatus, toolRunStatuses } from '@lensforge/runs';
import {
  type WorkflowDetail,
  type WorkflowPage,
  type WorkflowSummary,
  workflowVisibilities,
} from '@lensforge/workflows';
import { LibraryItemResult, renamedMembers } from './library-item.js';
import { PageResult, pageResult } from './page.js';
import { toResult } from './to-result.js';

/** Workflows as tool results. */

export class WorkflowItemResult extends LibraryItemResult {
  @oneOf(workflowVisibilities)
  visibility!: string;

  @integer({ min: 1, description: 'The number of the newest version.' })
  version_number!: number;
}

export class WorkflowPageResult extends PageResult {
  @list(nestedKind(() => WorkflowItemResult))
  items!: WorkflowItemResult[];

  @integer({ min: 0, description: 'Counted up to 10,000.' })
  total!: number;
}

export class HeadVersionResult {
  @uuid()
  id!: string;

  @integer({ min: 1 })
  number!: number;

  @integer({ min: 0 })
  node_count!: number;

  @json({ description: '{nodes, edges, inputs?, outputs?}; inputs is the JSON Schema of the inputs of run_workflow.' })
  graph!: unknown;

  @text()
  changelog!: string;

  @dateTime()
  created_at!: string;
}

export class ScheduleResult {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @text({ description: 'minute hour day month weekday' })
  cron!: string;

  @text()
  time_zone!: string;

  @record()
  inputs!: Record<string, unknown>;

  @oneOf(['skip', 'queue', 'allow'])
  overlap!: string;

  @oneOf(['skip', 'run_once'])
  missed!: string;

  @flag()
  enabled!: boolean;

  @text({ nullable: true })
  paused_reason!: string | null;

  @dateTime({ nullable: true })
  next_at!: string | null;
}

export class WorkflowResult extends WorkflowItemResult {
  @nested(() => HeadVersionResult, { description: 'The newest version.' })
  head_version!: HeadVersionResult;

  @list(nestedKind(() => ScheduleResult), { description: 'Only for your own workflows.' })
  schedules!: ScheduleResult[];
}

export class CostResult {
  @integer({ min: 0 })
  model_calls!: number;

  @integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  tokens_used!: number;
}

export const runStatus = () => oneOf(toolRunStatuses);

export class RunStartedResult {
  @uuid()
  id!: string;

  @runStatus()
  status!: string;

  @dateTime()
  created_at!: string;
}

type Listed = Omit<WorkflowSummary, 'headVersion'> & { headVersion: { id: string; number: number } };

const workflowMembers = (workflow: Listed) => ({
  ...renamedMembers(workflow),
  version_number: workflow.headVersion.number,
});

export const workflowItem = (workflow: Listed): WorkflowItemResult =>
  toResult(WorkflowItemResult, workflow, workflowMembers(workflow));

export const workflowPage = (page: WorkflowPage): WorkflowPageResult => pageResult(page, workflowItem);

export const workflowResult = (workflow: WorkflowDetail): WorkflowResult =>
  toResult(WorkflowResult, workflow, {
    ...workflowMembers(workflow),
    head_version: toResult(HeadVersionResult, workflow.headVersion),
    schedules: workflow.schedules.map((schedule) => toResult(ScheduleResult, schedule)),
  });

/** A new run is pending at its creation, even if a worker has started it since; an existing one has its current status. */
export const runStarted = (
  { id, status, createdAt }: WorkflowRunDetail,
  { isNew }: Pick<AcceptedRun, 'isNew'>,
): RunStartedResult => ({
  id,
  status: isNew ? 'pending' : toolRunStatus[status],
  created_at: createdAt,
});

export const toCostResult = (run: WorkflowRunDetail): CostResult => toResult(CostResult, run);
