// Written by `npm run generate` from the endpoint table of libs/contracts.

import type { Call, CallOptions } from '../call.js';
import type { EventStream, StreamOptions } from '../event-stream.js';
import type { AgentEvent, BattleEvent, ExperimentEvent, RunEvent, ThreadEvent } from '../events.js';
import type { LineStream } from '../line-stream.js';
import type { ListCall } from '../pages.js';
import type {
  AccountSummary,
  AccountToClose,
  AgentActionReply,
  AgentActionRequest,
  AgentApproval,
  AgentApprovalDecision,
  AgentApprovalQuery,
  AgentTool,
  AgentToolRequest,
  AgentToolRevocation,
  AiLenser,
  AiLenserItem,
  AiLenserPatch,
  AiLenserQuery,
  ApprovalAnswer,
  AuditEntry,
  AuditQuery,
  AuditVerification,
  AuditVerificationQuery,
  Backfill,
  BackfillRequest,
  Battle,
  BattleHistoryQuery,
  BattleListQuery,
  BattlePatch,
  BattleScore,
  BattleStatusReply,
  BattleStatusRequest,
  BattleSummary,
  ByokKey,
  CalledWebhookBody,
  CaseDifference,
  CasesFromReviews,
  CasesFromRuns,
  CellQuery,
  ClosedAccount,
  Community,
  CommunityPatch,
  Connector,
  ConnectorQuery,
  ConnectorWithToken,
  Contender,
  CountedPageQuery,
  CreatedInvite,
  CreatedToken,
  CreditForecast,
  Credits,
  Dataset,
  DatasetCase,
  DatasetCaseQuery,
  DatasetCasesRequest,
  DatasetChange,
  DatasetDiffQuery,
  DatasetExportQuery,
  DatasetImport,
  DatasetListQuery,
  DatasetPatch,
  DatasetRemoved,
  DatasetRequest,
  DatasetRevision,
  EndedSessions,
  EvaluationRule,
  EvaluationRuleCreate,
  EvaluationRuleRemoved,
  EvaluationRuleUpdate,
  EvaluationRulesQuery,
  ExecuteBattleRequest,
  ExecutedBattle,
  Experiment,
  ExperimentAccepted,
  ExperimentCell,
  ExperimentClone,
  ExperimentExportQuery,
  ExperimentItem,
  ExperimentQuery,
  ExperimentRemoved,
  ExperimentRequest,
  ExperimentResume,
  ExportedObject,
  ExpressionReply,
  ExpressionRequest,
  FailedRuns,
  FailedRunsFilter,
  FailedRunsRetried,
  FailedRunsRetryRequest,
  FeedbackKey,
  FeedbackReceived,
  FeedbackRequest,
  GroupEventsQuery,
  HealthReport,
  HideMessageRequest,
  IncomingWebhook,
  IncomingWebhookCall,
  IncomingWebhookQuery,
  IncomingWebhookWithSecret,
  Invite,
  JoinRequest,
  LabelProposal,
  LabelProposalDecision,
  LabelProposalsQuery,
  LabelReturnRequest,
  LeaderboardEntry,
  LeaderboardFit,
  LeaderboardFitQuery,
  LeaderboardQuery,
  LensBatchAccepted,
  LensBatchRequest,
  LensCandidate,
  LensCandidateSaved,
  LensCase,
  LensCaseRemoved,
  LensCaseRequest,
  LensDeleted,
  LensDiff,
  LensDiffQuery,
  LensDraftQuery,
  LensDraftReply,
  LensDraftRequest,
  LensExecuteRequest,
  LensFile,
  LensForkRequest,
  LensItem,
  LensLabelMove,
  LensLabelPlace,
  LensLabelRemoved,
  LensLabelRequest,
  LensPatch,
  LensQuery,
  LensRecord,
  LensStateReply,
  LensVersionItem,
  LensVersionRecord,
  LensVersionsQuery,
  LocalRunClaimRequest,
  LocalRunClaimed,
  LocalRunEventsRequest,
  LocalRunFinishRequest,
  LocalRunFinished,
  LocalRunProgress,
  LoggedVote,
  McpAuthorizationAnswer,
  McpIssuer,
  McpServer,
  McpServerPatch,
  McpTool,
  Me,
  MePatch,
  Member,
  MemberPatch,
  Message,
  MessageDetail,
  MessageListQuery,
  MessagePatch,
  ModelItem,
  ModelQuery,
  Mute,
  NewAiLenserRequest,
  NewBattleRequest,
  NewByokKeyRequest,
  NewCommunityRequest,
  NewConnectorRequest,
  NewContenderRequest,
  NewDeveloperTokenRequest,
  NewIncomingWebhookRequest,
  NewInviteRequest,
  NewLensRequest,
  NewMcpAuthorizationRequest,
  NewMcpServerRequest,
  NewMessageRequest,
  NewScheduleRequest,
  NewSubmissionRequest,
  NewThreadRequest,
  NewTokenRequest,
  NewWebhookEndpointRequest,
  NewWorkflowRequest,
  NextReview,
  NextReviewQuery,
  OperatorRuns,
  OperatorRunsQuery,
  OperatorStatus,
  PageQuery,
  PartnerReply,
  PartnerRequest,
  PendingAgentApproval,
  PendingApproval,
  PlatformExecutionAccepted,
  PlatformExecutionArtifact,
  PlatformRunStatus,
  QueueStatus,
  QueueSwitchRequest,
  Recording,
  RecordingImport,
  RecordingRemoved,
  ReleaseStatistics,
  ReleaseStatisticsQuery,
  ReviewAgreement,
  ReviewGiven,
  ReviewItem,
  ReviewItemsAdded,
  ReviewItemsRequest,
  ReviewQueue,
  ReviewQueueCreate,
  ReviewQueueRemoved,
  ReviewRequest,
  RevokedTokens,
  RotateByokKeyRequest,
  RotateConnectorRequest,
  RotateIncomingWebhookRequest,
  RotateWebhookSecretRequest,
  RunApproval,
  RunCanceled,
  RunEvaluation,
  RunEventsQuery,
  RunInput,
  RunItem,
  RunNodeItem,
  RunNodesQuery,
  RunOperationRequest,
  RunOperationState,
  RunReadToken,
  RunReadTokenRequest,
  RunReportRequest,
  RunReported,
  RunRetryRequest,
  RunScore,
  RunScoreRequest,
  RunStatistics,
  RunStatisticsQuery,
  RunWebhookDelivery,
  RunsQuery,
  RunsRequeued,
  ScheduleDeleted,
  ScheduleItem,
  SchedulePatch,
  SchedulePreview,
  ScheduleRecord,
  ScheduleTickItem,
  ScoreStatistics,
  ScoreStatisticsQuery,
  ScorerCreate,
  ScorerCreated,
  ScorerRemoved,
  ScorerTest,
  ScorerTested,
  ScorerUpdate,
  ScorerVersionQuery,
  SessionItem,
  ShortListQuery,
  SponsoredLens,
  Sponsorship,
  SponsorshipRequest,
  StatisticsRange,
  StoredScorer,
  Submitted,
  TeamRun,
  TeamRunRequest,
  TestWebhookRequest,
  Thread,
  ThreadListQuery,
  ThreadPatch,
  TokenLimitRequest,
  TokenQuery,
  TokenSummary,
  TokensQuery,
  ToolResults,
  ToolResultsAccepted,
  Unmuted,
  UpdateIncomingWebhookRequest,
  Vote,
  VoteRequest,
  WaitAnswered,
  WaitUrl,
  WebhookDeliveryItem,
  WebhookDeliveryQuery,
  WebhookDeliveryReply,
  WebhookEndpointChange,
  WebhookEndpointReply,
  WebhookEndpointWithSecret,
  WebhookEventQuery,
  WebhookEventReply,
  WebhookListening,
  WebhookReplayReply,
  WebhookReplayRequest,
  WebhookTestReply,
  WorkflowCandidate,
  WorkflowCandidateSaved,
  WorkflowDeleted,
  WorkflowDiffQuery,
  WorkflowDiffReply,
  WorkflowDryRunReply,
  WorkflowDryRunRequest,
  WorkflowFile,
  WorkflowGraphRequest,
  WorkflowItem,
  WorkflowLabelMove,
  WorkflowLabelPlace,
  WorkflowLabelRemoved,
  WorkflowLabelRequest,
  WorkflowOfLens,
  WorkflowPatch,
  WorkflowQuery,
  WorkflowRecord,
  WorkflowRunRequest,
  WorkflowRunsQuery,
  WorkflowVersionItem,
  WorkflowVersionRecord,
  WorkflowVersionsQuery,
} from './shapes.js';

export interface ServiceMethods {
  /** Health check: ok while the service reaches its database. Needs no credential and is not counted. Returns 503 with the status degraded and a reason when the probe of the database fails or takes more than 1500 ms. */
  health(options?: CallOptions): Call<HealthReport>;

  /** Downloads the description of this API as an OpenAPI 3.1 document. Every kind of credential can call it, also an anonymous token. The document describes the version of the API that answers, and is sent without the envelope. Its ETag changes with the document, so a request with If-None-Match gets 304 while it is the same. */
  openapi(options?: CallOptions): Call<Response>;
}

export interface MeMethods {
  /** Reads the account, the kind and the scopes of the credential. Every kind of credential can call it, without any scope. Use it to test a token: the reply names its kind, its scopes, its account and, for a token with a credit limit, its budget. */
  get(options?: CallOptions): Call<Me>;

  /** Changes how the account of a person is shown; any write scope is enough. Changes the display name and the description of the profile of the caller. Members that are absent stay as they are. */
  update(body?: MePatch, options?: CallOptions): Call<AccountSummary>;

  /** Downloads what the platform stores about the person, one JSON object a line. Sends application/x-ndjson: first the account, then its communities, lenses, workflows and runs, its entries in battles and threads, its keys and tokens without their secrets, its credit entries and its audit log. A line names the type of its object. Each part is read when it is sent, so that objects which change meanwhile are in the state of that moment. */
  export(options?: CallOptions): LineStream<ExportedObject>;

  /** Closes the account of the person permanently. Deletes the email, the name, the handle, all ways to sign in, tokens, keys, webhooks, schedules, and the lenses, workflows and threads that no other account sees; within minutes also all runs. Public objects, messages, battles and votes stay under "Closed account", and credit entries and the audit log, since the law asks for them. Refused with 409 while a run has not ended, and for the last owner of a community. */
  close(body: AccountToClose, options?: CallOptions): Call<ClosedAccount>;

  /** Lists the open sessions of the person, the newest first. A session is a sign-in: of a browser, or of a program such as the command line. Each has the address and the User-Agent that opened it. */
  listSessions(query?: PageQuery, options?: CallOptions): ListCall<SessionItem>;

