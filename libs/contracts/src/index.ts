export {
  AgentActionReply,
  AgentActionRequest,
  AgentApproval,
  PendingAgentApproval,
  AgentEvent,
  AgentTool,
  AgentToolRevocation,
  CastVoteMetadata,
  CreateBattleMetadata,
  JoinBattleMetadata,
  RunLensMetadata,
  RunWorkflowMetadata,
  SubmitEntryMetadata,
  TeamRun,
  actionContexts,
  actionResults,
  agentActions,
  teamRunPolicies,
  teamRunStatusOf,
  teamRunStatuses,
  toolOfAction,
} from './resources/agent-actions.js';
export type {
  ActionContext,
  ActionResult,
  ActionVerdict,
  AgentAction,
  AgentApprovalStatus,
  TeamRunPolicy,
  TeamRunStatus,
} from './resources/agent-actions.js';
export { agentChannel, agentEvents } from './catalogue/agent-events.js';
export type { AgentEventType, NewAgentEvent } from './catalogue/agent-events.js';
export {
  calledAgentId,
  externalServerId,
  externalToolId,
  grantableScope,
  isGrantable,
  toolScopes,
} from './catalogue/tool-scopes.js';
export type { ToolName } from './catalogue/tool-scopes.js';
export {
  AiLenser,
  AiLenserActions,
  AiLenserItem,
  AiLenserPolicy,
  NewAiLenserRequest,
  aiLenserStatuses,
  aiLenserUsers,
  refusedUse,
} from './resources/agents.js';
export type { ActionRule, AiLenserStatus, AiLenserUsers } from './resources/agents.js';
export {
  BallotEntry,
  Battle,
  BattleCheck,
  BattleEvent,
  BattleScore,
  BattleStatusReply,
  BattleSummary,
  Contender,
  ExecutedBattle,
  Judging,
  NewBattleRequest,
  RubricCriterion,
  StartedAnswer,
  Submission,
  Submitted,
  Verdict,
  Vote,
  VoteAggregate,
  battleStatuses,
  battleTypes,
  checkKinds,
  contenderTypes,
  historyStatuses,
  judgingModes,
  maxSlots,
  targetStatuses,
} from './resources/battles.js';
export type {
  BattleHistoryQuery,
  BattleListQuery,
  BattlePatch,
  BattleStatusRequest,
  BattleStatus,
  BattleType,
  CheckKind,
  ContenderType,
  HistoryStatus,
  JudgingMode,
  NewContenderRequest,
  NewSubmissionRequest,
  ExecuteBattleRequest,
  VoteRequest,
} from './resources/battles.js';
export { AuditEntry, AuditVerification } from './resources/audit.js';
export { McpAuth, McpAuthRequest, McpServer, McpTool, mcpServerName, mcpToolName } from './resources/mcp-servers.js';
export type { McpAuthKind, McpAuthorizationStatus, McpGrantType, McpRefreshStatus } from './resources/mcp-servers.js';
export { ByokKey, ByokModel, byokProviders } from './resources/byok-keys.js';
export type { ByokProvider, ByokTestStatus } from './resources/byok-keys.js';
export { Community, CreatedInvite, Invite, Member, communityRoles } from './resources/communities.js';
export type { CommunityRole, JoinPolicy } from './resources/communities.js';
export { Connector, ConnectorWithToken } from './resources/connectors.js';
export { CreditForecast, Credits, SponsoredLens, Sponsorship, defaultSponsorLimits } from './resources/credits.js';
export { asksForCredential, defineEndpoints } from './catalogue/endpoint.js';
export type { Audience, Endpoint } from './catalogue/endpoint.js';
export { endpoints } from './catalogue/endpoints.js';
export type { ApiMeta, ErrorEnvelope, SuccessEnvelope } from './catalogue/envelope.js';
export { errorCodes, restErrorCodes } from './catalogue/error-codes.js';
export type { ErrorCode, RestErrorCode } from './catalogue/error-codes.js';
export { RequestIssue, errorDetails } from './catalogue/error-details.js';
export {
  dateTime,
  decimal,
  field,
  flag,
  integer,
  json,
  list,
  nested,
  oneOf,
  record,
  text,
  uuid,
} from './schema/field.js';
export type { FieldOptions } from './schema/field.js';
export { findFault, listFields } from './schema/rules.js';
export type { Field, Issue, JsonSchema, Shape, ValueType } from './schema/rules.js';
export { isFreeForm } from './schema/free-form.js';
export { HealthReport } from './resources/health.js';
export { delegationSituations, delegations, rightsOfRuns } from './catalogue/delegations.js';
export type { DelegationName, DelegationOutcome, DelegationSituation } from './catalogue/delegations.js';
export { TriggerAuthority } from './resources/trigger-authority.js';
export type { SuspendedReason } from './resources/trigger-authority.js';
export { IncomingWebhook, IncomingWebhookCall, IncomingWebhookWithSecret } from './resources/incoming-webhooks.js';
export {
  AdvanceBattleJob,
  AdvanceExperimentJob,
  CallScorerJob,
  AgentRunEndedJob,
  AnswerMentionJob,
  ByokTestJob,
  McpAuthorizationJob,
  McpServerJob,
  NodeJob,
  PlatformEventJob,
  PostAnswerJob,
  RunJob,
  RunOperationJob,
  isDirect,
  jobNamed,
  jobs,
  queues,
} from './catalogue/jobs.js';
export type { Job, QueueName } from './catalogue/jobs.js';
export { faultInJson, isTooDeep, maxJsonDepth } from './schema/json-rules.js';
export { jsonSchema } from './schema/json-schema.js';
export {
  confirmationKind,
  dateTimeKind,
  integerKind,
  isRecord,
  nestedKind,
  recordKind,
  textKind,
  textsKind,
  toValueType,
} from './schema/kinds.js';
export type { Kind } from './schema/kinds.js';
export {
  LensBatchAccepted,
  LensBatchItem,
  LensCandidate,
  LensCandidateSaved,
  LensDraft,
  LensDraftQuery,
  LensDraftReply,
  LensDraftRequest,
  LensCase,
  LensCaseRemoved,
  LensDeleted,
  LensDiff,
  LensExecuteRequest,
  LensFileInclude,
  LensInclude,
  LensItem,
  LensLabelMove,
  LensLabelPlace,
  LensLabelRemoved,
  LensMessage,
  LensMessagePart,
  LensRecord,
  LensStateReply,
  LensVersionItem,
  LensVersionRecord,
  WorkflowOfLens,
  maxLensFile,
  imageTypes,
} from './resources/lenses.js';
export { RunMessage, messageRoles } from './resources/run-message.js';
export type { MessageRole } from './resources/run-message.js';
export {
  LeaderboardEntry,
  LeaderboardFit,
  LoggedVote,
  leaderboardCovariates,
  leaderboardSources,
} from './resources/leaderboards.js';
export type { LeaderboardCovariates, LeaderboardSource, RatedKind } from './resources/leaderboards.js';
export { LocalRun, LocalRunClaimed, LocalRunFinished, LocalRunProgress } from './resources/local-runs.js';
export {
  AccountSummary,
  AccountToClose,
  ClosedAccount,
  EndedSessions,
  ExportedObject,
  Me,
  MembershipSummary,
  SessionItem,
  TokenBudget,
} from './resources/me.js';
export {
  DatabaseStatus,
  FailedRuns,
  FailedRunsFilter,
  FailedRunsRetried,
  FailedRunsRetryRequest,
  OperatorRun,
  OperatorRuns,
  OperatorStatus,
  ProviderPause,
  QueueStatus,
  RedisStatus,
  RunsRequeued,
  RunsStatus,
  WorkerStatus,
  operatorRunLists,
  pauseReasons,
} from './resources/operator.js';
export type { OperatorRunList, PauseReason } from './resources/operator.js';
export type { ExportedType } from './resources/me.js';
export { LensExample, LensParamType, LensSettings, LensTool, overridableMembers } from './resources/lens-settings.js';
export type { OverridableMember } from './resources/lens-settings.js';
export { ModelEntry, ModelFile, ModelItem, ModelQuery, Sampling, modelCapabilities } from './resources/models.js';
export type { ModelCapability } from './resources/models.js';
export { didYouMean, findNearest } from './schema/did-you-mean.js';
export { InvalidInput, parse } from './schema/parse.js';
export { openApi } from './openapi/openapi.js';
export { toTag } from './openapi/tags.js';
export {
  blindCauses,
  causesKeptByRetry,
  causesWithOwnScores,
  type BatchPolicy,
  batchProviders,
  isReplayed,
  readBatchPolicy,
  readCallPolicy,
  runConsents,
  runFollowUps,
  sharedBudgetCauses,
} from './catalogue/run-causes.js';
export type { CallMode, CallPolicy, RunCause, RunConsent, RunFollowUp } from './catalogue/run-causes.js';
export { platformEventTypes, platformEvents } from './catalogue/platform-events.js';
export type { PlatformEventData, PlatformEventType } from './catalogue/platform-events.js';
export { accountRateClasses, pickRateClass } from './catalogue/rate-classes.js';
export type { AccountRateClass, Rated } from './catalogue/rate-classes.js';
export {
  BattleJudgingProgress,
  BattleStatusChanged,
  ContendersChanged,
  SubmissionReceived,
  VotesCounted,
  battleChannel,
  battleEvents,
  endedBattleStatuses,
} from './catalogue/battle-events.js';
export type { BattleDone, BattleEventType, NewBattleEvent } from './catalogue/battle-events.js';
export { endedExperimentStatuses, experimentChannel, experimentEvents } from './catalogue/experiment-events.js';
export type { ExperimentEventType, NewExperimentEvent } from './catalogue/experiment-events.js';
export { cancelChannel, isTerminal, runChannel, runEvents, terminalStatuses } from './catalogue/run-events.js';
export type { GroupDone, RunDone, RunEvent, RunEventPayload, RunEventType } from './catalogue/run-events.js';
export {
  ApprovalAnswer,
  PendingApproval,
  RunApproval,
  RunNodeItem,
  WaitAnswered,
  ToolResult,
  ToolResults,
  ToolResultsAccepted,
  WaitUrl,
  maxToolResult,
  isTerminalNode,
} from './resources/run-nodes.js';
export type { ApprovalStatus, NodeStatus } from './resources/run-nodes.js';
export {
  Backfill,
  BackfillRequest,
  EvaluationRule,
  EvaluationRuleCreate,
  EvaluationRuleRemoved,
  EvaluationRuleUpdate,
  RunEvaluation,
} from './resources/evaluation-rules.js';
export type { EvaluationState } from './resources/evaluation-rules.js';
export {
  FeedbackKey,
  FeedbackReceived,
  FeedbackRequest,
  RunScore,
  feedbackName,
  scoreSources,
} from './resources/run-scores.js';
export type { ScoreSource, Thumb } from './resources/run-scores.js';
export type { CasesFromReviews } from './resources/review-queues.js';
export {
  ItemToReview,
  JudgeAgreement,
  NextReview,
  ReviewAgreement,
  ReviewGiven,
  ReviewItem,
  ReviewItemsAdded,
  ReviewQueue,
  ReviewQueueCreate,
  ReviewQueueRemoved,
  ReviewRequest,
} from './resources/review-queues.js';
export type { ReviewScale, ReviewState } from './resources/review-queues.js';
export { RunSelection } from './resources/run-selection.js';
export { RunOperationState } from './resources/run-operations.js';
export type { RunOperationAction, RunOperationStatus } from './resources/run-operations.js';
export { Concurrency, RunOptions } from './resources/run-options.js';
export type { ConcurrencyStrategy } from './resources/run-options.js';
export { TokenDetails } from './resources/token-details.js';
export { ScoreComparison } from './resources/score-comparison.js';
export { ScoreStatistics } from './resources/score-statistics.js';
export type { ScoreSeries, ScoreStatisticsQuery } from './resources/score-statistics.js';
export { ReleaseStatistics } from './resources/release-statistics.js';
export type {
  GroupComparison,
  GroupScore,
  MeanEstimate,
  ReleaseGroup,
  ReleaseGrouping,
  ReleaseStatisticsQuery,
} from './resources/release-statistics.js';
export { RunBucket, RunStatistics, statisticsLimits } from './resources/run-statistics.js';
export type { RunStatisticsQuery, StatisticsInterval, StatisticsRange } from './resources/run-statistics.js';
export {
  PlatformExecutionAccepted,
  PlatformExecutionArtifact,
  PlatformRunStatus,
  RequiredAction,
  RequiredCall,
  RunCanceled,
  RunFilter,
  RunInput,
  RunItem,
  RunReadToken,
  RunReportRequest,
  RunReported,
  type RunsQuery,
  fundingSources,
  maxSearchedRuns,
  runKinds,
  runOrigins,
  runStatuses,
} from './resources/runs.js';
export type {
  ArtifactKind,
  BillingStatus,
  FinishReason,
  FundingSource,
  RetryFrom,
  RunKind,
  RunStatus,
} from './resources/runs.js';
export { ScheduleDeleted, ScheduleItem, SchedulePreview, ScheduleTickItem } from './resources/schedules.js';
export { scopesIn } from './catalogue/scope-list.js';
export { developerScopes, grants, isScope, scopes } from './catalogue/scopes.js';
export { scopeDescriptions } from './catalogue/scope-descriptions.js';
export type { Scope } from './catalogue/scopes.js';
export {
  AnswerChanged,
  MessageChanged,
  ThreadUpdated,
  threadChannel,
  threadEvents,
} from './catalogue/thread-events.js';
export type { ThreadDone, ThreadEventType } from './catalogue/thread-events.js';
export {
  Message,
  MessageDetail,
  Mute,
  Thread,
  ThreadEvent,
  Unmuted,
  maxMessageLength,
  messageStatuses,
  threadSubjects,
} from './resources/threads.js';
export type {
  AnswerStatus,
  MessageAnswer,
  MessageAuthor,
  MessagePatch,
  MessageStatus,
  MessageVersion,
  NewMessageRequest,
  NewThreadRequest,
  ThreadPatch,
  ThreadStatus,
  ThreadSubject,
  ThreadVisibility,
} from './resources/threads.js';
export { CreatedToken, RevokedTokens, TokenSummary } from './resources/tokens.js';
export {
  RunWebhookDelivery,
  WebhookAttemptReply,
  WebhookDeliveryItem,
  WebhookDeliveryReply,
  WebhookEndpointReply,
  WebhookEndpointWithSecret,
  WebhookEventReply,
  WebhookListening,
  WebhookReplayReply,
  WebhookTestReply,
} from './resources/webhook-endpoints.js';
export type { DeliveryStateName } from './resources/webhook-endpoints.js';
export {
  ScheduleRecord,
  WorkflowDeleted,
  WorkflowDiffReply,
  ExpressionReply,
  WorkflowDryRunReply,
  WorkflowCandidate,
  WorkflowCandidateSaved,
  WorkflowGraphRequest,
  WorkflowItem,
  WorkflowLabelMove,
  WorkflowLabelPlace,
  WorkflowLabelRemoved,
  WorkflowRecord,
  WorkflowVersionItem,
  WorkflowVersionRecord,
  maxWorkflowFile,
} from './resources/workflows.js';

