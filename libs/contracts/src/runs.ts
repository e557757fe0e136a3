import { dateTime, flag, integer, json, list, oneOf, record, text, uuid } from './field.js';
import { nestedKind } from './kinds.js';

export const runStatuses = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const artifactKinds = ['text', 'image', 'audio', 'video', 'json', 'trace', 'tool_log', 'rubric_result'] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

export const fundingSources = ['user_byok_cloud', 'user_byok_local', 'platform_credit', 'sponsored'] as const;
export type FundingSource = (typeof fundingSources)[number];

export const billingStatuses = ['none', 'reserved', 'charged', 'released'] as const;
export type BillingStatus = (typeof billingStatuses)[number];

export class LensPath {
  @uuid({ description: 'The lens.' })
  lensId!: string;
}

export class RunPath {
  @uuid({ description: 'The run.' })
  runId!: string;
}

export class LensExecuteRequest {
  @record({ description: 'Inputs passed to the template of the lens.' })
  params!: Record<string, unknown>;

  @text({ min: 1, max: 200, optional: true, description: 'Forces a model id.' })
  modelOverride?: string;

  @text({ min: 1, max: 100, optional: true, description: 'Forces a provider key.' })
  providerOverride?: string;

  @oneOf(fundingSources, { optional: true, description: 'Who pays.' })
  fundingSource?: FundingSource;

  @text({ min: 1, max: 100, optional: true, description: 'Required when fundingSource is user_byok_cloud.' })
  byokKeyRefId?: string;

  @text({ min: 1, max: 255, optional: true, description: 'The same key and request within 24 hours: the same run.' })
  idempotencyKey?: string;
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