  /** Ends all sessions of the person but the one of the request. Their cookies, refresh tokens and access tokens are refused as soon as the reply arrives. Developer and MCP tokens stay. */
  endOtherSessions(options?: CallOptions): Call<EndedSessions>;

  /** Ends a session of the person. Its cookie, refresh tokens and access tokens are refused as soon as the reply arrives. It may be the session of the request. A repeated request has no further effect. */
  endSession(sessionId: string, options?: CallOptions): Call<EndedSessions>;
}

export interface TokensMethods {
  /** Lists tokens of the account and of the communities it administers, the newest first. Values of tokens are never shown again; the list has labels, scopes, times and budgets. kind and communityId filter it. */
  list(query?: TokenQuery, options?: CallOptions): ListCall<TokenSummary>;

  /** Creates an organisation token for a community; its value is shown only now. An owner or admin of the community can create the token, and so can a token of the community with tokens:write. It acts as the community, is valid for 30 to 365 days and cannot have more scopes than its creator. */
  create(body: NewTokenRequest, options?: CallOptions): Call<CreatedToken>;

  /** Revokes all tokens of a kind, of the account or of a community; sessions stay. Requests with these tokens are refused as soon as the reply arrives. Sessions of browsers and command lines stay open; the sign-in pages end those. */
  revokeAll(query: TokensQuery, options?: CallOptions): Call<RevokedTokens>;

  /** Creates a developer token for the person; its value is shown only now. Needs a session: no token can create another one of its kind. It acts for the person, is valid for 1 to 90 days and cannot have community:write or tokens:write. Programs on other machines get theirs by the device flow. */
  createDeveloper(body: NewDeveloperTokenRequest, options?: CallOptions): Call<CreatedToken>;

  /** Sets or removes the credit limit of a token. A limit is counted for each calendar month (UTC) or for all time, and includes the holds of runs that have not ended. null removes it. */
  limit(tokenId: string, body: TokenLimitRequest, options?: CallOptions): Call<TokenSummary>;

  /** Revokes a token at once. Requests with the token are refused as soon as the reply arrives, at every gateway. A revoked token cannot be restored. */
  revoke(tokenId: string, options?: CallOptions): Call<TokenSummary>;
}

export interface ConnectorsMethods {
  /** Lists connectors of the account and of the communities it administers, the newest first. A connector is an external program with a service token of its own. communityId shows those of one community. */
  list(query?: ConnectorQuery, options?: CallOptions): ListCall<Connector>;

  /** Registers a connector; the value of its service token is shown this once. The service token is limited to the requested scopes, which cannot exceed those of the creator, and is valid for 90 to 365 days. Store its value: no request shows it again. */
  create(body: NewConnectorRequest, options?: CallOptions): Call<ConnectorWithToken>;

  /** Reads a connector. Shows the name, the scopes, the budget and the expiry of the service token, without its value. */
  get(connectorId: string, options?: CallOptions): Call<Connector>;

  /** Removes a connector; its service token stops working at once. The service token is refused as soon as the reply arrives. Runs that it has started continue. */
  remove(connectorId: string, options?: CallOptions): Call<Connector>;

  /** Gives a connector a new service token; the old one stops working at once. The reply has the new value, which is shown only now. There is no overlap: store the new value in the program before its next request. */
  rotate(connectorId: string, body?: RotateConnectorRequest, options?: CallOptions): Call<ConnectorWithToken>;
}

export interface BattlesMethods {
  /** Lists battles: published ones, and those that the caller created or takes part in, the newest first. Published battles are visible to every caller. Those in another status are listed for their creator and participants only. */
  list(query?: BattleListQuery, options?: CallOptions): ListCall<BattleSummary>;

  /** Creates a battle in draft. A draft is visible to its creator alone and can be changed until it is opened. A rubric or check that cannot be used is refused with its path. */
  create(body: NewBattleRequest, options?: CallOptions): Call<Battle>;

  /** Reads the open vote that would say most, for a voter. Returns a battle in voting in which a vote of the caller would tell most about the leaderboard. 404 when there is none. */
  getNext(options?: CallOptions): Call<Battle>;

  /** Lists closed battles that a lenser created or took part in, the newest first. Lists closed, published and archived battles of the caller. For another lenserId only published battles are listed. */
  listHistory(query?: BattleHistoryQuery, options?: CallOptions): ListCall<BattleSummary>;

  /** Reads a battle, with what the caller may know of its contenders. Before the battle is closed, the reply hides the authors of the answers and gives voters a ballot whose ids are valid for them alone. Everybody finds battles that are voting or published. */
  get(battleId: string, options?: CallOptions): Call<Battle>;

  /** Changes a battle in draft. Only the creator can change a battle, and only in draft; later the request is refused with 409. Absent members stay as they are. */
  update(battleId: string, body?: BattlePatch, options?: CallOptions): Call<Battle>;

  /** Adds a contender, in draft and open. In draft the creator enters any lenser; in open people also enter themselves and their own AI lensers. A taken slot and a full battle are refused with 409. */
  addContender(battleId: string, body: NewContenderRequest, options?: CallOptions): Call<Contender>;

  /** Withdraws a contender, in draft and open. The owner of the contender and the creator of the battle can do it. Its submission is deleted, and its slot is free again. */
  withdrawContender(battleId: string, contenderId: string, options?: CallOptions): Call<Contender>;

  /** Submits or replaces the answer of a contender, while open or executing. The owner of the contender submits, for AI contenders also the creator. A later text replaces an earlier one; a text that was submitted by hand is never replaced by that of a run. */
  submitEntry(battleId: string, body: NewSubmissionRequest, options?: CallOptions): Call<Submitted>;

  /** Starts the execution of an open battle, with a run for each AI contender without an answer. Starts one run for each AI contender without an answer, all together or none, paid by the creator. When the runs and the judging do not fit in the budget of the battle, nothing starts. */
  execute(battleId: string, body?: ExecuteBattleRequest, options?: CallOptions): Call<ExecutedBattle>;

  /** Moves a battle to another status. Each status has one next status, and archived can follow each of them. closed and archived need confirm: true. warnings in the reply names what is unusual. */
  setStatus(battleId: string, body: BattleStatusRequest, options?: CallOptions): Call<BattleStatusReply>;

  /** Casts or replaces the vote of the caller, while voting. Use the ids of the ballot of getBattle. A second vote of the same account replaces the first. Contenders and their owners cannot vote. */
  castVote(battleId: string, body?: VoteRequest, options?: CallOptions): Call<Vote>;

  /** Streams the events of a battle; resumes after Last-Event-ID. Sends one frame for each event in order, a comment every 15 seconds, and event: done when the battle has ended. No event tells which contender it concerns. */
  events(battleId: string, options?: StreamOptions): EventStream<BattleEvent>;

  /** Reads votes and verdicts of a battle. Shows the progress and the verdicts of the judging, and the counts of votes. Until the battle is closed, they are hidden as in getBattle. */
  getScore(battleId: string, options?: CallOptions): Call<BattleScore>;
}

export interface LeaderboardsMethods {
  /** Lists the rated contenders of published battles, by component and rank. Ratings are computed from published battles of the type, either from votes or from verdicts of judges. Contenders that were never compared, also indirectly, are in separate components. */
  list(battleType: string, query?: LeaderboardQuery, options?: CallOptions): ListCall<LeaderboardEntry>;

  /** Reads how a leaderboard was computed, and how fragile its first place is. Describes the model of the ratings, its convergence, the number of comparisons, and how few votes would have to be left out to change the first place. */
  getFit(battleType: string, query?: LeaderboardFitQuery, options?: CallOptions): Call<LeaderboardFit>;

  /** Downloads the anonymous votes from which a leaderboard is computed, one JSON object a line. Sends application/x-ndjson: one anonymous comparison in each line, with which the leaderboard can be computed again. The lines name no voter. */
  downloadVotes(battleType: string, query?: LeaderboardFitQuery, options?: CallOptions): LineStream<LoggedVote>;
}

export interface CommunitiesMethods {
  /** Lists the communities that the caller is a member of, the newest first. A community is an account with members, tokens and resources of its own. The list has the role of the caller in each. */
  list(query?: PageQuery, options?: CallOptions): ListCall<Community>;

  /** Creates a community that the caller owns. The caller becomes its owner. The handle is unique among all accounts; a taken one is refused with 409. */
  create(body: NewCommunityRequest, options?: CallOptions): Call<Community>;

  /** Reads a community; members get more details. Every caller sees the name, the description, the join policy and the number of members. Members also see their own role. */
  get(communityId: string, options?: CallOptions): Call<Community>;

  /** Changes how a community is shown and joined. Owners and admins can change the name, the description and the join policy. Absent members stay as they are. The handle stays. */
  update(communityId: string, body?: CommunityPatch, options?: CallOptions): Call<Community>;

  /** Deletes a community; all its tokens stop working at once. Only an owner can delete it, with a session token. Its handle stays reserved. */
  remove(communityId: string, options?: CallOptions): Call<Community>;

  /** Joins an open community, or one that the caller was invited to. A community with the join policy invite needs the value of an invite. Members who join again keep their role and use no invite. Only people can join, with a session or developer token. */
  join(communityId: string, body?: JoinRequest, options?: CallOptions): Call<Member>;

  /** Lists the members of a community, for its members. Each item has the account and its role. Callers who are no members get 404. */
  listMembers(communityId: string, query?: PageQuery, options?: CallOptions): ListCall<Member>;

  /** Changes the role of a member. Owners can set every role, admins the roles of moderators and members. A community keeps at least one owner; the change of the last one is refused with 409. */
  setRole(communityId: string, accountId: string, body: MemberPatch, options?: CallOptions): Call<Member>;

  /** Removes a member; the caller leaves with their own account. Owners remove every member, admins moderators and members, and every member can leave. The last owner cannot leave: the request is refused with 409. */
  removeMember(communityId: string, accountId: string, options?: CallOptions): Call<Member>;

  /** Lists the invites of a community, the newest first. For owners and admins. Values of invites are not shown. */
  listInvites(communityId: string, query?: PageQuery, options?: CallOptions): ListCall<Invite>;

  /** Creates an invite; its value is shown this once. Owners and admins can create it. It is for one account and ends when it is used, expires or is revoked. Only an owner can invite admins. */
  createInvite(communityId: string, body?: NewInviteRequest, options?: CallOptions): Call<CreatedInvite>;

  /** Revokes an invite. No account can join with it afterwards. A repeated request has no further effect. An invite that was used is refused with 409: remove the member instead. */
  revokeInvite(communityId: string, inviteId: string, options?: CallOptions): Call<Invite>;
}

