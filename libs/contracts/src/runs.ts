import { endpoint } from './endpoint.js';
import { dateTime, flag, integer, json, list, oneOf, text, uuid } from './field.js';
import { nestedKind } from './kinds.js';

export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const artifactKinds = ['text', 'image', 'audio', 'video', 'json', 'trace', 'tool_log', 'rubric_result'] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

export const fundingSources = ['user_byok_cloud', 'user_byok_local', 'platform_credit', 'sponsored'] as const;
export type FundingSource = (typeof fundingSources)[number];

export const billingStatuses = ['none', 'reserved', 'charged', 'released'] as const;
export type BillingStatus = (typeof billingStatuses)[number];

export class RunPath {
  @uuid({ description: 'The run.' })
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

export class PlatformRunStatus {
  @uuid()
  id!: string;

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

  @integer({ min: 0, optional: true, nullable: true })
  creditCost?: number | null;

  @text({ optional: true, nullable: true })
  billingStatus?: string | null;

  @text({ optional: true, nullable: true })
  errorCode?: string | null;

  @text({ optional: true, nullable: true })
  errorMessage?: string | null;

  @list(nestedKind(() => PlatformExecutionArtifact))
  artifacts!: PlatformExecutionArtifact[];
}

export class RunCanceled {
  @uuid()
  runId!: string;

  @oneOf(runStatuses, { description: 'canceled, or running while the worker is being told.' })
  status!: RunStatus;
}

export const runEndpoints = {
  getRun: endpoint({
    id: 'getRun',
    method: 'GET',
    path: '/v1/runs/{runId}',
    summary: 'Reads the status and the artifacts of a run',
    params: RunPath,
    reply: PlatformRunStatus,
    status: 200,
    scopes: ['lenses:read', 'workflows:read'],
    errors: [400, 401, 403, 404, 500],
    replies: 'envelope',
  }),
  streamRunEvents: endpoint({
    id: 'streamRunEvents',
    method: 'GET',
    path: '/v1/runs/{runId}/events',
    summary: 'Streams the events of a run; resumes after Last-Event-ID',
    params: RunPath,
    status: 200,
    scopes: ['lenses:read', 'workflows:read'],
    errors: [400, 401, 403, 404],
    replies: 'event-stream',
  }),
  cancelRun: endpoint({
    id: 'cancelRun',
    method: 'POST',
    path: '/v1/runs/{runId}/cancel',
    summary: 'Cancels a run: at once while queued, within seconds while running',
    params: RunPath,
    reply: RunCanceled,
    status: 202,
    scopes: ['lenses:read', 'workflows:write'],
    errors: [400, 401, 403, 404, 409, 500],
    replies: 'envelope',
  }),
} as const;