import 'reflect-metadata';
export {
  CaseDifference,
  CasesFromRuns,
  Dataset,
  DatasetCase,
  DatasetCaseInput,
  DatasetCasesRequest,
  DatasetChange,
  DatasetImport,
  DatasetRemoved,
  DatasetRevision,
  maxCaseLength,
  maxCasesOfDataset,
} from './resources/datasets.js';
export type { DatasetFormat } from './resources/datasets.js';
export {
  Experiment,
  ExperimentAccepted,
  ExperimentCell,
  ArmScore,
  ExperimentArmItem,
  ExperimentItem,
  ExperimentRemoved,
  ExperimentRequest,
  cellFilters,
  experimentStatuses,
  maxCellsOfExperiment,
} from './resources/experiments.js';
export type {
  ArmResult,
  CellState,
  ExperimentArm,
  ExperimentArmRequest,
  ExperimentCache,
  ExperimentFormat,
  ExperimentStatus,
  GateOutcome,
  MeanScore,
  RuleResult,
  ScoreDifference,
  ScorerResult,
  ExperimentClone,
  ExperimentEvent,
} from './resources/experiments.js';
export { Recording, RecordingRemoved } from './resources/recordings.js';
export { Scorer, ScorerCreated, ScorerRule, StoredScorer, judgeMethods } from './resources/scorers.js';
export type {
  AssertionScore,
  JudgeMethod,
  SampleScore,
  Score,
  ScoreJudge,
  ScorerCriterion,
  ScorerKind,
  ScorerReference,
  ScorerRemoved,
  ScorerSample,
  ScorerTested,
  UsedScorer,
} from './resources/scorers.js';
export { LabelProposal } from './resources/label-proposals.js';
export type { ProposalDecision, ProposalStatus } from './resources/label-proposals.js';
export { ExperimentGate, gateResults } from './resources/gates.js';
export type { FailureBound, LabelArm, LabelBounds, LabelReturned } from './resources/labels.js';
export type { WantedArm } from './resources/lenses.js';
export type {
  GateResult,
  GateRule,
  LabelEvidence,
  LabelGate,
  LabelRules,
  LossRule,
  NoWorseRule,
} from './resources/gates.js';
