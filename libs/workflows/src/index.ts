export * from './access.js';
export * from './expression.js';
export * from './graph.js';
export * from './input-schema.js';
export * from './node-types.js';
export * from './read-graph.js';
export * from './runnable-workflow.js';
export type * from './shapes.js';
export * from './values.js';
export { graphOfVersion } from './version-reads.js';
export { Schedule, missedPolicies, overlapPolicies } from './schedule.entity.js';
export type { MissedPolicy, OverlapPolicy } from './schedule.entity.js';
export { ScheduleTick, tickOutcomes } from './schedule-tick.entity.js';
export type { TickOutcome } from './schedule-tick.entity.js';
export { Workflow, workflowVisibilities } from './workflow.entity.js';
export type { WorkflowVisibility } from './workflow.entity.js';
export { WorkflowVersion } from './workflow-version.entity.js';

import { ScheduleTick } from './schedule-tick.entity.js';
import { Schedule } from './schedule.entity.js';
import { WorkflowVersion } from './workflow-version.entity.js';
import { Workflow } from './workflow.entity.js';

export const workflowEntities = [Workflow, WorkflowVersion, Schedule, ScheduleTick] as const;