export interface AgentsMethods {
  /** Lists or searches AI lensers, the newest first. An AI lenser is a public profile with a model and instructions. With q the request is a search and counts as expensive. */
  list(query?: AiLenserQuery, options?: CallOptions): ListCall<AiLenserItem>;

  /** Creates an AI lenser that the caller owns. Its handle is unique among all accounts. Without a policy every action is denied. An owner can have a limited number of AI lensers. */
  create(body: NewAiLenserRequest, options?: CallOptions): Call<AiLenser>;

  /** Reads an AI lenser; its owner also gets instructions and policy. Every caller sees the profile and the model. Its owner also sees the instructions, the policy and today's use. */
  get(aiLenserId: string, options?: CallOptions): Call<AiLenser>;

  /** Changes an active AI lenser of your own. Absent members stay as they are; policy is replaced as a whole. An archived AI lenser is refused with 409. */
  update(aiLenserId: string, body?: AiLenserPatch, options?: CallOptions): Call<AiLenser>;

  /** Archives an AI lenser of your own permanently; its handle stays reserved. Cancels its active runs, ends its open approvals and stops its actions. It cannot be restored. Archiving again has no further effect. */
  archive(aiLenserId: string, options?: CallOptions): Call<AiLenser>;

  /** Lists the tools of an AI lenser of your own, by name. The list has explicit grants and refusals. A tool that is not in the list has not been granted. */
  listTools(aiLenserId: string, query?: CountedPageQuery, options?: CallOptions): ListCall<AgentTool>;

  /** Grants a tool to an AI lenser of your own, or refuses it. toolId is the name of a tool of the tool-call server, cast_vote, or mcp:<connector>/<tool>. Granting again changes the existing row. */
  assignTool(aiLenserId: string, body: AgentToolRequest, options?: CallOptions): Call<AgentTool>;

  /** Revokes a tool of an AI lenser of your own. Removes the grant or refusal. Actions that need the tool are denied from now on. */
  revokeTool(aiLenserId: string, toolId: string, options?: CallOptions): Call<AgentToolRevocation>;

  /** Performs an action as an AI lenser of your own, within its grants, policy and caps. The policy of the AI lenser allows or denies the action, or asks its owner: the reply then has an approval. The idempotency_key in metadata makes a repeated request return the first result. */
  runAction(aiLenserId: string, body: AgentActionRequest, options?: CallOptions): Call<AgentActionReply>;

  /** Lists the approvals that actions of an AI lenser of your own have requested, the newest first. An approval is an action that the policy lets the AI lenser perform only after its owner agrees. status filters the list. */
  listApprovals(aiLenserId: string, query?: AgentApprovalQuery, options?: CallOptions): ListCall<AgentApproval>;

  /** Lists the actions of all your AI lensers that wait for your approval, the newest first. decideAgentApproval decides about one. Decided and expired ones, and tool calls of ended runs, are not listed. */
  listPendingApprovals(query?: CountedPageQuery, options?: CallOptions): ListCall<PendingAgentApproval>;

  /** Approves an action, which is then performed once, or denies it. The first decision counts; a later one and one after the expiry are refused with 409. An approved action is performed within the grants, policy and caps that hold at that time. */
  decideApproval(
    aiLenserId: string,
    approvalId: string,
    body: AgentApprovalDecision,
    options?: CallOptions,
  ): Call<AgentApproval>;

  /** Lists the team runs of an AI lenser of your own, the newest first. A team run is a run of a workflow in the name of an AI lenser. The list includes those that have ended. */
  listTeamRuns(aiLenserId: string, query?: CountedPageQuery, options?: CallOptions): ListCall<TeamRun>;

  /** Starts a team run; for the service role only, which calls the tool start_agent_team_run. Credentials of accounts are refused with 403. The service role starts team runs by the tool start_agent_team_run over stdio. */
  startTeamRun(aiLenserId: string, body: TeamRunRequest, options?: CallOptions): Call<TeamRun>;

  /** Reads a team run of an AI lenser of your own. The status is queued, running, blocked, completed, failed or cancelled. A blocked run waits for its owner or for an approval of a node. */
  getTeamRun(aiLenserId: string, teamRunId: string, options?: CallOptions): Call<TeamRun>;

  /** Starts a team run that waits for its owner. For a run with the policy manual, which waits at most 24 hours. A run that does not wait is refused with 409. */
  approveTeamRun(aiLenserId: string, teamRunId: string, options?: CallOptions): Call<TeamRun>;

  /** Cancels a team run. A repeated request has no further effect. A run that has ended is refused with 409. */
  cancelTeamRun(aiLenserId: string, teamRunId: string, options?: CallOptions): Call<TeamRun>;

  /** Streams the events of an AI lenser of your own; resumes after Last-Event-ID. Sends one frame for each event in order, a comment every 15 seconds, and event: done when the AI lenser is archived. Steps of its runs are in the events of the runs. */
  events(aiLenserId: string, options?: StreamOptions): EventStream<AgentEvent>;
}

export interface McpServersMethods {
  /** Lists the caller's external MCP servers, the newest first, without their secrets. AI lensers use the tools of these servers as far as they are granted. A server that is not enabled is listed, too. */
  listMcpServers(query?: PageQuery, options?: CallOptions): ListCall<McpServer>;

  /** Registers an external MCP server, whose tools AI lensers of the caller can be granted; reads its tools. Secrets are sealed. The reply waits a few seconds for the list of tools; when its refresh is pending, read the server again. 409 when the name is taken. */
  createMcpServer(body: NewMcpServerRequest, options?: CallOptions): Call<McpServer>;

  /** Reads an MCP server without its secrets. Shows the address, the kind of authentication and the result of the last refresh of its tools. */
  getMcpServer(mcpServerId: string, options?: CallOptions): Call<McpServer>;

  /** Changes credentials, allowed tools or whether the server is enabled. Name and address never change. Grants of tools that are no longer allowed stay, and cannot be used. */
  updateMcpServer(mcpServerId: string, body?: McpServerPatch, options?: CallOptions): Call<McpServer>;

  /** Deletes a server with its secrets, and revokes the grants of its tools. Agents cannot call its tools from then on. A server with the same name needs new grants. */
  deleteMcpServer(mcpServerId: string, options?: CallOptions): Call<McpServer>;

  /** Reads the list of tools again; answers pending when the server takes more than a few seconds. A tool whose description, schema or annotations changed is suspended for each agent until it is granted again. */
  refreshMcpServer(mcpServerId: string, options?: CallOptions): Call<McpServer>;

  /** Begins the OAuth authorization of a server; answers an address to open in a browser. A worker reads the metadata of the server and registers a client. While authorization.status is preparing, read the server again. It replaces an authorization that was begun before. */
  authorizeMcpServer(mcpServerId: string, body: NewMcpAuthorizationRequest, options?: CallOptions): Call<McpServer>;

  /** Finishes an authorization with the code with which the browser returned. A worker exchanges the code for tokens, which replace auth of the server, and reads its tools. Only the owner can finish, once, within ten minutes; begin again after a failure. */
  finishMcpAuthorization(mcpServerId: string, body: McpAuthorizationAnswer, options?: CallOptions): Call<McpServer>;

  /** Ends the suspension of a server whose authorization server has changed. Names the issuer and tokenUrl of authorizationServer.changedTo, which get the secrets from then on, or those of authorizationServer, which keep them. 409 when neither is named or none has changed. */
  confirmMcpIssuer(mcpServerId: string, body: McpIssuer, options?: CallOptions): Call<McpServer>;

  /** Lists the tools of a server, by name. The list is that of the last refresh. Grant a tool by its toolId. */
  listMcpTools(mcpServerId: string, query?: CountedPageQuery, options?: CallOptions): ListCall<McpTool>;
}

export interface ThreadsMethods {
  /** Lists the threads about a subject, or those without one, the newest first. With subjectType and subjectId it lists the threads about that lens, workflow, battle, run or community, otherwise the threads without a subject. */
  list(query?: ThreadListQuery, options?: CallOptions): ListCall<Thread>;

  /** Creates a thread, about a subject or on its own. A thread with a subject is never visible to more callers than its subject. An account has at most 1,000 open threads; one more is refused with 409. */
  create(body: NewThreadRequest, options?: CallOptions): Call<Thread>;

  /** Reads a thread. Shows the title, the status, the subject and the number of messages. A caller who cannot see the subject gets 404. */
  get(threadId: string, options?: CallOptions): Call<Thread>;

  /** Renames, closes or reopens a thread, as a moderator. The owners of the thread and of its subject can do it, and moderators of its community. A closed thread takes no messages. What a moderator has closed, the owner of the thread cannot reopen. */
  update(threadId: string, body?: ThreadPatch, options?: CallOptions): Call<Thread>;

  /** Streams the messages and other events of a thread; resumes after Last-Event-ID. Sends one frame for each message and change in order, and event: done when the thread is closed. An event has its message as it is when it is sent, so deleted texts are not repeated. */
  events(threadId: string, options?: StreamOptions): EventStream<ThreadEvent>;

  /** Lists the messages of a thread. Messages are numbered from 1 without gaps, and pages follow these numbers. parentId lists the replies to one message. */
  listMessages(threadId: string, query?: MessageListQuery, options?: CallOptions): ListCall<Message>;

  /** Posts a message; AI lensers that it mentions may answer. The text is Markdown of at most 16,000 characters and is stored as it is sent. A closed or full thread is refused with 409. */
  postMessage(threadId: string, body: NewMessageRequest, options?: CallOptions): Call<Message>;

  /** Reads a message with its earlier texts and the answers of AI lensers that it mentions. The reply has the earlier texts of an edited message and, for each mentioned AI lenser, whether it waits, answers, has answered or declined. */
  getMessage(threadId: string, messageId: string, options?: CallOptions): Call<MessageDetail>;

  /** Edits a message of your own, within 15 minutes. With version, the edit of a text that has changed meanwhile is refused with 409. Mentions that an edit adds are not answered. */
  editMessage(threadId: string, messageId: string, body: MessagePatch, options?: CallOptions): Call<Message>;

  /** Deletes the text of a message of your own, with its earlier texts; the message stays as deleted. The author can delete it at any time, the owner of an AI lenser its messages. The replies stay. */
  deleteMessage(threadId: string, messageId: string, options?: CallOptions): Call<Message>;

  /** Hides a message or shows it again, as a moderator. Only its author and moderators see the text of a hidden message. hidden: false shows it again. */
  hideMessage(threadId: string, messageId: string, body?: HideMessageRequest, options?: CallOptions): Call<Message>;

