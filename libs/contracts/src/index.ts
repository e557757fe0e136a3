export { AuditEntry } from './audit.js';
export { ByokKey, ByokModel, byokProviders } from './byok-keys.js';
export type { ByokProvider, ByokTestStatus } from './byok-keys.js';
export { Community, CreatedInvite, Invite, Member, communityRoles } from './communities.js';
export type { CommunityRole, JoinPolicy } from './communities.js';
export { Connector, ConnectorWithToken } from './connectors.js';
export { Credits, Sponsorship, usualSponsorLimits } from './credits.js';
export { asksForCredential, endpoint } from './endpoint.js';
export type { Audience, Endpoint } from './endpoint.js';
export { endpoints } from './endpoints.js';
export type { ApiMeta, ErrorEnvelope, SuccessEnvelope } from './envelope.js';
export { errorCodes, restErrorCodes } from './error-codes.js';
export type { ErrorCode, RestErrorCode } from './error-codes.js';
export { RequestIssue, errorDetails } from './error-details.js';
export {
  dateTime,
  faultOf,
  field,
  fieldsOf,
  flag,
  integer,
  json,
  list,
  nested,
  oneOf,
  record,
  text,
  uuid,
} from './field.js';
export type { Field, FieldOptions } from './field.js';
export { isFreeForm } from './free-form.js';
export { HealthReport } from './health.js';
export { IncomingWebhook, IncomingWebhookCall, IncomingWebhookWithSecret } from './incoming-webhooks.js';
export { ByokTestJob, NodeJob, PlatformEventJob, RunJob, RunOperationJob, jobNamed, jobs, queues } from './jobs.js';
export type { Job, QueueName } from './jobs.js';
export { faultInJson } from './json-rules.js';
export { jsonSchema } from './json-schema.js';
export { dateTimeKind, isRecord, nestedKind, textKind } from './kinds.js';
export type { Issue, JsonSchema, Kind, Shape } from './kinds.js';
export {
  LensBatchAccepted,
  LensBatchItem,
  LensDeleted,
  LensDiff,
  LensExecuteRequest,
  LensItem,
  LensLabelPlace,
  LensLabelRemoved,
  LensRecord,
  LensStateReply,
  LensVersionItem,
  LensVersionRecord,
  largestLensFile,
} from './lenses.js';
export { LocalRun, LocalRunClaimed, LocalRunFinished, LocalRunProgress } from './local-runs.js';
export { AccountSummary, Me, MembershipSummary, TokenBudget } from './me.js';
export { ModelEntry, ModelFile, ModelItem, ModelQuery, Sampling, modelCapabilities } from './models.js';
export type { ModelCapability } from './models.js';
export { InvalidInput, parse } from './parse.js';
export { platformEventTypes, platformEvents } from './platform-events.js';
export type { PlatformEventData, PlatformEventType } from './platform-events.js';
export { accountRateClasses, rateClassOf } from './rate-classes.js';
export type { AccountRateClass, Rated } from './rate-classes.js';
export { cancelChannel, isTerminal, runChannel, runEvents, terminalStatuses } from './run-events.js';
export type { GroupDone, RunDone, RunEvent, RunEventPayload, RunEventType } from './run-events.js';
export { ApprovalAnswer, RunApproval, RunNodeItem, WaitAnswered, WaitUrl, isTerminalNode } from './run-nodes.js';
export type { ApprovalStatus, NodeStatus } from './run-nodes.js';
export { RunOperationState } from './run-operations.js';
export type { RunOperationAction, RunOperationStatus } from './run-operations.js';
export { Concurrency, RunOptions } from './run-options.js';
export type { ConcurrencyStrategy } from './run-options.js';
export {
  PlatformExecutionAccepted,
  PlatformExecutionArtifact,
  PlatformRunStatus,
  RunCanceled,
  RunFilter,
  RunItem,
  RunReadToken,
  RunReportRequest,
  RunReported,
  runOrigins,
  runStatuses,
} from './runs.js';
export type { ArtifactKind, BillingStatus, FundingSource, RetryFrom, RunStatus } from './runs.js';
export { ScheduleDeleted, SchedulePreview, ScheduleTickItem } from './schedules.js';
export { scopesIn } from './scope-list.js';
export { grants, isScope, scopes } from './scopes.js';
export type { Scope } from './scopes.js';
export { CreatedToken, RevokedTokens, TokenSummary } from './tokens.js';
export {
  WebhookAttemptReply,
  WebhookDeliveryItem,
  WebhookDeliveryReply,
  WebhookEndpointReply,
  WebhookEndpointWithSecret,
  WebhookEventReply,
  WebhookReplayReply,
  WebhookTestReply,
} from './webhook-endpoints.js';
export type { DeliveryStateName } from './webhook-endpoints.js';
export {
  ScheduleRecord,
  WorkflowDeleted,
  WorkflowDiffReply,
  WorkflowDryRunReply,
  WorkflowGraphRequest,
  WorkflowItem,
  WorkflowRecord,
  WorkflowVersionItem,
  WorkflowVersionRecord,
  largestWorkflowFile,
} from './workflows.js';

import 'reflect-metadata';
