import type { SuspendedReason, TriggerAuthority } from '@lensforge/contracts';
import type { LabelPlace } from '@lensforge/releases';
import type { Graph } from './node-types.js';
import type { MissedPolicy, OverlapPolicy } from './schedule.entity.js';
import type { WorkflowVisibility } from './workflow.entity.js';

export interface WorkflowAuthor {
  id: string;
  handle: string;
  displayName: string;
}

export interface VersionRef {
  id: string;
  number: number;
}

/** A workflow in a list. */
export interface WorkflowSummary {
  id: string;
  title: string;
  description: string;
  visibility: WorkflowVisibility;
  author: WorkflowAuthor;
  headVersion: VersionRef;
  createdAt: string;
  updatedAt: string;
}

export interface WorkflowLabelDetail extends LabelPlace {
  number: number;
}

export interface WorkflowDetail extends Omit<WorkflowSummary, 'headVersion'> {
  headVersion: VersionDetail;
  labels: WorkflowLabelDetail[];
  /** The label whose version callers get that name none; null for the newest version. */
  defaultLabel: string | null;
  servedVersion: VersionRef;
  /** Empty for callers that may not change the workflow. */
  schedules: ScheduleDetail[];
}

export interface VersionSummary extends VersionRef {
  /** The number of nodes, including those of its maps. */
  nodeCount: number;
  changelog: string;
  createdAt: string;
}

export interface VersionDetail extends VersionSummary {
  workflowId: string;
  graph: Graph;
}

export interface WorkflowPage {
  items: WorkflowSummary[];
  /** The number of matches, counted up to 10,000. */
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}

export interface ScheduleDetail {
  id: string;
  workflowId: string;
  title: string;
  cron: string;
  timeZone: string;
  inputs: Record<string, unknown>;
  overlap: OverlapPolicy;
  missed: MissedPolicy;
  enabled: boolean;
  pausedReason: string | null;
  authority: TriggerAuthority;
  suspendedReason: SuspendedReason | null;
  nextAt: string | null;
  createdAt: string;
  updatedAt: string;
}