  /** Lists the accounts that are muted in a thread, for moderators. A muted account and its AI lensers can read the thread, but not write in it. */
  listMutes(threadId: string, query?: PageQuery, options?: CallOptions): ListCall<Mute>;

  /** Mutes an account in a thread, as a moderator: it can read, but not post or edit. Accounts that moderate the thread cannot be muted: the request is refused with 409. A repeated request has no further effect. */
  muteMember(threadId: string, accountId: string, options?: CallOptions): Call<Mute>;

  /** Ends the mute of an account, as a moderator. The account can write again. A request without a mute has no effect. */
  unmuteMember(threadId: string, accountId: string, options?: CallOptions): Call<Unmuted>;
}

export interface AuditMethods {
  /** Lists the audit log of the account or a community, the newest first. An entry has what was done, by which account and credential, and when. Entries are chained by hashes and cannot be changed. communityId shows the log of a community, for its owners and admins. */
  list(query?: AuditQuery, options?: CallOptions): ListCall<AuditEntry>;

  /** Verifies the hashes of the audit log of the account or a community. Computes the hash of every entry again and compares it with the stored one, from the first to the newest entry, 10,000 in a request. A copy of an older hash that you keep outside of the platform must still be in the list. */
  verify(query?: AuditVerificationQuery, options?: CallOptions): Call<AuditVerification>;
}

export interface LensesMethods {
  /** Lists or searches the lenses that the caller can see. Lists public lenses, community lenses for accounts, and the lenses of the caller. With q the request is a search and counts as expensive. */
  list(query?: LensQuery, options?: CallOptions): ListCall<LensItem>;

  /** Creates a lens, with its text as version 1.0.0. [[Name]] in the text is a required parameter, [[Name!]] an optional one. The lens is private unless visibility says otherwise, and published unless status is draft. */
  create(body: NewLensRequest, options?: CallOptions): Call<LensRecord>;

  /** Imports an exported lens with all its versions and labels. Takes the document of an export. The new lens belongs to the caller and has a new id. The body can be larger than other bodies. */
  import(body: LensFile, options?: CallOptions): Call<LensRecord>;

  /** Reads a lens with its newest text, parameters and labels. Lenses that the caller cannot see return 404; only their owner sees drafts and archived lenses. */
  get(lensId: string, options?: CallOptions): Call<LensRecord>;

  /** Changes a lens of your own; a different text creates a new version. Absent members stay as they are. A version is never changed: another text becomes the next version, with a changelog. */
  update(lensId: string, body?: LensPatch, options?: CallOptions): Call<LensRecord>;

  /** Deletes a lens of your own permanently. Hides the lens with all its versions and labels from every request. Its runs stay. It cannot be restored; use archiveLens to hide it for a while. */
  delete(lensId: string, options?: CallOptions): Call<LensDeleted>;

  /** Saves a text of your own lens to try it; callers keep the newest version. Lists of versions do not have it, and no caller gets it who does not name its id as the version. The same content is saved once. */
  saveCandidate(lensId: string, body?: LensCandidate, options?: CallOptions): Call<LensCandidateSaved>;

  /** Reads the draft of a lens of your own: the change that is not saved as a version yet. A lens has at most one draft, which the console keeps while you type. Only the owner of the lens can read it. */
  getDraft(lensId: string, options?: CallOptions): Call<LensDraftReply>;

  /** Keeps a change of your own lens as its draft, in place of the one before. Callers of the lens do not get it; updateLens makes a version of it. Exports of the lens do not contain it. */
  saveDraft(lensId: string, body: LensDraftRequest, options?: CallOptions): Call<LensDraftReply>;

  /** Discards the draft of a lens of your own. A repeated request has no further effect. */
  discardDraft(lensId: string, query?: LensDraftQuery, options?: CallOptions): Call<LensDraftReply>;

  /** Publishes a draft. A published lens is visible to the callers that its visibility names. Publishing raises the event lens.published. A published lens stays as it is; an archived one is refused with 409. */
  publish(lensId: string, options?: CallOptions): Call<LensStateReply>;

  /** Archives a lens: lists omit it and others cannot use it; it can be restored. Runs that were accepted before continue. A repeated request has no further effect. */
  archive(lensId: string, options?: CallOptions): Call<LensStateReply>;

  /** Restores an archived lens. The lens has its previous visibility again. A lens that is not archived is refused with 409. */
  restore(lensId: string, options?: CallOptions): Call<LensStateReply>;

  /** Forks a public or community lens into one of your own. The fork is a lens of its own that names its source. Later changes of the source do not affect it. */
  fork(lensId: string, body?: LensForkRequest, options?: CallOptions): Call<LensRecord>;

  /** Lists the versions of a lens, the newest first. Items have the number, the changelog, the labels and the time of each version, without its text. */
  listVersions(lensId: string, query?: LensVersionsQuery, options?: CallOptions): ListCall<LensVersionItem>;

  /** Reads a version of a lens by its id, number or label. A version can be named by its id, by its number such as 1.2.0, or by a label such as production. It never changes; what a label points at can. */
  getVersion(lensId: string, version: string, options?: CallOptions): Call<LensVersionRecord>;

  /** Compares two versions: lines of text, and parameters. from and to are ids, numbers or labels. The reply has the added and removed lines, and the parameters that were added, removed or changed. */
  diffVersions(lensId: string, query: LensDiffQuery, options?: CallOptions): Call<LensDiff>;

  /** Exports a lens with all its versions and labels as one document. The document can be imported at this or at another platform. It has no ids of accounts. */
  export(lensId: string, options?: CallOptions): Call<LensFile>;

  /** Points a label at a version; point it at an older version to roll back. Creates the label or moves it. Runs and workflow nodes that name the label use the new version from now on. Tokens other than those of a session get 403 for a protected label. */
  setLabel(lensId: string, label: string, body: LensLabelRequest, options?: CallOptions): Call<LensLabelPlace>;

  /** Removes a label; the version stays. Later requests that name the label are refused. The version can still be named by its id and number. Tokens other than those of a session get 403 for a protected label. */
  removeLabel(lensId: string, label: string, options?: CallOptions): Call<LensLabelRemoved>;

  /** Points a label at the version that it had before. Undoes the move that brought the label to its version of now, and the history keeps both. Tokens other than those of a session get 403 for a protected label; 409 when it had no version before. */
  returnLabel(lensId: string, label: string, body?: LabelReturnRequest, options?: CallOptions): Call<LensLabelPlace>;

  /** Lists where the labels of a lens of the caller pointed, the newest move first. Only the owner of the lens can read it. */
  listLabelMoves(lensId: string, query?: PageQuery, options?: CallOptions): ListCall<LensLabelMove>;

  /** Lists the lenses of the caller whose newest version includes this one, the newest first. A text includes another lens with a tag such as [[> alice/tone@production]]. */
  listIncluding(lensId: string, query?: ShortListQuery, options?: CallOptions): ListCall<LensItem>;

  /** Lists the saved cases of a lens of the caller, the oldest first. A case has parameters and, if one was saved, an answer to compare others with. Only the owner of the lens can read them. */
  listCases(lensId: string, query?: ShortListQuery, options?: CallOptions): ListCall<LensCase>;

  /** Saves parameters of a lens as a case, and replaces the case with the same name. A lens has up to 100 cases. Exports of the lens do not contain them. */
  saveCase(lensId: string, body: LensCaseRequest, options?: CallOptions): Call<LensCase>;

  /** Removes a saved case of a lens of the caller. Runs that were made with it stay. */
  removeCase(lensId: string, caseId: string, options?: CallOptions): Call<LensCaseRemoved>;

  /** Lists the workflows of the caller whose newest version executes a lens. Nodes of nested maps count. Workflows of other accounts are never listed. */
  listWorkflows(lensId: string, query?: PageQuery, options?: CallOptions): ListCall<WorkflowOfLens>;

  /** Executes a lens; returns the accepted run at once. Answers as soon as the run is stored. Wait for its end with streamRunEvents or getRun. Missing parameters and too few credits are refused before a run exists; an idempotencyKey makes the request safe to repeat. */
  execute(lensId: string, body: LensExecuteRequest, options?: CallOptions): Call<PlatformExecutionAccepted>;

  /** Executes a lens many times; each item counts as one execution and returns a run or a fault. Takes up to 1,000 items in one request, each with its own idempotencyKey. The reply has a run or a fault for each item in the same order, and a batchId with which runs are listed and followed. */
  executeBatch(lensId: string, body: LensBatchRequest, options?: CallOptions): Call<LensBatchAccepted>;

  /** Reads the sponsor pool of a lens of the caller, with its use. Shows the limits of the pool and what runs of others have used and hold. */
  getSponsorship(lensId: string, options?: CallOptions): Call<Sponsorship>;

  /** Opens, changes or closes the sponsor pool of a lens, which pays for runs with fundingSource sponsored. Replaces all settings of the pool. Runs of other accounts use it when they name fundingSource sponsored; enabled: false stops that without losing the counts. */
  setSponsorship(lensId: string, body: SponsorshipRequest, options?: CallOptions): Call<Sponsorship>;
}

export interface DatasetsMethods {
  /** Lists the datasets of the caller, the newest first. A dataset has named cases to try lenses and workflows with. */
  list(query?: DatasetListQuery, options?: CallOptions): ListCall<Dataset>;

  /** Creates a dataset, without cases or with those of a lens. Refused with 409 when the account has one with this name. */
  create(body: DatasetRequest, options?: CallOptions): Call<Dataset>;

  /** Returns a dataset of the caller without its cases. Its cases are returned by listDatasetCases. */
  get(datasetId: string, options?: CallOptions): Call<Dataset>;

  /** Changes the name or description of a dataset. Such a change makes no revision of the cases. */
  update(datasetId: string, body?: DatasetPatch, options?: CallOptions): Call<Dataset>;

  /** Deletes a dataset with all its revisions. Its cases and revisions cannot be read any more. */
  remove(datasetId: string, options?: CallOptions): Call<DatasetRemoved>;

  /** Lists the cases of a revision by their keys. Keys are ordered by their bytes. An unknown revision is 404. */
  listCases(datasetId: string, query?: DatasetCaseQuery, options?: CallOptions): ListCall<DatasetCase>;

  /** Adds, changes and removes cases as one new revision. Earlier revisions stay as they are. A request that changes nothing makes no revision, so that it may be repeated. A dataset has at most 100,000 cases, a case at most 100,000 characters. */
  changeCases(datasetId: string, body?: DatasetCasesRequest, options?: CallOptions): Call<DatasetChange>;

  /** Adds and changes cases of a file as one new revision. NDJSON has a case in each line, JSON a list of them. CSV has the columns key, expected, tags (separated by blanks) and param: or metadata: with a name. Cases without a key get the number of their row. */
  importCases(datasetId: string, body: DatasetImport, options?: CallOptions): Call<DatasetChange>;

