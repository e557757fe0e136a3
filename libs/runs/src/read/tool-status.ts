import type { NodeStatus, RunStatus } from '@lensforge/contracts';

export const toolRunStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ToolRunStatus = (typeof toolRunStatuses)[number];

/** Maps the run status of the REST API to the one of the tools. */
export const toolRunStatus: Readonly<Record<RunStatus, ToolRunStatus>> = {
  queued: 'pending',
  running: 'running',
  succeeded: 'completed',
  failed: 'failed',
  timed_out: 'failed',
  canceled: 'cancelled',
};

export const toolNodeStatuses = [...toolRunStatuses, 'skipped'] as const;
export type ToolNodeStatus = (typeof toolNodeStatuses)[number];

export const toolNodeStatus: Readonly<Record<NodeStatus, ToolNodeStatus>> = {
  ...toolRunStatus,
  pending: 'pending',
  waiting: 'running',
  skipped: 'skipped',
};
