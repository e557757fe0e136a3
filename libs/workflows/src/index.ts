export { eraseHiddenWorkflows } from './erase-hidden-workflows.js';
export { readableWorkflow, seenWorkflowTitle, workflowVersionText } from './access.js';
export { maxWorkflowDepth } from './check-references.js';
export { InlineBudget, computeExpressions, computeInSandbox, requireValue } from './compute-expressions.js';
export type { Evaluation, Outcome } from './evaluations.js';
export { createSchedule } from './create-schedule.js';
export type { NewSchedule } from './create-schedule.js';
export { createWorkflow } from './create-workflow.js';
export { tickAfter, ticksAfter } from './cron.js';
export type { CronPattern } from './cron.js';
export { deleteSchedule } from './delete-schedule.js';
export { deleteWorkflow } from './delete-workflow.js';
export { dueTicks } from './due-ticks.js';
export { diffWorkflowVersions } from './diff-workflow-versions.js';
export { exportWorkflow } from './export-workflow.js';
export { ExpressionFault, failedByAuthor } from './expression-fault.js';
export { requireCondition } from './expression.js';
export type { NodeInScope, Scope } from './expression.js';
export { getWorkflowVersion } from './get-workflow-version.js';
export { getWorkflow } from './get-workflow.js';
export { edgeInputs, emptyGraph, allNodes, incoming, leafOutputs, levels, outgoing } from './graph.js';
export { GraphEdge } from './graph-shape.js';
export type { Graph, GraphNode } from './node-types.js';
export { importWorkflow } from './import-workflow.js';
export type { InputFaults } from './input-schema.js';
export { jsonSizeWithin } from './json-size.js';
export { listScheduleTicks } from './list-schedule-ticks.js';
export { listOwnSchedules } from './list-own-schedules.js';
export { listSchedules } from './list-schedules.js';
export { listWorkflowVersions } from './list-workflow-versions.js';
export { listWorkflows } from './list-workflows.js';
export { listWorkflowsOfLens } from './list-workflows-of-lens.js';
export {
  AgentLimits,
  AgentSettings,
  ApprovalSettings,
  AssertSettings,
  DelaySettings,
  HttpSettings,
  LensSettings,
  MapSettings,
  TransformSettings,
  VoteSettings,
  WebhookWaitSettings,
  WorkflowSettings,
  getLiteral,
  listExpressions,
  maxMapItems,
  nodeTypes,
  resolveSettings,
} from './node-types.js';
export type { NodeSettings, NodeType } from './node-types.js';
export { previewSchedule } from './preview-schedule.js';
export { referencedNodes } from './referenced-nodes.js';
export { validateInputs, maxRunMs, chooseWorkflow, runnableWorkflow, inputFaultsMessage } from './runnable-workflow.js';
export type { RunnableWorkflow } from './runnable-workflow.js';
export { acceptableGraph, saveGraph } from './save-graph.js';
export { saveWorkflowCandidate } from './save-workflow-candidate.js';
export { readableSchedule } from './schedule-access.js';
export type { TickOutcome } from './schedule-tick.entity.js';
export type { MissedPolicy, OverlapPolicy } from './schedule.entity.js';
export type { ScheduleDetail, WorkflowDetail, WorkflowPage, WorkflowSummary } from './shapes.js';
export { takeOverSchedule } from './take-over-schedule.js';
export { updateSchedule } from './update-schedule.js';
export { updateWorkflow } from './update-workflow.js';
export {
  listWorkflowLabelMoves,
  removeWorkflowLabel,
  returnWorkflowLabel,
  setWorkflowLabel,
} from './workflow-labels.js';
export { resolveValue } from './values.js';
export { listEqualGraphs, listWorkflowVersionNames, readEditor, graphOfVersion } from './version-reads.js';
export { Workflow, workflowVisibilities } from './workflow.entity.js';
export type { WorkflowVisibility } from './workflow.entity.js';