  /** Makes a case of each run: its parameters and, if wanted, its output as expected. The keys are the ids of the runs. A run of another account is 404, one without parameters 400. */
  addCasesFromRuns(datasetId: string, body?: CasesFromRuns, options?: CallOptions): Call<DatasetChange>;

  /** Returns all cases of a revision as a file. The file can be imported into a dataset, also at another platform. */
  export(datasetId: string, query?: DatasetExportQuery, options?: CallOptions): Call<Response>;

  /** Lists the revisions of a dataset, the newest first. Each has the numbers of cases that it has added, changed and removed. */
  listRevisions(datasetId: string, query?: PageQuery, options?: CallOptions): ListCall<DatasetRevision>;

  /** Lists the cases that differ between two revisions, by their keys. Revision 0 stands for the dataset before its first case. */
  diffRevisions(datasetId: string, query?: DatasetDiffQuery, options?: CallOptions): ListCall<CaseDifference>;
}

export interface ExperimentsMethods {
  /** Lists the experiments of the caller, the newest first. Their results are returned by getExperiment. */
  list(query?: ExperimentQuery, options?: CallOptions): ListCall<ExperimentItem>;

  /** Runs the cases of a dataset with each arm, and scores the answers. Each case, arm and repetition is one run. Parameters of cases that an arm does not have, or that it lacks, are refused with 400. A workflow needs workflows:write too. */
  create(body: ExperimentRequest, options?: CallOptions): Call<ExperimentAccepted>;

  /** Returns an experiment with its progress, and its results after its end. docs/statistics.md says what the numbers mean. */
  get(experimentId: string, options?: CallOptions): Call<Experiment>;

  /** Deletes an experiment that has ended, with its scores. Its runs stay. One that has not ended is 409. */
  remove(experimentId: string, options?: CallOptions): Call<ExperimentRemoved>;

  /** Lists the cells of an experiment: the output and scores of each run. In the order of the cases, repetitions and arms. Cells that have not started are not listed. */
  listCells(experimentId: string, query?: CellQuery, options?: CallOptions): ListCall<ExperimentCell>;

  /** Returns all cells of an experiment as a file. NDJSON, CSV, JUnit XML with a test case for each cell and each rule of the gate, or the JSON of promptfoo. */
  export(experimentId: string, query?: ExperimentExportQuery, options?: CallOptions): Call<Response>;

  /** Cancels an experiment with its runs that have not ended. The scores that it has stay. One that has ended is 409. */
  cancel(experimentId: string, options?: CallOptions): Call<ExperimentItem>;

  /** Continues an incomplete experiment, with another budget if one is given. Cells that have a score keep it. An experiment that is not incomplete is 409. */
  resume(experimentId: string, body?: ExperimentResume, options?: CallOptions): Call<ExperimentItem>;

  /** Streams the events of an experiment; resumes after Last-Event-ID. Sends one frame for each event in order, a comment every 15 seconds, and event: done when the experiment has ended. */
  events(experimentId: string, options?: StreamOptions): EventStream<ExperimentEvent>;

  /** Repeats an experiment, with other scorers if they are given. With the answers `same`, only the scores are made again, which costs no new answers; an experiment that has not ended is 409 then. The versions of its arms stay. */
  clone(experimentId: string, body?: ExperimentClone, options?: CallOptions): Call<ExperimentAccepted>;
}

export interface ScorersMethods {
  /** Lists the scorers of the caller, the newest first. Each is listed in its newest version. */
  list(query?: PageQuery, options?: CallOptions): ListCall<StoredScorer>;

  /** Stores a scorer, for several experiments. A name that another scorer of the caller has is 409. The secret of a scorer of the kind http is only in this reply. */
  create(body: ScorerCreate, options?: CallOptions): Call<ScorerCreated>;

  /** Returns a scorer in its newest or another version. Versions do not change: a score that names one can be made again. */
  get(scorerId: string, query?: ScorerVersionQuery, options?: CallOptions): Call<StoredScorer>;

  /** Makes a new version of a scorer. A rule that is the same as the newest one makes none. The kind stays. */
  update(scorerId: string, body: ScorerUpdate, options?: CallOptions): Call<StoredScorer>;

  /** Deletes a scorer with its versions. Experiments keep the rules that they have scored with. */
  remove(scorerId: string, options?: CallOptions): Call<ScorerRemoved>;

  /** Scores outputs without an experiment. A judge is asked in runs of the caller, and waited for up to 25 seconds; a score that is not there then has an error. */
  test(scorerId: string, body: ScorerTest, options?: CallOptions): Call<ScorerTested>;
}

export interface RecordingsMethods {
  /** Lists the recordings of the caller, the newest first. Experiments with the cache `record` make them, and importRecording does. */
  list(query?: PageQuery, options?: CallOptions): ListCall<Recording>;

  /** Stores a file as a recording, which experiments can replay. A line that is not a recorded call is refused with its number. */
  import(body: RecordingImport, options?: CallOptions): Call<Recording>;

  /** Returns a recording with the number of its calls. The calls themselves are returned by exportRecording. */
  get(recordingId: string, options?: CallOptions): Call<Recording>;

  /** Deletes a recording. Experiments that replay it fail from then on. */
  remove(recordingId: string, options?: CallOptions): Call<RecordingRemoved>;

  /** Returns a recording as a file with a call in each line. The order of the lines does not depend on when the calls were made. Secrets were removed before storage. */
  export(recordingId: string, options?: CallOptions): Call<Response>;
}

export interface RunsMethods {
  /** Lists the caller's runs, the newest first. Lists runs of the kinds that the scopes of the caller can read. Filters can be combined; several statuses match any of them, several tags match all. A page with `q`, `modelKey`, `minCreditCost`, `minDurationMs`, `scoreName`, `minScore` or `maxScore` goes through 10,000 runs that match the other filters, and with `q` through at most 32 MB of text. It can therefore have fewer items than its limit, or none, and still a `meta.nextCursor` that goes on from there. */
  list(query?: RunsQuery, options?: CallOptions): ListCall<RunItem>;

  /** Reads the status and the artifacts of a run. The primary output is the artifact with isPrimaryOutput. Runs of other accounts return 404. Poll it, or follow streamRunEvents instead. */
  get(runId: string, options?: CallOptions): Call<PlatformRunStatus>;

  /** Streams the events of a run; resumes after Last-Event-ID. Sends one frame for each stored event in order, a comment every 15 seconds, and event: done after the event that ends the run. A read token is accepted as a bearer token from any origin, and in the query for an EventSource. */
  events(runId: string, query?: RunEventsQuery, options?: StreamOptions): EventStream<RunEvent>;

  /** Streams the events of all runs of a batch or with a tag; resumes after Last-Event-ID. Name either a batchId or a tag. Ids of frames are opaque. The stream of a batch ends with event: done, that of a tag does not end. */
  groupEvents(query?: GroupEventsQuery, options?: StreamOptions): EventStream<RunEvent>;

  /** Creates a short-lived token with which a browser can follow the events of a run. The token reads the events of this run only and is never valid for longer than the credential that created it. Send it as a bearer token. eventsPath in the reply has it as a query parameter, for an EventSource. */
  createReadToken(runId: string, body?: RunReadTokenRequest, options?: CallOptions): Call<RunReadToken>;

  /** Lists the artifacts of a run, its primary output first. Artifacts are the outputs of a run: text, JSON, traces of its execution and results of rubrics. A run that has not ended can have some already. */
  listArtifacts(runId: string, query?: ShortListQuery, options?: CallOptions): ListCall<PlatformExecutionArtifact>;

  /** Reads an artifact of a run. The content is in contentText or contentJson, according to its kind. */
  getArtifact(runId: string, artifactId: string, options?: CallOptions): Call<PlatformExecutionArtifact>;

  /** Downloads the content of an artifact unchanged, as text or JSON. Sends the content alone as text/plain or application/json, without the envelope, with a Content-Disposition for downloads. */
  getArtifactContent(runId: string, artifactId: string, options?: CallOptions): Call<Response>;

  /** Retries a run that failed, timed out or was canceled, as a new run. The new run has the same model, parameters and options, and the same version unless the request names another one. It is charged again and names the original in parentRunId. A run that has not ended or that has succeeded is refused with 409. */
  retry(runId: string, body?: RunRetryRequest, options?: CallOptions): Call<PlatformExecutionAccepted>;

  /** Ends a tracking record, once, with the outcome that its caller reports. For runs that were recorded by the tool run_lens and are executed by their caller. A second report is refused with 409. */
  report(runId: string, body: RunReportRequest, options?: CallOptions): Call<RunReported>;

  /** Reads what a run was started with: parameters, versions and limits. A retry starts with the same parameters and the same version. Parameters are as the caller gave them. Prompts and judgements have none. */
  getInput(runId: string, options?: CallOptions): Call<RunInput>;

  /** Cancels a run: at once while queued, within seconds while running. The platform returns the hold of credits that were not used. A run that has ended is refused with 409. */
  cancel(runId: string, options?: CallOptions): Call<RunCanceled>;

  /** Counts the caller's runs by status over time, with their times and credits. A run belongs to the bucket in which it was accepted, with its present status. The newest 100,000 runs of the range are counted, of the kinds that the scopes of the caller can read. */
  getStatistics(query: RunStatisticsQuery, options?: CallOptions): Call<RunStatistics>;

  /** Compares the caller's runs of a lens or workflow by version, label or arm. Failures, times, tokens, credits and scores of each group, with intervals, and whether a group fails more often than the largest one. Runs of experiments are left out. The newest 100,000 runs of the range are counted. */
  getReleaseStatistics(query?: ReleaseStatisticsQuery, options?: CallOptions): Call<ReleaseStatistics>;

  /** Shows the scores of the runs of a lens or workflow over time. The mean of each score with its interval, over time and in all, and whether it has drifted. Runs of experiments are left out. The newest 100,000 scores of the range are counted. */
  getScoreStatistics(query?: ScoreStatisticsQuery, options?: CallOptions): Call<ScoreStatistics>;

  /** Lists the scores of a run, the newest first. Scores of end users, of the caller, of rules and of reviews. A run of a lens or workflow can have scores, also before it has ended. */
  listScores(runId: string, query?: ShortListQuery, options?: CallOptions): ListCall<RunScore>;

  /** Gives a run a score that you have computed or asked for. Give either a score or a thumb. One with the same name replaces it. For scores of people in a browser see createFeedbackKey. */
  setScore(runId: string, body: RunScoreRequest, options?: CallOptions): Call<RunScore>;

