import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, flag, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { dateTimeKind } from '../schema/kinds.js';
import { PageQuery, ShortListQuery } from '../schema/paging.js';
import { ScheduleRecord, WorkflowPath, missedPolicies, ofMissed, ofOverlap, overlaps } from './workflows.js';

const title = { min: 1, max: 200, pattern: /\S/ } as const;
const cron = { min: 1, max: 200, description: 'minute hour day month weekday' } as const;
const zone = { min: 1, max: 64, description: 'An IANA name, such as Europe/Berlin.' } as const;
const outcomes = ['waiting', 'started', 'skipped', 'missed', 'failed'] as const;

export class SchedulePath {
  @uuid({ description: 'The schedule.' })
  scheduleId!: string;
}

export class NewScheduleRequest {
  @text({ ...title, optional: true, description: 'The cron pattern when absent.' })
  title?: string;

  @text(cron)
  cron!: string;

  @text(zone)
  timeZone = 'UTC';

  @record({ description: 'The inputs of each run.' })
  inputs: Record<string, unknown> = {};

  @oneOf(overlaps, ofOverlap)
  overlap: (typeof overlaps)[number] = 'skip';

  @oneOf(missedPolicies, ofMissed)
  missed: (typeof missedPolicies)[number] = 'skip';

  @flag()
  enabled = true;
}

export class SchedulePatch {
  @text({ ...title, optional: true })
  title?: string;

  @text({ ...cron, optional: true })
  cron?: string;

  @text({ ...zone, optional: true })
  timeZone?: string;

  @record({ optional: true })
  inputs?: Record<string, unknown>;

  @oneOf(overlaps, { ...ofOverlap, optional: true })
  overlap?: (typeof overlaps)[number];

  @oneOf(missedPolicies, { ...ofMissed, optional: true })
  missed?: (typeof missedPolicies)[number];

  @flag({ optional: true, description: 'false pauses it; true resumes it.' })
  enabled?: boolean;
}

export class ScheduleDeleted {
  @flag()
  deleted!: true;

  @uuid()
  scheduleId!: string;
}

export class SchedulePreview {
  @list(dateTimeKind(), { max: 20, description: 'The next ticks if the schedule is not paused.' })
  at!: string[];
}

export class ScheduleTickItem {
  @dateTime()
  tickAt!: string;

  @oneOf(outcomes)
  outcome!: (typeof outcomes)[number];

  @text({ nullable: true })
  reason!: string | null;

  @uuid({ nullable: true })
  runId!: string | null;

  @dateTime()
  decidedAt!: string;
}

export class ScheduleItem extends ScheduleRecord {
  @text()
  workflowTitle!: string;

  @nested(() => ScheduleTickItem, { nullable: true, description: 'The newest tick.' })
  lastTick!: ScheduleTickItem | null;
}

export const scheduleEndpoints = defineEndpoints({
  listOwnSchedules: {
    route: 'GET /v1/schedules',
    summary: 'Lists the schedules of all workflows of your own, the next one first',
    description: 'Each schedule has the title of its workflow and its newest tick. Those that are paused are the last.',
    query: ShortListQuery,
    reply: ScheduleItem,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  listSchedules: {
    route: 'GET /v1/workflows/{workflowId}/schedules',
    summary: 'Lists the schedules of a workflow of your own',
    description: 'Each schedule has its cron pattern, its time zone and its next tick.',
    params: WorkflowPath,
    query: ShortListQuery,
    reply: ScheduleRecord,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
  createSchedule: {
    route: 'POST /v1/workflows/{workflowId}/schedules',
    summary: 'Creates a schedule for a workflow of your own',
    description:
      'The pattern has five fields: minute, hour, day, month and weekday. overlap and missed decide about ticks that cannot start at once.',
    params: WorkflowPath,
    body: NewScheduleRequest,
    example: { cron: '30 6 * * 1-5', timeZone: 'Europe/Berlin', inputs: { name: 'Ada' } },
    reply: ScheduleRecord,
    status: 201,
    scopes: ['workflows:write'],
    rate: 'create',
  },
  getSchedule: {
    route: 'GET /v1/schedules/{scheduleId}',
    summary: 'Reads a schedule of your own',
    description: 'Shows the pattern, the inputs, the settings and the next tick.',
    params: SchedulePath,
    reply: ScheduleRecord,
    scopes: ['workflows:read'],
    rate: 'read',
  },
  updateSchedule: {
    route: 'PATCH /v1/schedules/{scheduleId}',
    summary: 'Changes, pauses or resumes a schedule of your own',
    description:
      'Absent members stay as they are. enabled: false pauses the schedule; resuming does not start missed ticks.',
    params: SchedulePath,
    body: SchedulePatch,
    reply: ScheduleRecord,
    scopes: ['workflows:write'],
    rate: 'write',
    errors: [409],
  },
  deleteSchedule: {
    route: 'DELETE /v1/schedules/{scheduleId}',
    summary: 'Deletes a schedule of your own with its history',
    description: 'Runs that it has started continue and stay.',
    params: SchedulePath,
    reply: ScheduleDeleted,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  takeOverSchedule: {
    route: 'POST /v1/schedules/{scheduleId}/take-over',
    summary: 'Takes a schedule over: its runs get the rights of the caller',
    description:
      'Ends a suspension, after which the schedule runs again. Later runs count against the credit limit of the credential of the caller.',
    params: SchedulePath,
    reply: ScheduleRecord,
    scopes: ['workflows:write'],
    rate: 'write',
  },
  previewSchedule: {
    route: 'GET /v1/schedules/{scheduleId}/preview',
    summary: 'Lists the next 20 ticks of a schedule of your own',
    description: 'Computes the ticks in the time zone of the schedule, with changes to and from daylight saving time.',
    params: SchedulePath,
    reply: SchedulePreview,
    scopes: ['workflows:read'],
    rate: 'read',
  },
  listScheduleTicks: {
    route: 'GET /v1/schedules/{scheduleId}/ticks',
    summary: 'Lists past ticks of a schedule of your own and their outcomes, the newest first',
    description: 'Each tick has its outcome: the run that it started, or why it started none.',
    params: SchedulePath,
    query: PageQuery,
    reply: ScheduleTickItem,
    scopes: ['workflows:read'],
    rate: 'list',
    replies: 'list',
  },
});