  /** Creates a key with which a browser can give one run a score, once, within an hour. Hand the key to the page that shows the answer. It can do nothing but give this run one score, and is never valid for longer than the credential that created it. */
  createFeedbackKey(runId: string, options?: CallOptions): Call<FeedbackKey>;

  /** Gives a run the score of an end user. The key authenticates the call, from any origin; no other credential is needed. Give either a score or a thumb. The key works once: a later call is refused with 409. */
  giveFeedback(runId: string, body: FeedbackRequest, options?: CallOptions): Call<FeedbackReceived>;

  /** Says of each rule of evaluation what it has done with a run, and why. A run was evaluated, was skipped for a reason, or waits. Rules of other lenses and workflows are left out. */
  listEvaluations(runId: string, query?: PageQuery, options?: CallOptions): ListCall<RunEvaluation>;

  /** Lists the nodes of a workflow run: status, input, output and error. Lists the nodes that the run has reached. The nodes of a map have paths such as each[3].summary as their keys. */
  listNodes(runId: string, query?: RunNodesQuery, options?: CallOptions): ListCall<RunNodeItem>;

  /** Lists the approvals that a run has requested, the newest first. An approval is a question of a workflow node that waits for a person. The list includes answered and expired ones. */
  listApprovals(runId: string, query?: ShortListQuery, options?: CallOptions): ListCall<RunApproval>;

  /** Lists the approvals of all your runs that wait for an answer, the newest first. Each one has its run and its workflow; answerRunApproval answers it. Answered and expired ones, and those of ended runs, are not listed. */
  listPendingApprovals(query?: ShortListQuery, options?: CallOptions): ListCall<PendingApproval>;

  /** Approves or rejects; the first answer decides. The owner of the run answers. data replaces the data of the approval before later nodes read it. An answered or expired approval is refused with 409. */
  answerApproval(runId: string, approvalId: string, body: ApprovalAnswer, options?: CallOptions): Call<RunApproval>;

  /** Gives a run the results of the tools that its caller performs. For the calls in requiredAction of the run. All results are stored or none. The first result of a call counts: the same one again changes nothing, another one is refused with 409, as for a call that has expired and a run that has ended. The run continues when no call waits any more. */
  answerToolCalls(runId: string, body: ToolResults, options?: CallOptions): Call<ToolResultsAccepted>;

  /** Creates a callback URL; its first call completes a waiting node. For a node of the type webhook_wait. The URL has a secret and needs no other credential; a new one replaces the previous. A node that does not wait is refused with 409. */
  createWaitUrl(runId: string, nodeKey: string, options?: CallOptions): Call<WaitUrl>;

  /** Lists the webhook deliveries that a run caused, the newest first. Lists the deliveries of run.completed or run.failed of this run to all endpoints of the account. Reading the run takes the scope of its kind, too. A run without subscribed endpoints has none, and neither has one that was canceled or has not ended. */
  listWebhookDeliveries(runId: string, query?: ShortListQuery, options?: CallOptions): ListCall<RunWebhookDelivery>;
}

export interface EvaluationRulesMethods {
  /** Lists the caller's rules of evaluation, the newest first. Each rule has its filter, its scorers, what its judges have cost today, and the number of runs that wait. */
  list(query?: EvaluationRulesQuery, options?: CallOptions): ListCall<EvaluationRule>;

  /** Creates a rule by which a share of the runs of a lens or workflow gets scores. It evaluates runs of the caller that are accepted from now on, when they have succeeded; those of experiments and battles are left out. Judges act with the rights of the caller. */
  create(body: EvaluationRuleCreate, options?: CallOptions): Call<EvaluationRule>;

  /** Reads a rule of evaluation. Shows its filter, its scorers, what its judges have cost today, and the number of runs that wait. */
  get(ruleId: string, options?: CallOptions): Call<EvaluationRule>;

  /** Changes a rule of evaluation, or switches it on or off. Runs that wait are evaluated by the new scorers. A credential with fewer rights reduces those of the rule to its own. A suspended rule is refused with 409. */
  update(ruleId: string, body?: EvaluationRuleUpdate, options?: CallOptions): Call<EvaluationRule>;

  /** Deletes a rule of evaluation; the scores of its runs stay. Runs that wait are not evaluated any more. */
  remove(ruleId: string, options?: CallOptions): Call<EvaluationRuleRemoved>;

  /** Lets a rule evaluate runs that were accepted earlier. Filter, share and credits of the rule count for them too. A request looks at 10,000 runs; continueWith says where the next one begins. */
  backfill(ruleId: string, body: BackfillRequest, options?: CallOptions): Call<Backfill>;

  /** Gives a rule of evaluation the rights of the caller, and ends its suspension. Judges act with the rights of the caller from now on. Runs of the time of the suspension can be evaluated by a backfill. */
  takeOver(ruleId: string, options?: CallOptions): Call<EvaluationRule>;
}

export interface ReviewQueuesMethods {
  /** Lists the caller's review queues and those that the caller reviews, the newest first. Each has its scale, its progress, and the number of answers that wait for the caller. */
  list(query?: PageQuery, options?: CallOptions): ListCall<ReviewQueue>;

  /** Creates a queue in which people review answers, blind to version, arm and model. Add runs with addReviewItems. When an answer has its reviews, its run gets a score with the name of the queue. */
  create(body: ReviewQueueCreate, options?: CallOptions): Call<ReviewQueue>;

  /** Reads a review queue of the caller, or one that the caller reviews. Shows what reviewers are asked, the progress, and how many answers wait for the caller. */
  get(queueId: string, options?: CallOptions): Call<ReviewQueue>;

  /** Deletes a review queue with its reviews; the scores of the runs stay. Answers that wait are not reviewed any more. */
  remove(queueId: string, options?: CallOptions): Call<ReviewQueueRemoved>;

  /** Lists the items of a queue of the caller, the newest first. Each has its run, its state and its score. Reviewers of others do not see this list. */
  listItems(queueId: string, query?: PageQuery, options?: CallOptions): ListCall<ReviewItem>;

  /** Puts answers of runs into a queue, by their ids or a filter. The filter finds runs of a lens or workflow, or answers of an experiment, also by a score or where two scorers disagree. Reviewers get them in a random order. */
  addItems(queueId: string, body?: ReviewItemsRequest, options?: CallOptions): Call<ReviewItemsAdded>;

  /** Reviews an answer, once. Give a thumb or a mark, as the scale of the queue says. With the last review the run gets its score. An answer that has its reviews, or one of the caller, is refused with 409. */
  giveReview(queueId: string, itemId: string, body?: ReviewRequest, options?: CallOptions): Call<ReviewGiven>;

  /** Reads the next answer that waits for a review of the caller. It has its parameters and its text, and neither run, version, arm nor model. */
  getNextReview(queueId: string, query?: NextReviewQuery, options?: CallOptions): Call<NextReview>;

  /** Says how far people agree with each other, and with a judge. For the owner of the queue. With compareWith it names the answers where the judge fails most. */
  getAgreement(queueId: string, options?: CallOptions): Call<ReviewAgreement>;

  /** Makes cases of all answers that were corrected. A case has the parameters of the run, and the newest corrected answer as expected. Its key is the id of the run. */
  addCasesFromReviews(queueId: string, body: CasesFromReviews, options?: CallOptions): Call<DatasetChange>;
}

export interface LabelProposalsMethods {
  /** Lists the moves of labels that wait for a second person, the newest first. Those of the account of the caller, and those that the caller may decide. */
  list(query?: LabelProposalsQuery, options?: CallOptions): ListCall<LabelProposal>;

  /** Reads a move of a label that waits for a second person, or did. For the account that owns the lens or workflow, and for those who may decide. */
  get(proposalId: string, options?: CallOptions): Call<LabelProposal>;

  /** Approves or declines a move of a label. For people who are signed in and may decide, never the one who proposed it; its account can decline it as well. An approved move is made at once, if its gate still holds. 409 when it was decided, has expired, or the label moved otherwise. */
  decide(proposalId: string, body: LabelProposalDecision, options?: CallOptions): Call<LabelProposal>;
}

export interface RunOperationsMethods {
  /** Cancels or retries all runs that match a filter, one after the other. Runs are processed one after the other, the newest first, in the background. An account has at most ten active operations. */
  start(body: RunOperationRequest, options?: CallOptions): Call<RunOperationState>;

  /** Reads the progress of an operation on runs. matched counts the runs found so far, done and failed those processed. error is the fault of the latest run that could not be changed. */
  get(operationId: string, options?: CallOptions): Call<RunOperationState>;

  /** Stops an operation on runs; its changes so far remain. Runs that were canceled or retried already stay so. An operation that has ended is refused with 409. */
  cancel(operationId: string, options?: CallOptions): Call<RunOperationState>;
}

export interface WaitsMethods {
  /** Completes a waiting node; the JSON of the call is its output. The secret in the path authenticates the call. It works once; a later call is refused with 409. The body can be any JSON. */
  answer(token: string, body: unknown, options?: CallOptions): Call<WaitAnswered>;
}

export interface ModelsMethods {
  /** Lists the models that runs can use, by provider and key. Each item has the capabilities, the limits and the price of a model. capability=json lists models for structured outputs and judging. */
  list(query?: ModelQuery, options?: CallOptions): ListCall<ModelItem>;
}

export interface CreditsMethods {
  /** Reads the balance of the account and its entries. Shows the balance, the credits held by runs that have not ended, and the entries of the ledger, the newest first, in pages. */
  get(query?: PageQuery, options?: CallOptions): Call<Credits>;

  /** Reads the cost of runs on each of the last 30 days, and how long the balance lasts. The forecast is the available balance divided by the mean cost of a day. Days are those of UTC; holds of runs that have not ended are not part of it. */
  forecast(options?: CallOptions): Call<CreditForecast>;

  /** Lists the sponsor pools of the lenses of the caller, with their use. Closed pools are in it, too. Pools of the newest lenses come first. */
  listSponsorships(query?: PageQuery, options?: CallOptions): ListCall<SponsoredLens>;
}

export interface ByokKeysMethods {
  /** Lists the caller's keys of providers, the newest first, without their secrets. A BYOK key is a key of a provider that the account brings. The list has labels, providers and the last four characters of each key. */
  list(query?: PageQuery, options?: CallOptions): ListCall<ByokKey>;

  /** Stores a key of a provider, sealed; only run-workers can open it; any write scope is enough. The secret is encrypted with a key of its own before it is stored and never returned. Runs use it with fundingSource user_byok_cloud and the id of the key. */
  create(body: NewByokKeyRequest, options?: CallOptions): Call<ByokKey>;

  /** Reads a key without its secret. Shows the provider, the label, the status of the last test and the last use. */
  get(keyId: string, options?: CallOptions): Call<ByokKey>;

  /** Destroys a key at once; it cannot be opened afterwards. The encrypted secret is deleted. Runs that need the key later fail with KEY_REVOKED. */
  revoke(keyId: string, options?: CallOptions): Call<ByokKey>;

  /** Tests a key with its provider; answers pending when the provider takes more than a few seconds. Sends one small request to the provider. When the reply is pending, read the key again after a few seconds. */
  test(keyId: string, options?: CallOptions): Call<ByokKey>;

  /** Replaces the secret of a key; runs that start later use it. The id of the key stays, so requests and workflows that name it continue to work. */
  rotate(keyId: string, body: RotateByokKeyRequest, options?: CallOptions): Call<ByokKey>;
}

export interface LocalRunsMethods {
  /** Takes the oldest run of the caller that waits for the caller's own machine; waits for one when there is none. For a runner on the machine of the user, with fundingSource user_byok_local. Waits up to waitSeconds when there is no run; the reply has a lease token that the other requests need. */
  claim(body?: LocalRunClaimRequest, options?: CallOptions): Call<LocalRunClaimed>;

  /** Adds to the answer of a claimed run, extends its lease, and returns a request to stop. Send parts of the answer as they arrive, or an empty list as a heartbeat. When cancel is true, stop and finish the run with the outcome canceled. A lost lease is refused with 409. */
  report(runId: string, body: LocalRunEventsRequest, options?: CallOptions): Call<LocalRunProgress>;

  /** Ends a claimed run; the same request again has no further effect. Send the whole answer or the fault. After a lost lease the request is refused with 409: another runner may have the run. */
  finish(runId: string, body: LocalRunFinishRequest, options?: CallOptions): Call<LocalRunFinished>;
}

export interface WorkflowsMethods {
  /** Runs a workflow; returns the accepted run at once. Answers as soon as the run is stored. The run uses the newest version of now, or that of the default label, unless version names another. Inputs that do not match the schema of the graph are refused; an idempotencyKey makes the request safe to repeat. */
  run(workflowId: string, body: WorkflowRunRequest, options?: CallOptions): Call<PlatformExecutionAccepted>;

  /** Lists public workflows and your own, the newest first; counts up to 10,000. Lists without graphs. visibility and author filter the list; unlisted workflows are found by their id only. */
  list(query?: WorkflowQuery, options?: CallOptions): ListCall<WorkflowItem>;

  /** Creates a workflow with its version 1. The graph is checked as a whole and can be left out at first. A fault is refused with its path, such as nodes[3].settings.url. */
  create(body: NewWorkflowRequest, options?: CallOptions): Call<WorkflowRecord>;

  /** Imports an exported workflow with its versions, lenses and schedules. Takes the document of an export. Lenses that the importer cannot use are created as private lenses, and schedules are imported as paused. The body can be larger than other bodies. */
  import(body: WorkflowFile, options?: CallOptions): Call<WorkflowRecord>;

  /** Reads a workflow with its newest graph and its schedules. The reply has the newest version with its graph. Workflows that the caller cannot see return 404. */
  get(workflowId: string, options?: CallOptions): Call<WorkflowRecord>;

  /** Changes the title, description or visibility of a workflow of your own. Absent members stay as they are. Use saveWorkflowGraph to change the graph. */
  update(workflowId: string, body?: WorkflowPatch, options?: CallOptions): Call<WorkflowRecord>;

  /** Deletes a workflow of your own permanently; its schedules end. Hides the workflow with all its versions from every request. Its runs continue and stay in the list of runs. */
  delete(workflowId: string, options?: CallOptions): Call<WorkflowDeleted>;

  /** Saves a graph as a new version; an unchanged graph returns the newest version. The body is the graph itself or {graph, changelog}. Versions never change, and runs keep the version with which they were accepted. */
  saveGraph(workflowId: string, body?: WorkflowGraphRequest, options?: CallOptions): Call<WorkflowVersionRecord>;

  /** Saves a graph of your own workflow to run it; callers keep the newest version. Lists of versions do not have it, no label can name it, and no caller gets it who does not name its id as the version. Its number is that of the newest version. The same graph is saved once. */
  saveCandidate(workflowId: string, body: WorkflowCandidate, options?: CallOptions): Call<WorkflowCandidateSaved>;

  /** Points a label of a workflow at a version. Creates the label or moves it. Runs and nodes that name the label use the new version from now on. Tokens other than those of a session get 403 for a protected label. */
  setLabel(
    workflowId: string,
    label: string,
    body: WorkflowLabelRequest,
    options?: CallOptions,
  ): Call<WorkflowLabelPlace>;

  /** Removes a label of a workflow; the version stays. Later requests that name the label are refused; 409 for the default label. Tokens other than those of a session get 403 for a protected label. */
  removeLabel(workflowId: string, label: string, options?: CallOptions): Call<WorkflowLabelRemoved>;

  /** Points a label of a workflow at the version that it had before. Undoes the move that brought the label to its version of now, and the history keeps both. Tokens other than those of a session get 403 for a protected label; 409 when it had no version before. */
  returnLabel(
    workflowId: string,
    label: string,
    body?: LabelReturnRequest,
    options?: CallOptions,
  ): Call<WorkflowLabelPlace>;

  /** Lists where the labels of a workflow of the caller pointed, the newest move first. Only the owner of the workflow can read it. */
  listLabelMoves(workflowId: string, query?: PageQuery, options?: CallOptions): ListCall<WorkflowLabelMove>;

  /** Lists the versions of a workflow, the newest first. Items have the number, the changelog and the time of each version, without its graph. */
  listVersions(workflowId: string, query?: WorkflowVersionsQuery, options?: CallOptions): ListCall<WorkflowVersionItem>;

  /** Reads a version of a workflow with its graph. A version is named by its id or its number. */
  getVersion(workflowId: string, versionId: string, options?: CallOptions): Call<WorkflowVersionRecord>;

  /** Compares two versions: nodes, edges, inputs and outputs. from and to are ids or numbers. The reply has nodes, edges, inputs and outputs that were added, removed or changed. */
  diffVersions(workflowId: string, query: WorkflowDiffQuery, options?: CallOptions): Call<WorkflowDiffReply>;

  /** Dry run: the order of nodes, what would be skipped and the maximum cost; nothing is executed. Evaluates conditions with the given inputs as far as possible without running nodes. Use it before runWorkflow to see the cost. With a graph it checks a draft, whose faults are refused as by saveWorkflowGraph. */
  dryRun(workflowId: string, body?: WorkflowDryRunRequest, options?: CallOptions): Call<WorkflowDryRunReply>;

  /** Evaluates an expression with the inputs and results of one of your runs; nothing is executed. For an editor that shows the value of an expression. nodes has the results that the run has recorded so far; item and index are null. An expression without a value is answered with its fault. */
  evaluateExpression(workflowId: string, body: ExpressionRequest, options?: CallOptions): Call<ExpressionReply>;

  /** Exports a workflow with all its versions and the lenses that it needs as one document. The document can be imported at this or at another platform. */
  export(workflowId: string, options?: CallOptions): Call<WorkflowFile>;

  /** Lists your own runs of a workflow, the newest first. Runs of other accounts are not listed, also for the owner of the workflow. status filters the list. */
  listRuns(workflowId: string, query?: WorkflowRunsQuery, options?: CallOptions): ListCall<RunItem>;

  /** Lists the schedules of a workflow of your own. Each schedule has its cron pattern, its time zone and its next tick. */
  listSchedules(workflowId: string, query?: ShortListQuery, options?: CallOptions): ListCall<ScheduleRecord>;

  /** Creates a schedule for a workflow of your own. The pattern has five fields: minute, hour, day, month and weekday. overlap and missed decide about ticks that cannot start at once. */
  createSchedule(workflowId: string, body: NewScheduleRequest, options?: CallOptions): Call<ScheduleRecord>;
}

export interface SchedulesMethods {
  /** Lists the schedules of all workflows of your own, the next one first. Each schedule has the title of its workflow and its newest tick. Those that are paused are the last. */
  list(query?: ShortListQuery, options?: CallOptions): ListCall<ScheduleItem>;

  /** Reads a schedule of your own. Shows the pattern, the inputs, the settings and the next tick. */
  get(scheduleId: string, options?: CallOptions): Call<ScheduleRecord>;

  /** Changes, pauses or resumes a schedule of your own. Absent members stay as they are. enabled: false pauses the schedule; resuming does not start missed ticks. */
  update(scheduleId: string, body?: SchedulePatch, options?: CallOptions): Call<ScheduleRecord>;

  /** Deletes a schedule of your own with its history. Runs that it has started continue and stay. */
  delete(scheduleId: string, options?: CallOptions): Call<ScheduleDeleted>;

  /** Takes a schedule over: its runs get the rights of the caller. Ends a suspension, after which the schedule runs again. Later runs count against the credit limit of the credential of the caller. */
  takeOver(scheduleId: string, options?: CallOptions): Call<ScheduleRecord>;

  /** Lists the next 20 ticks of a schedule of your own. Computes the ticks in the time zone of the schedule, with changes to and from daylight saving time. */
  preview(scheduleId: string, options?: CallOptions): Call<SchedulePreview>;

  /** Lists past ticks of a schedule of your own and their outcomes, the newest first. Each tick has its outcome: the run that it started, or why it started none. */
  listTicks(scheduleId: string, query?: PageQuery, options?: CallOptions): ListCall<ScheduleTickItem>;
}

export interface WebhookEndpointsMethods {
  /** Lists the webhook endpoints of the account, the newest first. Shows addresses, events and states. Secrets are not shown. */
  list(query?: PageQuery, options?: CallOptions): ListCall<WebhookEndpointReply>;

  /** Registers a webhook endpoint; its secret is shown only now. The address must be public and use https. Deliveries are signed with the secret of the reply; store it, since no other request shows it. */
  create(body: NewWebhookEndpointRequest, options?: CallOptions): Call<WebhookEndpointWithSecret>;

  /** Reads a webhook endpoint. Shows whether deliveries are enabled, paused after failures or disabled, with the reason. */
  get(endpointId: string, options?: CallOptions): Call<WebhookEndpointReply>;

  /** Changes the address, the events or the description of a webhook endpoint. Absent members stay as they are. Deliveries that wait are sent to the new address, which starts without failures. */
  update(endpointId: string, body?: WebhookEndpointChange, options?: CallOptions): Call<WebhookEndpointReply>;

  /** Removes a webhook endpoint with its deliveries. Deliveries that wait are not sent. The stored events of the account stay. */
  delete(endpointId: string, options?: CallOptions): Call<WebhookEndpointReply>;

  /** Gives a webhook endpoint a new secret, shown only now; the old one also signs for a while. During overlapSeconds the header webhook-signature has the signatures of both secrets. The other two signatures use the new secret at once. */
  rotateSecret(
    endpointId: string,
    body?: RotateWebhookSecretRequest,
    options?: CallOptions,
  ): Call<WebhookEndpointWithSecret>;

  /** Enables a webhook endpoint; canceled deliveries can be replayed. Deliveries begin with later events. Use replayWebhookEvents for events that were missed. */
  enable(endpointId: string, options?: CallOptions): Call<WebhookEndpointReply>;

  /** Takes a webhook endpoint over: it counts as created by the caller, and its secret is replaced. Ends a suspension and enables the endpoint. The old secret signs nothing any more, and the new one is shown only now. */
  takeOver(endpointId: string, options?: CallOptions): Call<WebhookEndpointWithSecret>;

  /** Disables a webhook endpoint; its waiting deliveries are canceled. Later events are not delivered until the endpoint is enabled again. A repeated request has no further effect. */
  disable(endpointId: string, options?: CallOptions): Call<WebhookEndpointReply>;

  /** Sends a test event through the normal delivery. Sends webhook.test, or with event an event of that type with example data. A disabled endpoint is refused with 409. */
  test(endpointId: string, body?: TestWebhookRequest, options?: CallOptions): Call<WebhookTestReply>;

  /** Lists the deliveries to a webhook endpoint, the newest first. state, event, from and to filter the list. Deliveries are stored for 30 days unless the operator chooses otherwise. */
  listDeliveries(
    endpointId: string,
    query?: WebhookDeliveryQuery,
    options?: CallOptions,
  ): ListCall<WebhookDeliveryItem>;

  /** Reads a delivery with its request and all its attempts. Each attempt has its time, status, duration, fault and the first 4 KB of the response. */
  getDelivery(endpointId: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliveryReply>;

  /** Sends a delivery again, with the same event id and bytes. A receiver that skips known event ids skips it. A delivery that waits is sent at once. One in progress is refused with 409, and so is a disabled endpoint. */
  redeliver(endpointId: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliveryItem>;

  /** Lists the replays to a webhook endpoint, the newest first. Shows what each replay sends and how far it is. */
  listReplays(endpointId: string, query?: PageQuery, options?: CallOptions): ListCall<WebhookReplayReply>;

  /** Replays the events of a time range, with their original ids. Runs in the background. what: undelivered sends events that the endpoint never accepted, all sends all. An endpoint has one replay at a time; a second one is refused with 409. */
  replayEvents(endpointId: string, body: WebhookReplayRequest, options?: CallOptions): Call<WebhookReplayReply>;

  /** Reads the progress of a replay. Shows the number of events that were found and sent so far. */
  getReplay(endpointId: string, replayId: string, options?: CallOptions): Call<WebhookReplayReply>;

  /** Lists the stored events of the account, the newest first. An event is stored when an endpoint of the account was subscribed to its type, or a program listened, as it occurred. event, from and to filter the list. */
  listEvents(query?: WebhookEventQuery, options?: CallOptions): ListCall<WebhookEventReply>;

  /** Stores the events of the account for two minutes, also without an endpoint. For a program that reads GET /v1/webhook-events during development. It repeats the call every minute. */
  listenForEvents(options?: CallOptions): Call<WebhookListening>;
}

export interface IncomingWebhooksMethods {
  /** Lists incoming webhooks, the newest first. An incoming webhook is a URL that starts a workflow when it is called. workflowId filters the list. Secrets are not shown. */
  list(query?: IncomingWebhookQuery, options?: CallOptions): ListCall<IncomingWebhook>;

  /** Creates an incoming webhook, whose calls start a workflow; its secret is shown only now. The workflow is one of the caller, or one that the caller can see. The reply has the path of the webhook and the secret with which calls are authenticated. */
  create(body: NewIncomingWebhookRequest, options?: CallOptions): Call<IncomingWebhookWithSecret>;

  /** Reads an incoming webhook. Shows the path, the workflow and whether calls are accepted. */
  get(webhookId: string, options?: CallOptions): Call<IncomingWebhook>;

  /** Changes the name or the workflow of an incoming webhook, enables or disables it. Absent members stay as they are. With enabled: false, calls get the same reply as for an unknown webhook. */
  update(webhookId: string, body?: UpdateIncomingWebhookRequest, options?: CallOptions): Call<IncomingWebhook>;

  /** Removes an incoming webhook. Later calls get 401. Runs that it has started continue. */
  remove(webhookId: string, options?: CallOptions): Call<IncomingWebhook>;

  /** Gives an incoming webhook a new secret; the old one stays valid for the requested time. Both secrets are valid for overlapSeconds; 0, the default, ends the old one at once. */
  rotate(
    webhookId: string,
    body?: RotateIncomingWebhookRequest,
    options?: CallOptions,
  ): Call<IncomingWebhookWithSecret>;

  /** Takes an incoming webhook over: its runs get the rights of the caller, and its secret is replaced. Ends a suspension. The old secret is invalid at once, and the new one is shown only now. Later runs count against the credit limit of the credential of the caller. */
  takeOver(webhookId: string, options?: CallOptions): Call<IncomingWebhookWithSecret>;

  /** Lists calls of an incoming webhook, accepted and refused, the newest first. Each call has its status, the reason of a refusal, the kind of authentication, the run, and the body without its secrets. */
  listCalls(webhookId: string, query?: PageQuery, options?: CallOptions): ListCall<IncomingWebhookCall>;

  /** Starts the workflow of an incoming webhook. Needs the secret of the webhook, a signature with it, or a token of its owner. params that do not match the inputs of the workflow are refused with 422. A delivery id makes the call safe to repeat. */
  call(webhookId: string, body: CalledWebhookBody, options?: CallOptions): Call<PlatformExecutionAccepted>;
}

export interface OperatorMethods {
  /** Reads the state of the installation: stores, queues, workers, runs and invariants. Everything is read at the time of the call; nothing is cached. Only for people whom "lensforge-operate set-operator" has appointed; others get 403. */
  getStatus(options?: CallOptions): Call<OperatorStatus>;

  /** Counts the runs of all accounts by status over time. The same counts as those of getRunStatistics, over all accounts. Only for people whom "lensforge-operate set-operator" has appointed; others get 403. */
  getRunStatistics(query: StatisticsRange, options?: CallOptions): Call<RunStatistics>;

  /** Lists runs of all accounts that may need an operator. The runs have no contents: an operator cannot read those of other accounts. Only for people whom "lensforge-operate set-operator" has appointed; others get 403. */
  listRuns(query: OperatorRunsQuery, options?: CallOptions): Call<OperatorRuns>;

  /** Pauses a queue for all workers, or lets them go on. Workers finish the jobs that they have and take no more: the way to drain them. Requests are still accepted, and their jobs wait. Only for people whom "lensforge-operate set-operator" has appointed; others get 403. */
  setQueue(queue: string, body: QueueSwitchRequest, options?: CallOptions): Call<QueueStatus>;

  /** Gives every queued run a new job. For a Redis that lost jobs: workers ignore old jobs that are still there, so that no run executes twice. Only for people whom "lensforge-operate set-operator" has appointed; others get 403. */
  requeueRuns(options?: CallOptions): Call<RunsRequeued>;

  /** Counts failed runs of all accounts that can be retried, by error and model. Runs that failed or timed out and have no retry. It leaves out nodes, whose runs are retried, runs that callers execute or report themselves, and closed accounts. Only for people whom "lensforge-operate set-operator" has appointed; others get 403. */
  countFailedRuns(query: FailedRunsFilter, options?: CallOptions): Call<FailedRuns>;

  /** Retries failed runs of all accounts, the newest first, at most 100 in a request. Each retry is a run of the account of the failed run and is paid as if the account had retried it; limits of the account apply. Workflows keep the results of nodes that succeeded. A repeated request retries no run again. The audit logs of the operator and of each account say it. Only for people whom "lensforge-operate set-operator" has appointed; others get 403. */
  retryFailedRuns(body: FailedRunsRetryRequest, options?: CallOptions): Call<FailedRunsRetried>;
}

export interface PartnersMethods {
  /** Opens an account with the partner; repeated calls return the same account. The body is an object for the partner. Only session and developer tokens of people can call it. An unknown partner returns 404. */
  provision(partnerName: string, body?: PartnerRequest, options?: CallOptions): Call<PartnerReply>;

  /** Reads the balance of the account with the partner. Shows the balance as the partner reports it. 404 before the account was provisioned. Only session and developer tokens of people can call it. */
  getBalance(partnerName: string, options?: CallOptions): Call<PartnerReply>;

  /** Gets new tokens from the partner; the previous ones stop working. The new tokens are stored encrypted. An unknown partner returns 400. A partner that does not answer causes 500 with the code partner_error. */
  refreshToken(partnerName: string, body?: PartnerRequest, options?: CallOptions): Call<PartnerReply>;

  /** Sends a claim to the partner. The body is passed to the partner; its idempotencyKey makes the request safe to repeat. An unknown partner returns 400. A partner that does not answer causes 500 with the code partner_error. */
  sendClaim(partnerName: string, body?: PartnerRequest, options?: CallOptions): Call<PartnerReply>;
}

export interface Resources {
  readonly service: ServiceMethods;
  readonly me: MeMethods;
  readonly tokens: TokensMethods;
  readonly connectors: ConnectorsMethods;
  readonly battles: BattlesMethods;
  readonly leaderboards: LeaderboardsMethods;
  readonly communities: CommunitiesMethods;
  readonly agents: AgentsMethods;
  readonly mcpServers: McpServersMethods;
  readonly threads: ThreadsMethods;
  readonly audit: AuditMethods;
  readonly lenses: LensesMethods;
  readonly datasets: DatasetsMethods;
  readonly experiments: ExperimentsMethods;
  readonly scorers: ScorersMethods;
  readonly recordings: RecordingsMethods;
  readonly runs: RunsMethods;
  readonly evaluationRules: EvaluationRulesMethods;
  readonly reviewQueues: ReviewQueuesMethods;
  readonly labelProposals: LabelProposalsMethods;
  readonly runOperations: RunOperationsMethods;
  readonly waits: WaitsMethods;
  readonly models: ModelsMethods;
  readonly credits: CreditsMethods;
  readonly byokKeys: ByokKeysMethods;
  readonly localRuns: LocalRunsMethods;
  readonly workflows: WorkflowsMethods;
  readonly schedules: SchedulesMethods;
  readonly webhookEndpoints: WebhookEndpointsMethods;
  readonly incomingWebhooks: IncomingWebhooksMethods;
  readonly operator: OperatorMethods;
  readonly partners: PartnersMethods;
}
