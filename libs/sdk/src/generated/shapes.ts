// Written by `npm run generate` from the endpoint table of libs/contracts.

export interface AccountSummary {
  id: string;
  kind: 'person' | 'community';
  handle: string;
  displayName: string;
  description: string;
}

export interface AccountToClose {
  /** The handle of the account, as a confirmation. */
  handle: string;
}

export interface AgentActionDecided {
  actionId: string;
  action: 'run_lens' | 'run_workflow' | 'submit_entry' | 'cast_vote' | 'join_battle' | 'create_battle';
  verdict: 'allow' | 'ask' | 'deny';
  result: 'success' | 'blocked_by_policy' | 'throttled' | 'failed';
  /** The reason of a result other than success. */
  reason?: string | undefined;
}

export interface AgentActionReply {
  result: 'success' | 'blocked_by_policy' | 'throttled' | 'failed';
  action: 'run_lens' | 'run_workflow' | 'submit_entry' | 'cast_vote' | 'join_battle' | 'create_battle';
  aiLenserId: string;
  /** The reason of a result other than success. */
  reason?: string | undefined;
  /** Ids of what the action created, the approval that it needs, or a message. */
  output?: Record<string, unknown> | undefined;
}

export interface AgentActionRequest {
  actionType: 'run_lens' | 'run_workflow' | 'submit_entry' | 'cast_vote' | 'join_battle' | 'create_battle';
  /** The kind of contextId. */
  contextType?: 'lens' | 'workflow' | 'battle' | undefined;
  /** The lens, workflow or battle, instead of its id in metadata. */
  contextId?: string | undefined;
  /** The members of the action, such as lens_id and param_values, and idempotency_key. */
  metadata?: Record<string, unknown> | undefined;
}

export interface AgentApproval {
  id: string;
  aiLenserId: string;
  action: 'run_lens' | 'run_workflow' | 'submit_entry' | 'cast_vote' | 'join_battle' | 'create_battle';
  /** The metadata of the action, or the arguments of the tool call. */
  metadata: Record<string, unknown>;
  /** The workflow run in which the AI lenser wants to call a tool. */
  runId: string | null;
  /** The tool of that call. */
  toolId: string | null;
  status: 'pending' | 'approved' | 'denied' | 'expired';
  requestedAt: string;
  expiresAt: string;
  decidedAt: string | null;
  /** The result of an approved action. */
  result: 'success' | 'blocked_by_policy' | 'throttled' | 'failed' | null;
  reason: string | null;
  output: Record<string, unknown> | null;
}

export interface AgentApprovalDecided {
  approvalId: string;
  action: 'run_lens' | 'run_workflow' | 'submit_entry' | 'cast_vote' | 'join_battle' | 'create_battle';
  status: 'approved' | 'denied';
  /** The result of an approved action. */
  result?: 'success' | 'blocked_by_policy' | 'throttled' | 'failed' | undefined;
  /** The reason of a result other than success. */
  reason?: string | undefined;
}

export interface AgentApprovalDecision {
  /** True performs the action once, false denies it. */
  approve: boolean;
}

export interface AgentApprovalQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  status?: 'pending' | 'approved' | 'denied' | 'expired' | undefined;
}

export interface AgentApprovalRequested {
  approvalId: string;
  action: 'run_lens' | 'run_workflow' | 'submit_entry' | 'cast_vote' | 'join_battle' | 'create_battle';
  expiresAt: string;
}

export interface AgentArchived {
  /** The number of runs that it canceled. */
  canceledRuns: number;
}

export interface AgentContextReduced {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks. */
  path?: string | undefined;
  /** The number of the step, a request to the model with the tool calls in its answer. */
  step: number;
  /** The number of tool results of which the model sees only the beginning, oldest first. */
  results: number;
  /** The tokens that the model can read in this step. */
  limit: number;
}

export interface AgentRunApproved {
  /** The milliseconds for which the run waited. */
  waitedMs: number;
}

export interface AgentRunEnded {
  status: 'queued' | 'running' | 'blocked' | 'completed' | 'failed' | 'cancelled';
}

export interface AgentRunStarted {
  kind: 'action' | 'team';
  /** blocked while a manual team run waits for the owner. */
  status: 'queued' | 'running' | 'blocked' | 'completed' | 'failed' | 'cancelled';
}

export interface AgentStepDone {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks. */
  path?: string | undefined;
  /** The number of the step, a request to the model with the tool calls in its answer. */
  step: number;
  /** The handle of the agent, judge, or lens for a lens with tools. */
  agent: string;
  /** The text of the model; the answer, when it has no tool calls. */
  text: string;
  toolCalls: number;
  tokenInput: number;
  tokenOutput: number;
  /** Absent when the provider reports none. */
  tokenDetails?: TokenDetails | undefined;
  creditCost: number;
}

export interface AgentThought {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks. */
  path?: string | undefined;
  /** The number of the step, a request to the model with the tool calls in its answer. */
  step: number;
  text: string;
}

export interface AgentTool {
  aiLenserId: string;
  /** The name of a tool, cast_vote, agent:<handle> of an AI lenser, or mcp:<connector>/<tool> of an external MCP server. */
  toolId: string;
  allowed: boolean;
  /** When a changed tool of an external MCP server was suspended; granting it again ends that. */
  suspendedAt: string | null;
  assignedAt: string;
  updatedAt: string;
}

export interface AgentToolAssigned {
  toolId: string;
  /** False when the tool is refused explicitly. */
  allowed: boolean;
}

export interface AgentToolCall {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks. */
  path?: string | undefined;
  /** The number of the step, a request to the model with the tool calls in its answer. */
  step: number;
  /** The number of the call within its step. */
  call: number;
  /** The tool as grants name it, or the name that the model gave when there is no such tool. */
  toolId: string;
  /** The arguments, or the beginning of their JSON when it is longer than 16,384 characters. */
  input: unknown;
}

export interface AgentToolDecided {
  toolId: string;
  verdict: 'allow' | 'ask' | 'deny';
  /** The reason of a verdict other than allow. */
  reason?: string | undefined;
}

export interface AgentToolInputDelta {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks. */
  path?: string | undefined;
  /** The number of the step, a request to the model with the tool calls in its answer. */
  step: number;
  /** The number of the call within its step. */
  call: number;
  /** The tool as grants name it, or the name that the model gave when there is no such tool. */
  toolId: string;
  /** A piece of the JSON of the arguments. */
  text: string;
}

export interface AgentToolRequest {
  /** The name of a tool, cast_vote, agent:<handle> of an AI lenser, or mcp:<connector>/<tool> of an external MCP server. */
  toolId: string;
  /** False refuses the tool explicitly. */
  allowed?: boolean | undefined;
}

export interface AgentToolResult {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks. */
  path?: string | undefined;
  /** The number of the step, a request to the model with the tool calls in its answer. */
  step: number;
  /** The number of the call within its step. */
  call: number;
  /** The tool as grants name it, or the name that the model gave when there is no such tool. */
  toolId: string;
  /** unknown: the worker was lost during a call that must not be repeated. */
  status: 'done' | 'unknown';
  isError: boolean;
  /** The result; at most its first 16,384 characters. */
  text: string;
}

export interface AgentToolRevocation {
  aiLenserId: string;
  toolId: string;
  /** False when the AI lenser did not have the tool. */
  revoked: boolean;
}

export interface AgentToolRevoked {
  toolId: string;
}

export interface AgentToolSuspended {
  toolId: string;
  /** changed: its server describes it in another way than when it was granted. */
  reason: 'changed';
}

export interface AiLenser {
  id: string;
  kind: 'ai';
  handle: string;
  displayName: string;
  bio: string;
  /** The key, provider/key or id of the model that answers; the default model when null. */
  aiModelKey: string | null;
  /** The person that it belongs to. */
  owner: AuthorRef;
  status: 'active' | 'archived';
  /** The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone. */
  usableBy: 'nobody' | 'communities' | 'anyone';
  createdAt: string;
  updatedAt: string;
  /** For its owner only. */
  instructions?: string | undefined;
  /** For its owner only. */
  policy?: AiLenserPolicy | undefined;
}

export interface AiLenserActions {
  run_lens?: 'allow' | 'ask' | 'deny' | undefined;
  run_workflow?: 'allow' | 'ask' | 'deny' | undefined;
  submit_entry?: 'allow' | 'ask' | 'deny' | undefined;
  cast_vote?: 'allow' | 'ask' | 'deny' | undefined;
  join_battle?: 'allow' | 'ask' | 'deny' | undefined;
  create_battle?: 'allow' | 'ask' | 'deny' | undefined;
}

export interface AiLenserItem {
  id: string;
  kind: 'ai';
  handle: string;
  displayName: string;
  bio: string;
  /** The key, provider/key or id of the model that answers; the default model when null. */
  aiModelKey: string | null;
  /** The person that it belongs to. */
  owner: AuthorRef;
  status: 'active' | 'archived';
  /** The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone. */
  usableBy: 'nobody' | 'communities' | 'anyone';
  createdAt: string;
  updatedAt: string;
}

export interface AiLenserPatch {
  displayName?: string | undefined;
  bio?: string | undefined;
  /** The key, provider/key or id of the model that answers; the default model when null. */
  aiModelKey?: string | null | undefined;
  /** The system prompt of its answers; only its owner can read it. */
  instructions?: string | undefined;
  /** Replaces the whole policy. */
  policy?: AiLenserPolicy | undefined;
  /** The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone. */
  usableBy?: 'nobody' | 'communities' | 'anyone' | undefined;
}

export interface AiLenserPolicy {
  /** A rule for each action; absent actions are denied. */
  actions?: AiLenserActions | undefined;
  /** Credits of its owner for each UTC day; null for no cap. */
  creditsPerDay?: number | null | undefined;
  /** Runs for each UTC day; null for no cap. */
  runsPerDay?: number | null | undefined;
}

export interface AiLenserQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** AI lensers with this text in their handle or name. */
  q?: string | undefined;
  /** AI lensers of this owner. */
  owner?: string | undefined;
  /** active, when absent. */
  status?: 'active' | 'archived' | undefined;
}

export interface AnswerChanged {
  /** The message that mentions the AI lenser. */
  messageId: string;
  /** The AI lenser. */
  agentId: string;
  status: 'waiting' | 'running' | 'answered' | 'failed' | 'declined';
}

export interface ApprovalAnswer {
  decision: 'approve' | 'reject';
  /** The data that replaces that of the approval. */
  data?: unknown;
  comment?: string | undefined;
}

export interface ApprovalRequested {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  approvalId: string;
  message?: string | undefined;
}

export interface ApprovalResolved {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  decision: 'approved' | 'rejected' | 'expired';
}

export interface ArmResult {
  arm: string;
  /** Cells with an answer. */
  answered: number;
  /** Cells whose runs failed or could not start. */
  failed: number;
  /** The cost of its answers. */
  credits: number;
  /** The cost of judging them. */
  judgeCredits: number;
  tokenInput: number;
  tokenOutput: number;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
  scorers: ScorerResult[];
}

export interface ArmScore {
  scorer: string;
  /** The mean of the cases. */
  mean: number;
  /** The share of the answers that pass. */
  passRate: number;
}

export interface ArtifactCreated {
  artifactId: string;
  artifactKind: 'text' | 'image' | 'audio' | 'video' | 'json' | 'trace' | 'tool_log' | 'rubric_result';
  isPrimaryOutput: boolean;
}

export interface AssertionScore {
  /** The type of the assertion. */
  type: string;
  pass: boolean;
  score: number;
  reason: string;
}

export interface AuditEntry {
  id: string;
  /** Counts the entries of the account, without gaps. */
  sequence: number;
  /** The name of the action, such as token.created. */
  action: string;
  /** The credential that acted, and its account. */
  actor: Record<string, unknown>;
  /** The resource that was changed: {kind, id}. */
  target: Record<string, unknown> | null;
  /** More members, by action. */
  details: Record<string, unknown>;
  /** The id of the request. */
  requestId: string;
  occurredAt: string;
  /** In hexadecimal; covers the entry and all before it. Store the newest outside of the platform to detect changes. */
  hash: string;
}

export interface AuditFault {
  /** The sequence number of the first entry that is wrong. */
  sequence: number;
  /** The fault at that place. */
  fault: string;
}

export interface AuditQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Entries of this community, for its owners and admins. */
  communityId?: string | undefined;
}

export interface AuditVerification {
  /** Every hash covers its entry and the hash before it, and no entry is missing. */
  intact: boolean;
  /** The number of entries that were verified. */
  entries: number;
  /** The first fault; null for an intact log. */
  fault: AuditFault | null;
  /** The after of the next request when the log has more entries; null at its end and after a fault. */
  next: number | null;
}

export interface AuditVerificationQuery {
  /** The log of this community, for its owners and admins. */
  communityId?: string | undefined;
  /** The next of the reply before, to go on; the beginning when absent. */
  after?: number | undefined;
}

export interface AuthorRef {
  id: string;
  handle: string;
  displayName: string;
}

export interface Backfill {
  /** The runs in the range that were looked at, the newest first. */
  runs: number;
  /** The runs that wait for their evaluation now; others are outside of the filter or the share, or were evaluated before. */
  added: number;
  /** Earlier runs were not looked at: repeat the request with this as to. null when all were. */
  continueWith: string | null;
}

export interface BackfillRequest {
  /** Runs accepted at or after this time. */
  from: string;
  /** Runs accepted before this time; now when absent. */
  to?: string | undefined;
}

export interface BallotEntry {
  /** The id to vote with. It is valid for this caller alone. */
  contenderId: string;
  contentText: string;
}

export interface Battle {
  id: string;
  title: string;
  battleType:
    | 'ai_vs_ai'
    | 'human_vs_human_ai_votes'
    | 'human_vs_human_open_votes'
    | 'human_vs_ai'
    | 'workflow_battle'
    | 'lenser_battle';
  judgingMode: 'community_vote' | 'ai_judge' | 'rubric_score' | 'auto_score';
  status: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived';
  maxContenders: number;
  contenderCount: number;
  creatorId: string;
  createdAt: string;
  closedAt: string | null;
  taskPrompt: string;
  aiJudgeModelKey: string | null;
  rubric: RubricCriterion[] | null;
  /** For the creator, and for all once it is closed. */
  checks: BattleCheck[] | null;
  /** For the creator. */
  budgetCredits: number | null;
  contenders: Contender[];
  /** The texts that the caller may attribute to a contender. */
  submissions: Submission[];
  /** While voting, for callers who may vote: the texts without authors, in an order of their own. */
  ballot: BallotEntry[] | null;
  /** The number of votes counted so far. */
  votes: number;
  /** Empty until the battle is closed. */
  voteAggregates: VoteAggregate[];
  judging: Judging | null;
  /** Null until the battle is closed, and when first place is shared. */
  winner: string | null;
  /** Unusual facts about the battle in its present status. */
  warnings: string[];
}

export interface BattleCheck {
  kind: 'equals' | 'contains' | 'matches' | 'json_schema' | 'max_length' | 'similarity' | 'expression';
  /** The weight relative to the other checks. */
  weight?: number | undefined;
  /** A text for equals, contains, matches (a pattern), similarity (a reference) and expression; a number for max_length; a schema for json_schema. */
  value: unknown;
}

export interface BattleCompletedData {
  battleId: string;
  /** The contender; null when first place is shared. */
  winner: string | null;
  /** From 0 to 1, by contender: the score of the judging, or that of the votes without one. */
  scores: Record<string, unknown>;
}

export interface BattleHistoryQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** The lenser who created the battles or took part; the caller when left out. */
  lenserId?: string | undefined;
  status?: 'closed' | 'published' | 'archived' | undefined;
}

export interface BattleJudgingProgress {
  judged: number;
  /** The number of judgements that the judging consists of. */
  total: number;
}

export interface BattleListQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  status?: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived' | undefined;
  battleType?:
    | 'ai_vs_ai'
    | 'human_vs_human_ai_votes'
    | 'human_vs_human_open_votes'
    | 'human_vs_ai'
    | 'workflow_battle'
    | 'lenser_battle'
    | undefined;
  /** The creator. */
  creatorId?: string | undefined;
}

export interface BattlePatch {
  title?: string | undefined;
  /** The task of all contenders. */
  taskPrompt?: string | undefined;
  judgingMode?: 'community_vote' | 'ai_judge' | 'rubric_score' | 'auto_score' | undefined;
  maxContenders?: number | undefined;
  /** The key of the model that judges in the modes ai_judge and rubric_score. Without it the offline judge scores by measurable features. */
  aiJudgeModelKey?: string | null | undefined;
  /** The criteria of rubric_score; a default rubric when left out. */
  rubric?: RubricCriterion[] | undefined;
  /** The checks of auto_score. */
  checks?: BattleCheck[] | undefined;
  /** The most credits that all runs of the battle may cost together; no limit when null. */
  budgetCredits?: number | null | undefined;
}

export interface BattleScore {
  battleId: string;
  voteAggregates: VoteAggregate[];
  /** Until the battle is closed only those of contenders whose text the caller may see. */
  aiJudgeVerdicts: Verdict[];
  judging: Judging | null;
  winner: string | null;
}

export interface BattleStatusChanged {
  status: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived';
}

export interface BattleStatusReply {
  battleId: string;
  status: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived';
  warnings: string[];
}

export interface BattleStatusRequest {
  status: 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived';
  /** Must be true to close or archive. */
  confirm?: boolean | undefined;
}

export interface BattleSummary {
  id: string;
  title: string;
  battleType:
    | 'ai_vs_ai'
    | 'human_vs_human_ai_votes'
    | 'human_vs_human_open_votes'
    | 'human_vs_ai'
    | 'workflow_battle'
    | 'lenser_battle';
  judgingMode: 'community_vote' | 'ai_judge' | 'rubric_score' | 'auto_score';
  status: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived';
  maxContenders: number;
  contenderCount: number;
  creatorId: string;
  createdAt: string;
  closedAt: string | null;
}

export interface ByokKey {
  /** The id for byokKeyRefId of a run. */
  id: string;
  provider: 'openai' | 'anthropic' | 'google' | 'openai-compatible';
  /** The URL of your own endpoint. */
  baseUrl: string | null;
  /** The models of your own endpoint. */
  models: ByokModel[];
  label: string;
  /** The last four characters of the key. */
  last4: string;
  createdAt: string;
  rotatedAt: string | null;
  /** Updated at most once a minute. */
  lastUsedAt: string | null;
  /** The time at which it was destroyed. It cannot be opened since, and lists omit it. */
  revokedAt: string | null;
  /** The last test of the current secret. */
  test: ByokTest | null;
}

export interface ByokModel {
  /** The name of the model at the endpoint. */
  key: string;
  /** The maximum length of an answer, in tokens. */
  maxOutputTokens?: number | undefined;
}

export interface ByokTest {
  /** pending: no worker has called the provider yet. */
  status: 'pending' | 'passed' | 'failed';
  /** The message of the provider. */
  message: string | null;
  testedAt: string | null;
}

export interface CallOfTool {
  callId: string;
  /** The tool. */
  name: string;
  /** Its arguments; absent when their JSON is longer than 16,384 characters. */
  input?: unknown;
}

export interface CalledWebhookBody {
  /** The inputs of the workflow. Other members are ignored. */
  params: Record<string, unknown>;
}

export interface CaseDifference {
  key: string;
  change: 'added' | 'changed' | 'removed';
  /** The case in the earlier revision. */
  before: unknown;
  /** The case in the later one. */
  after: unknown;
}

export interface CasesFromReviews {
  /** A dataset of the caller. */
  datasetId: string;
  tags?: string[] | undefined;
  /** Puts <email>, <iban>, <card> and <phone> in the place of e-mail addresses, IBANs, card numbers and international phone numbers in all texts. Names and addresses stay. */
  mask?: boolean | undefined;
}

export interface CasesFromRuns {
  /** Runs of lenses and workflows of the caller. */
  runIds?: string[] | undefined;
  /** Runs by a filter when no runIds are given, such as failed ones or those with a low score. */
  filter?: RunSelection | undefined;
  /** Takes the output of each run as expected. */
  withOutput?: boolean | undefined;
  /** Puts <email>, <iban>, <card> and <phone> in the place of e-mail addresses, IBANs, card numbers and international phone numbers in all texts. Names and addresses stay. */
  mask?: boolean | undefined;
  tags?: string[] | undefined;
}

export interface CellQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Cells of this arm. */
  arm?: string | undefined;
  /** Cells of this case. */
  key?: string | undefined;
  /** failed: without a score, or with one that does not pass; worse, better: of cases whose mean score is below or above that of the baseline. */
  only?: 'failed' | 'worse' | 'better' | undefined;
  /** The scorer that `only` is about; any when absent. */
  scorer?: string | undefined;
}

export interface ClosedAccount {
  closed: boolean;
}

export interface Community {
  id: string;
  handle: string;
  displayName: string;
  description: string;
  joinPolicy: 'open' | 'invite';
  memberCount: number;
  /** The role of the caller; for members only. */
  role?: 'owner' | 'admin' | 'moderator' | 'member' | undefined;
  /** For members only. */
  createdAt?: string | undefined;
}

export interface CommunityPatch {
  displayName?: string | undefined;
  description?: string | undefined;
  joinPolicy?: 'open' | 'invite' | undefined;
}

export interface ConflictDetails {
  /** The current status of the resource. */
  status?: string | undefined;
  /** The time at which the approval was answered. */
  answeredAt?: string | null | undefined;
  /** The account that answered an approval. */
  answeredBy?: string | null | undefined;
}

export interface Connector {
  id: string;
  /** The account that it acts for: a person or a community. */
  accountId: string;
  name: string;
  scopes: (
    | 'lenses:read'
    | 'lenses:write'
    | 'agents:read'
    | 'agents:write'
    | 'workflows:read'
    | 'workflows:write'
    | 'threads:read'
    | 'threads:write'
    | 'community:read'
    | 'community:write'
    | 'connectors:read'
    | 'connectors:write'
    | 'tokens:read'
    | 'tokens:write'
  )[];
  createdAt: string;
  /** null after a revocation, until the next rotation. */
  token: ServiceTokenSummary | null;
}

export interface ConnectorQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Connectors of this community only. */
  communityId?: string | undefined;
}

export interface ConnectorWithToken {
  id: string;
  /** The account that it acts for: a person or a community. */
  accountId: string;
  name: string;
  scopes: (
    | 'lenses:read'
    | 'lenses:write'
    | 'agents:read'
    | 'agents:write'
    | 'workflows:read'
    | 'workflows:write'
    | 'threads:read'
    | 'threads:write'
    | 'community:read'
    | 'community:write'
    | 'connectors:read'
    | 'connectors:write'
    | 'tokens:read'
    | 'tokens:write'
  )[];
  createdAt: string;
  /** null after a revocation, until the next rotation. */
  token: ServiceTokenSummary | null;
  /** The service token. It is shown only now and not stored. */
  value: string;
}

export interface Contender {
  /** For a voter, until the battle is closed, an id that is valid for this voter alone. */
  id: string;
  /** A to Z. */
  slotLabel: string | null;
  displayName: string;
  contenderType: 'human' | 'ai_model' | 'ai_agent' | null;
  /** The profile of a human contender, or the AI lenser. */
  contenderRefId: string | null;
  /** For its owner and the creator, and for all once the battle is closed. */
  lensId: string | null;
  /** For its owner and the creator, and for all once the battle is closed. */
  workflowId: string | null;
  /** True once the answer of the contender has arrived. */
  submitted: boolean | null;
  /** Why its run gave no answer; for its owner and the creator. */
  answerError: string | null;
  /** The place, once the battle is closed. */
  rank: number | null;
}

export interface ContendersChanged {
  /** The number of contenders afterwards. */
  contenders: number;
}

export interface CountedPageQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface CovariateEffect {
  covariate: string;
  /** The change of log odds for one unit. */
  effect: number;
  interval: RatingInterval;
}

export interface CreatedInvite {
  id: string;
  role: 'admin' | 'moderator' | 'member';
  /** The account that created the invite. */
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
  /** The account that joined with the invite. */
  acceptedBy: string | null;
  acceptedAt: string | null;
  revokedAt: string | null;
  /** The value to join with, once. It is shown only now and not stored. */
  value: string;
}

export interface CreatedToken {
  id: string;
  kind: 'mcp' | 'developer' | 'organisation' | 'service';
  /** The account that it acts for: a person or a community. */
  accountId: string;
  /** The connector of a service token. */
  connectorId: string | null;
  label: string;
  scopes: (
    | 'lenses:read'
    | 'lenses:write'
    | 'agents:read'
    | 'agents:write'
    | 'workflows:read'
    | 'workflows:write'
    | 'threads:read'
    | 'threads:write'
    | 'community:read'
    | 'community:write'
    | 'connectors:read'
    | 'connectors:write'
    | 'tokens:read'
    | 'tokens:write'
  )[];
  /** The first characters of its value. */
  prefix: string;
  /** The maximum credits that runs started with it may cost; null: the balance of the account. */
  creditLimit: number | null;
  creditPeriod: 'month' | 'total';
  createdAt: string;
  expiresAt: string | null;
  /** Updated at most once a minute. */
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The token. It is shown only now and not stored. */
  value: string;
}

export interface CredentialSummary {
  id: string;
  kind: 'session' | 'anonymous' | 'mcp' | 'developer' | 'organisation' | 'service';
  scopes: (
    | 'lenses:read'
    | 'lenses:write'
    | 'agents:read'
    | 'agents:write'
    | 'workflows:read'
    | 'workflows:write'
    | 'threads:read'
    | 'threads:write'
    | 'community:read'
    | 'community:write'
    | 'connectors:read'
    | 'connectors:write'
    | 'tokens:read'
    | 'tokens:write'
  )[];
  /** The time at which the token or its session expires. */
  expiresAt: string | null;
}

export interface CreditDay {
  /** The day (UTC), such as 2026-11-24. */
  day: string;
  /** The cost of the runs that ended on it. */
  credits: number;
}

export interface CreditEntry {
  id: string;
  /** grant: given by the platform; hold: set aside for a run; capture: the cost of the run; release: the rest of the hold. */
  kind: 'grant' | 'hold' | 'capture' | 'release';
  amount: number;
  /** The run; null for a grant. */
  runId: string | null;
  note: string | null;
  createdAt: string;
}

export interface CreditForecast {
  /** Credits that can be spent. */
  available: number;
  /** The cost of the runs of these days. */
  spent: number;
  /** The mean of the days since the first with a cost. */
  perDay: number;
  /** The days that the available credits last at perDay; null without a cost. */
  daysLeft: number | null;
  /** The last 30 days, the oldest first; today is the last. */
  days: CreditDay[];
}

export interface Credits {
  /** Credits that can be spent. */
  available: number;
  /** Credits that are held for runs that have not ended. */
  held: number;
  /** The newest first. */
  entries: CreditEntry[];
  /** The cursor of the next, older entries; null when there are none. */
  nextCursor: string | null;
}

export interface CreditsMoved {
  amount: number;
}

export interface DatabaseStatus {
  version: string;
  /** The newest migration. */
  schema: number;
  bytes: number;
  connections: number;
  maxConnections: number;
}

export interface Dataset {
  id: string;
  /** Different from those of other datasets of the account. */
  name: string;
  description: string;
  /** The newest revision; 0 before the first case. */
  revision: number;
  /** The number of cases in it. */
  cases: number;
  createdAt: string;
  /** The time of its newest revision, or of another change. */
  updatedAt: string;
}

export interface DatasetCase {
  key: string;
  params: Record<string, unknown>;
  expected: unknown;
  metadata: Record<string, unknown> | null;
  tags: string[];
  assertions: Record<string, unknown>[];
  /** The revision that has added or changed it last. */
  since: number;
}

export interface DatasetCaseInput {
  /** Names the case within its dataset. */
  key: string;
  /** Values for the parameters of a lens, or the inputs of a workflow. */
  params: Record<string, unknown>;
  /** The answer as it should be: any JSON; null when there is none. */
  expected?: unknown;
  metadata?: Record<string, unknown> | null | undefined;
  /** Without blanks and commas. */
  tags?: string[] | undefined;
  /** Assertions about the answer to this case, beside those of the first scorer of an experiment. */
  assertions?: Record<string, unknown>[] | undefined;
}

export interface DatasetCaseQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** A revision; the newest when absent. */
  revision?: number | undefined;
  /** Cases with this tag. */
  tag?: string | undefined;
  /** A part of the key. */
  q?: string | undefined;
}

export interface DatasetCasesRequest {
  /** Cases that are added, or replace those with the same keys. */
  save?: DatasetCaseInput[] | undefined;
  /** Keys of cases that are removed. */
  remove?: string[] | undefined;
  /** The revision that the change was made from: refused with 409 when there is a newer one. */
  baseRevision?: number | undefined;
  /** For the list of revisions. */
  message?: string | undefined;
}

export interface DatasetChange {
  /** The revision with the change; the newest before when nothing changed. */
  revision: number;
  added: number;
  changed: number;
  removed: number;
  /** The number of cases in the revision. */
  cases: number;
}

export interface DatasetDiffQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** The earlier revision; the one before `to` when absent. */
  from?: number | undefined;
  /** The later revision; the newest when absent. */
  to?: number | undefined;
}

export interface DatasetExportQuery {
  /** openai-batch has a request to the API of OpenAI in each line: the prompt of a lens for each case. */
  format?: 'ndjson' | 'csv' | 'json' | 'promptfoo' | 'openai-batch' | undefined;
  /** The lens of the format openai-batch. */
  lensId?: string | undefined;
  /** A version or label of the lens; the one that callers get when absent. */
  version?: string | undefined;
  /** A revision; the newest when absent. */
  revision?: number | undefined;
}

export interface DatasetImport {
  format: 'ndjson' | 'csv' | 'json' | 'promptfoo';
  /** The file. */
  content: string;
  /** Removes the cases that the file does not have. */
  replace?: boolean | undefined;
  /** The revision that the change was made from: refused with 409 when there is a newer one. */
  baseRevision?: number | undefined;
  /** For the list of revisions. */
  message?: string | undefined;
}

export interface DatasetListQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** A part of the name. */
  q?: string | undefined;
}

export interface DatasetPatch {
  name?: string | undefined;
  description?: string | undefined;
}

export interface DatasetRemoved {
  datasetId: string;
  removed: boolean;
}

export interface DatasetRequest {
  name: string;
  description?: string | undefined;
  /** A lens of the caller: its saved cases become those of the dataset, with their answers as expected. */
  casesOfLens?: string | undefined;
}

export interface DatasetRevision {
  /** The revision with the change; the newest before when nothing changed. */
  revision: number;
  added: number;
  changed: number;
  removed: number;
  /** The number of cases in the revision. */
  cases: number;
  message: string | null;
  createdAt: string;
}

export interface EndedSessions {
  /** The number of sessions that were open and ended. */
  ended: number;
}

export interface EvaluationRule {
  id: string;
  name: string;
  lensId: string | null;
  workflowId: string | null;
  label: string | null;
  tag: string | null;
  /** The percentage of the runs that are evaluated. */
  share: number;
  scorers: RuleScorer[];
  creditsPerDay: number;
  /** The credits that its judges have cost since midnight UTC. */
  creditsToday: number;
  /** The runs that wait for their evaluation. */
  pending: number;
  enabled: boolean;
  authority: TriggerAuthority;
  /** The right that its creator lost. Nothing is started or sent until a take-over. */
  suspendedReason: 'creator_removed' | 'creator_demoted' | 'account_closed' | 'credential_revoked' | null;
  createdAt: string;
  updatedAt: string;
}

export interface EvaluationRuleCreate {
  /** Letters, digits, dots, dashes and underscores; unique in the account. */
  name: string;
  /** The lens whose runs are evaluated. */
  lensId?: string | undefined;
  /** The workflow whose runs are evaluated, when no lens is given. */
  workflowId?: string | undefined;
  /** Only runs for which this label decided about the version. */
  label?: string | undefined;
  /** Only runs with this tag. */
  tag?: string | undefined;
  /** The percentage of the runs that are evaluated, by a hash of their ids; 100 when absent. A larger one keeps the runs of a smaller one. */
  share?: number | undefined;
  /** Stored scorers of the kinds check, model and http, in the version that is the newest now or named. */
  scorers: ScorerReference[];
  /** The credits that judges may cost from midnight to midnight UTC; 1,000 when absent. After that, runs are skipped that need a judge. */
  creditsPerDay?: number | undefined;
}

export interface EvaluationRuleRemoved {
  ruleId: string;
  removed: boolean;
}

export interface EvaluationRuleUpdate {
  /** The percentage of the runs that are evaluated, by a hash of their ids; 100 when absent. A larger one keeps the runs of a smaller one. */
  share?: number | undefined;
  /** Stored scorers of the kinds check, model and http, in the version that is the newest now or named. */
  scorers?: ScorerReference[] | undefined;
  /** The credits that judges may cost from midnight to midnight UTC; 1,000 when absent. After that, runs are skipped that need a judge. */
  creditsPerDay?: number | undefined;
  /** false: no run is evaluated until it is true again. */
  enabled?: boolean | undefined;
}

export interface EvaluationRulesQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only rules of this lens. */
  lensId?: string | undefined;
  /** Only rules of this workflow. */
  workflowId?: string | undefined;
}

export interface ExecuteBattleRequest {
  /** The payer of the answers and the judging, as for runs. */
  fundingSource?: 'user_byok_cloud' | 'user_byok_local' | 'platform_credit' | 'sponsored' | undefined;
  /** The BYOK key, for the funding source user_byok_cloud. */
  byokKeyRefId?: string | undefined;
}

export interface ExecutedBattle {
  battleId: string;
  status: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived';
  /** The runs that write the missing answers. */
  runs: StartedAnswer[];
  warnings: string[];
}

export interface Experiment {
  id: string;
  name: string;
  /** incomplete: its budget or the credits of the account did not suffice for all cells, or its token was revoked. */
  status: 'running' | 'canceling' | 'completed' | 'incomplete' | 'canceled';
  /** Why it is incomplete. */
  reason: string | null;
  lensId: string | null;
  workflowId: string | null;
  datasetId: string;
  revision: number;
  /** Only cases with this tag. */
  tag: string | null;
  arms: ExperimentArm[];
  baseline: string | null;
  scorers: UsedScorer[];
  repetitions: number;
  cases: number;
  /** Cases × arms × repetitions. */
  cells: number;
  /** Cells with a score or an error. */
  cellsDone: number;
  budget: number | null;
  /** The cost of its ended runs, those of judges included. */
  credits: number;
  /** How calls of the runs to models, addresses and tools are answered. off: live. read: an earlier answer of the account to exactly this call costs nothing, any other is live. record: live, and kept in a recording. replay: from a recording alone, which costs nothing; a call that it does not have fails. */
  cache: 'off' | 'read' | 'record' | 'replay';
  /** The recording that it makes or replays. */
  recordingId: string | null;
  /** How models are asked for the answers. live: at once. batch: by the batch service of openai, anthropic or google, at half the price. */
  service: 'live' | 'batch';
  /** null for live answers. */
  batches: ExperimentBatches | null;
  /** The experiment whose answers it scores; null when its answers are its own. */
  answersOf: string | null;
  gate: ExperimentGate | null;
  /** null before the end, and without a gate. */
  outcome: GateOutcome | null;
  /** null before the end. */
  results: ArmResult[] | null;
  tags: string[];
  createdAt: string;
  completedAt: string | null;
}

export interface ExperimentAccepted {
  id: string;
}

export interface ExperimentArm {
  name: string;
  /** The version of the lens or workflow. */
  versionId: string;
  /** Its number. */
  version: string;
  /** True for a text that was not saved as a version before. */
  isCandidate: boolean;
  modelOverride: string | null;
}

export interface ExperimentArmItem {
  name: string;
  /** The version of the lens or workflow. */
  versionId: string;
  /** Its number. */
  version: string;
  /** True for a text that was not saved as a version before. */
  isCandidate: boolean;
  modelOverride: string | null;
  /** True for the arm that the others are compared with. */
  isBaseline: boolean;
  /** The result of the rules of the gate for this arm; null before the end, and without any. */
  gateResult: 'passed' | 'failed' | 'inconclusive' | null;
  /** Empty before the end. */
  scores: ArmScore[];
}

export interface ExperimentArmRequest {
  /** Unique in the experiment; the version when absent. */
  name?: string | undefined;
  /** The id, number or label of a version; the newest when absent. */
  version?: string | undefined;
  /** A text of the owner of the lens, in place of a version. It becomes a version that callers do not get unless they name it. */
  candidate?: LensCandidate | undefined;
  /** The model in place of that of the version. */
  modelOverride?: string | undefined;
  sampling?: Sampling | undefined;
}

export interface ExperimentBatches {
  /** Requests without an answer after so many seconds are sent live. */
  completeWithinSeconds: number;
  /** Requests that are collected for the next batch. */
  waiting: number;
  /** Requests in a batch. */
  sent: number;
  /** Answers of batches whose runs have not ended. */
  answered: number;
  /** Requests that are sent live, because they failed in a batch or took too long. */
  live: number;
}

export interface ExperimentCell {
  /** The key of the case. */
  key: string;
  /** The name of the arm. */
  arm: string;
  repetition: number;
  /** judging: answered, while a judge has not scored the answer yet. */
  state: 'waiting' | 'running' | 'judging' | 'scored' | 'failed';
  /** Its run; null when none could start. */
  runId: string | null;
  runStatus: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out' | null;
  /** The output; null without one. */
  output: string | null;
  /** Why there is no score. */
  error: string | null;
  scores: Score[];
  credits: number | null;
  latencyMs: number | null;
  /** The parameters or inputs of the case. */
  params: Record<string, unknown>;
  expected: unknown;
}

export interface ExperimentClone {
  /** new: each case is answered again. same: the answers are those of the other experiment, which has ended. */
  answers?: 'new' | 'same' | undefined;
  /** That of the other experiment when absent, like all members. */
  name?: string | undefined;
  /** With new answers: a revision of the dataset. */
  revision?: number | undefined;
  /** With new answers. */
  repetitions?: number | undefined;
  /** In place of all scorers of the other experiment, together with storedScorers. */
  scorers?: Scorer[] | undefined;
  storedScorers?: ScorerReference[] | undefined;
  /** null: no gate. */
  gate?: ExperimentGate | null | undefined;
  budget?: number | undefined;
}

export interface ExperimentCompletedData {
  experimentId: string;
  /** completed, incomplete or canceled */
  status: string;
  lensId: string | null;
  workflowId: string | null;
  /** The result of its gate: passed, failed or inconclusive; null without a gate. */
  gate: string | null;
  /** The mean score by arm and scorer. */
  scores: Record<string, unknown>;
}

export interface ExperimentDataset {
  id: string;
  /** A revision; the newest when absent. */
  revision?: number | undefined;
  /** Only cases with this tag. */
  tag?: string | undefined;
}

export interface ExperimentExportQuery {
  format?: 'ndjson' | 'csv' | 'junit' | 'promptfoo' | undefined;
}

export interface ExperimentGate {
  rules: GateRule[];
}

export interface ExperimentItem {
  id: string;
  name: string;
  status: 'running' | 'canceling' | 'completed' | 'incomplete' | 'canceled';
  lensId: string | null;
  workflowId: string | null;
  datasetId: string;
  cells: number;
  cellsDone: number;
  /** The result of its gate. */
  gateResult: 'passed' | 'failed' | 'inconclusive' | null;
  arms: ExperimentArmItem[];
  createdAt: string;
  completedAt: string | null;
}

export interface ExperimentProgress {
  /** Cells with a score or an error. */
  done: number;
  /** All cells. */
  of: number;
}

export interface ExperimentQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Experiments of this lens. */
  lensId?: string | undefined;
  /** Experiments of this workflow. */
  workflowId?: string | undefined;
  /** Experiments with this dataset. */
  datasetId?: string | undefined;
}

export interface ExperimentRemoved {
  experimentId: string;
  removed: boolean;
}

export interface ExperimentRequest {
  /** For the list of experiments. */
  name?: string | undefined;
  target: ExperimentTarget;
  arms: ExperimentArmRequest[];
  dataset: ExperimentDataset;
  /** Scorers of this experiment alone. */
  scorers?: Scorer[] | undefined;
  /** Stored scorers, which come after the others. Together there are 1 to 20. */
  storedScorers?: ScorerReference[] | undefined;
  /** How often each case is answered; 1 when absent. */
  repetitions?: number | undefined;
  /** The name of the arm that the others are compared with. */
  baseline?: string | undefined;
  /** The most credits that its runs may cost together, those of judges included. */
  budget?: number | undefined;
  /** The payer of the runs. */
  fundingSource?: 'user_byok_cloud' | 'user_byok_local' | 'platform_credit' | 'sponsored' | undefined;
  /** The BYOK key, with user_byok_cloud. */
  byokKeyRefId?: string | undefined;
  /** The most runs at a time; 25 when absent. */
  concurrency?: number | undefined;
  /** How calls of the runs to models, addresses and tools are answered. off: live. read: an earlier answer of the account to exactly this call costs nothing, any other is live. record: live, and kept in a recording. replay: from a recording alone, which costs nothing; a call that it does not have fails. */
  cache?: 'off' | 'read' | 'record' | 'replay' | undefined;
  /** The recording to replay, or to add to; with record a new one when absent. */
  recordingId?: string | undefined;
  /** With read: the age of answers in seconds; a day when absent. */
  maxAgeSeconds?: number | undefined;
  /** How models are asked for the answers. live: at once. batch: by the batch service of openai, anthropic or google, at half the price. */
  service?: 'live' | 'batch' | undefined;
  /** With batch: requests without an answer after so many seconds are sent live; a day when absent. */
  completeWithinSeconds?: number | undefined;
  gate?: ExperimentGate | undefined;
  /** Tags of its runs. */
  tags?: string[] | undefined;
}

export interface ExperimentResume {
  /** The new budget; the old one when absent. */
  budget?: number | undefined;
}

export interface ExperimentStatusChanged {
  status: 'running' | 'canceling' | 'completed' | 'incomplete' | 'canceled';
  /** Why it is incomplete. */
  reason: string | null;
  /** The result of its gate; null before its end and without a gate. */
  gate: 'passed' | 'failed' | 'inconclusive' | null;
}

export interface ExperimentTarget {
  /** A lens; or name a workflow. */
  lensId?: string | undefined;
  workflowId?: string | undefined;
}

export interface ExportedObject {
  type:
    | 'account'
    | 'community'
    | 'lens'
    | 'lens_version'
    | 'lens_case'
    | 'dataset'
    | 'dataset_case'
    | 'experiment'
    | 'scorer'
    | 'evaluation_rule'
    | 'review_queue'
    | 'review'
    | 'recording'
    | 'recorded_call'
    | 'experiment_cell'
    | 'workflow'
    | 'workflow_version'
    | 'run'
    | 'ai_lenser'
    | 'battle'
    | 'vote'
    | 'thread_message'
    | 'webhook_endpoint'
    | 'incoming_webhook'
    | 'mcp_server'
    | 'byok_key'
    | 'connector'
    | 'token'
    | 'credit_entry'
    | 'audit_entry';
  /** The object as the endpoints for its kind return it. */
  object: Record<string, unknown>;
}

export interface ExpressionFaultReply {
  code: string;
  message: string;
}

export interface ExpressionReply {
  /** The value; null when there is a fault. */
  value: unknown;
  /** Why the expression has no value. */
  fault: ExpressionFaultReply | null;
}

export interface ExpressionRequest {
  /** An expression as in the settings of nodes. */
  expression: string;
  /** A run of the workflow; its inputs and results are the values. */
  runId: string;
  /** The node whose edges give the values of input. */
  nodeId?: string | undefined;
}

export interface FailedRuns {
  /** Counted up to 100,000. */
  runs: number;
  /** The accounts of these runs. */
  accounts: number;
  /** The credits that were held for these runs; the retries hold about as many. */
  credits: number;
  /** The runs by error and model, at most 50 groups. */
  groups: FailedRunsGroup[];
}

export interface FailedRunsFilter {
  /** Runs accepted at or after this time, at most 24 hours before createdBefore. */
  createdAfter: string;
  /** Runs accepted before this time. */
  createdBefore: string;
  /** Runs of this account, by its id or handle. */
  account?: string | undefined;
  /** Runs that failed with this error code. */
  errorCode?: string | undefined;
  /** Runs whose model is of this provider. Workflows have no model. */
  provider?: string | undefined;
  /** Runs of this model, such as openai/gpt-5-mini. */
  model?: string | undefined;
  /** Runs of this lens. */
  lensId?: string | undefined;
  /** Runs of this workflow. */
  workflowId?: string | undefined;
}

export interface FailedRunsGroup {
  errorCode: string | null;
  /** null for workflows. */
  model: string | null;
  runs: number;
}

export interface FailedRunsRetried {
  /** The runs of this request. */
  matched: number;
  /** Of these, those with a new run. */
  retried: number;
  /** The runs that could not be retried, by error code. */
  refused: RetryRefusal[];
  /** before of the request for the rest; null when there is none. */
  next: string | null;
}

export interface FailedRunsRetryRequest {
  filter: FailedRunsFilter;
  /** The most runs of this request. */
  limit?: number | undefined;
  /** next of the previous reply; the first page when absent. */
  before?: string | undefined;
}

export interface FailureBound {
  /** At most this share of the runs may fail. */
  max?: number | undefined;
  /** It may fail at most by this share more often than the version that it replaces. */
  worseBy?: number | undefined;
}

export interface FeedbackKey {
  runId: string;
  /** The key for the member key of POST /v1/runs/{runId}/feedback. It is shown only now. */
  key: string;
  expiresAt: string;
}

export interface FeedbackReceived {
  received: boolean;
}

export interface FeedbackRequest {
  /** A key of POST /v1/runs/{runId}/feedback-key. */
  key: string;
  /** From 0 to 1; or give a thumb. */
  score?: number | undefined;
  /** up counts as 1, down as 0; or give a score. */
  thumb?: 'up' | 'down' | undefined;
  comment?: string | undefined;
}

export interface FitParameters {
  /** The weight of the prior on strengths and effects; there is none on the tie parameter. */
  ridge: number;
  /** Davidson's tie parameter; null when all votes are ties. */
  tie: number | null;
  iterations: number;
  converged: boolean;
  votes: number;
  bootstraps: number;
  /** The seed of the bootstraps. */
  seed: number;
}

export interface GateOutcome {
  result: 'passed' | 'failed' | 'inconclusive';
  rules: RuleResult[];
}

export interface GateRule {
  /** The scorer that min, noProvenLoss and provenNoWorse are about. */
  scorer?: string | undefined;
  /** The mean score must be at least this. */
  min?: number | undefined;
  /** Fails when the arm is worse than the baseline by more than the margin, beyond doubt. */
  noProvenLoss?: LossRule | undefined;
  /** Passes when the arm is not worse than the baseline by more than the margin, beyond doubt. */
  provenNoWorse?: NoWorseRule | undefined;
  /** No case that the baseline passes may fail. */
  noNewFailures?: boolean | undefined;
  /** The cases that noNewFailures is about; all when absent. */
  tags?: string[] | undefined;
  /** The credits of a case on average may be at most this. */
  maxCreditsPerCase?: number | undefined;
  /** The 95th percentile of the latency of runs may be at most this. */
  maxLatencyP95Ms?: number | undefined;
}

export interface GoogleSettings {
  /** The tokens for thinking before the answer, within the maximum of the answer. */
  thinkingTokens?: number | undefined;
  /** The level from which its safety filters block, in all categories. */
  safetyThreshold?: 'BLOCK_LOW_AND_ABOVE' | 'BLOCK_MEDIUM_AND_ABOVE' | 'BLOCK_ONLY_HIGH' | 'BLOCK_NONE' | undefined;
}

export interface GroupComparison {
  /** The share of failures of this group minus that of the reference. */
  difference: number;
  low: number;
  high: number;
  /** How its failures compare with those of the reference; too_few_runs: too few runs to say. */
  result: 'more' | 'fewer' | 'alike' | 'too_few_runs';
}

export interface GroupEventsQuery {
  /** The events of all present and future runs with this tag. */
  tag?: string | undefined;
  /** The events of all runs of this batch, until the last one has ended. */
  batchId?: string | undefined;
}

export interface GroupScore {
  /** The name of the score. */
  name: string;
  scores: number;
  /** Scores that could not be made; the mean leaves them out. */
  errors: number;
  mean: MeanEstimate;
  /** Against the same score of the reference. */
  comparison: ScoreComparison | null;
}

export interface HealthReport {
  status: 'ok' | 'degraded';
  db: boolean;
  uptime_s: number;
  version?: string | null | undefined;
  checked_at: string;
  /** The fault, when degraded. */
  reason?: string | undefined;
}

export interface HideMessageRequest {
  /** false shows the message again. */
  hidden?: boolean | undefined;
}

export interface IncomingWebhook {
  id: string;
  /** The account whose runs the calls start. */
  accountId: string;
  workflowId: string;
  name: string;
  /** The path to call, relative to the URL of the API. */
  path: string;
  enabled: boolean;
  /** The time until which the previous secret is valid. */
  previousSecretUntil: string | null;
  /** The rights of the runs that it starts. */
  authority: TriggerAuthority;
  /** The right that its creator lost. Nothing is started or sent until a take-over. */
  suspendedReason: 'creator_removed' | 'creator_demoted' | 'account_closed' | 'credential_revoked' | null;
  createdAt: string;
  updatedAt: string;
}

export interface IncomingWebhookCall {
  id: string;
  /** The status of the response: 202 for an accepted call. */
  status: number;
  /** The reason of a refusal. */
  reason: string | null;
  /** The method of authentication; null when it failed. */
  via: 'secret' | 'signature' | 'bearer' | null;
  runId: string | null;
  /** The Idempotency-Key or X-Webhook-Delivery-Id of the call. */
  deliveryKey: string | null;
  /** At most 16 KB, with secrets redacted; null for a call that was not authenticated. */
  body: string | null;
  /** The size of the body in bytes. */
  bodyBytes: number;
  /** The IP address of the caller. */
  address: string;
  requestId: string;
  receivedAt: string;
}

export interface IncomingWebhookQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Incoming webhooks that start this workflow. */
  workflowId?: string | undefined;
}

export interface IncomingWebhookWithSecret {
  id: string;
  /** The account whose runs the calls start. */
  accountId: string;
  workflowId: string;
  name: string;
  /** The path to call, relative to the URL of the API. */
  path: string;
  enabled: boolean;
  /** The time until which the previous secret is valid. */
  previousSecretUntil: string | null;
  /** The rights of the runs that it starts. */
  authority: TriggerAuthority;
  /** The right that its creator lost. Nothing is started or sent until a take-over. */
  suspendedReason: 'creator_removed' | 'creator_demoted' | 'account_closed' | 'credential_revoked' | null;
  createdAt: string;
  updatedAt: string;
  /** The secret that callers send or sign with. It is shown only now. */
  secret: string;
}

export interface InsufficientCreditsDetails {
  /** The limit that was reached: account, token, agent (the cap of an AI lenser), sponsorship (the pool), sponsorship_run or sponsorship_caller (its caps), sponsor (their account), run (maxCredits), or battle (its budgetCredits). */
  limitOf: string;
  /** The credits that the run needs as a hold. */
  needed?: number | undefined;
  limit?: number | undefined;
  period?: 'month' | 'total' | 'day' | undefined;
  spent?: number | undefined;
  held?: number | undefined;
  /** The credits that are left under the cap. */
  left?: number | undefined;
}

export interface InsufficientScopeDetails {
  /** Any one of these scopes is enough. */
  scopes: string[];
}

export interface InvalidRequestDetails {
  /** All faults that were found. */
  issues: RequestIssue[];
  /** Names of required parameters or inputs without a value. */
  missing?: string[] | undefined;
  /** The reason that the partner gave. */
  reason?: string | undefined;
}

export interface InvariantsStatus {
  /** Runs that were not ended a minute after their deadline or lease. */
  stuckRuns: number;
  /** Ended runs that still hold credits. */
  unsettledCredits: number;
  /** Of the latest 500 runs, those with gaps in their events. */
  eventGaps: number;
  /** Rows of the outbox that are a minute late. */
  staleOutbox: number;
}

export interface Invite {
  id: string;
  role: 'admin' | 'moderator' | 'member';
  /** The account that created the invite. */
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
  /** The account that joined with the invite. */
  acceptedBy: string | null;
  acceptedAt: string | null;
  revokedAt: string | null;
}

export interface ItemToReview {
  id: string;
  /** The parameters of the lens, or the inputs of the workflow. */
  params: Record<string, unknown>;
  output: string;
}

export interface JoinRequest {
  /** The value of an invite, when the community needs one. */
  invite?: string | undefined;
}

export interface JudgeAgreement {
  /** The name of the score. */
  name: string;
  /** The items with a score of both. */
  items: number;
  /** The share of items where both are at least 0.5, or both are lower. */
  sameVerdict: number | null;
  /** Krippendorff's alpha of the people's score and that of the judge. */
  alpha: number | null;
  /** The mean of judge minus people: above 0 it is too mild. */
  bias: number | null;
  /** The 20 greatest differences. */
  disagreements: JudgeDisagreement[];
}

export interface JudgeDisagreement {
  itemId: string;
  runId: string;
  people: number;
  judge: number;
  /** The reason of the judge. */
  reason: string | null;
}

export interface Judging {
  /** The run that judges; for the creator. */
  runId: string | null;
  /** The status of that run. */
  status: string | null;
  judged: number;
  total: number;
  /** The model, `offline` or `checks`; null before the first judgement. */
  judge: string | null;
  /** The SHA-256 hash of the prompt; null without a model. */
  promptHash: string | null;
}

export interface JudgingProgress {
  /** The number of judgements that are made. */
  judged: number;
  /** The number of judgements that the battle needs. */
  total: number;
}

export interface LabelArm {
  versionId: string;
  /** Its number. */
  version: string;
  /** The percentage of sticky keys that get it. */
  weight: number;
}

export interface LabelBounds {
  failures?: FailureBound | undefined;
  /** At most 5 % of the runs may take longer. */
  latencyMs?: number | undefined;
  /** At most 5 % of the runs may cost more. */
  credits?: number | undefined;
  score?: ScoreBound | undefined;
  /** It never returns after fewer runs, or for its scores after fewer scores; 100 when absent. */
  minRuns?: number | undefined;
}

export interface LabelEvidence {
  experimentId: string;
  datasetId: string;
  revision: number;
  /** The arm with the content of the version. */
  arm: string;
}

export interface LabelGate {
  /** The dataset of the experiment. */
  datasetId: string;
  /** How many revisions of the dataset may be newer than that of the experiment; 0 when absent. */
  maxRevisionsBehind?: number | undefined;
  /** Rules that its gate must have, as they stand here; any gate when absent. */
  rules?: GateRule[] | undefined;
}

export interface LabelProposal {
  id: string;
  lensId: string | null;
  workflowId: string | null;
  /** The title of the lens or workflow. */
  title: string | null;
  label: string;
  versionId: string;
  /** The number of the version. */
  version: string;
  /** The number of the version that the label has now. */
  before: string | null;
  arms: LabelArm[] | null;
  /** The protection that the label is to have; unchanged when absent. */
  protected?: boolean | undefined;
  /** Unchanged when absent. */
  rules?: LabelRules | null | undefined;
  /** Unchanged when absent. */
  bounds?: LabelBounds | null | undefined;
  /** It is to move although no gate was passed. */
  override: boolean;
  evidence: LabelEvidence | null;
  reason: string | null;
  /** The account of the person who proposed it, or who created the token. */
  proposedBy: string | null;
  /** The caller may approve or decline it. */
  canDecide: boolean;
  proposedAt: string;
  expiresAt: string;
  status: 'pending' | 'approved' | 'declined' | 'superseded' | 'expired';
  decidedBy: string | null;
  decidedAt: string | null;
  comment: string | null;
}

export interface LabelProposalDecision {
  decision: 'approve' | 'decline';
  comment?: string | undefined;
}

export interface LabelProposalsQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface LabelReturnRequest {
  /** Why it moves, for its history. */
  reason?: string | undefined;
}

export interface LabelReturned {
  versionId: string;
  /** Its number. */
  version: string;
  at: string;
  /** True when a bound was crossed. */
  automatic: boolean;
  reason: string | null;
}

export interface LabelReturnedData {
  lensId: string | null;
  workflowId: string | null;
  label: string;
  /** The number of the version that it left. */
  from: string;
  /** The number of the version that all its callers get again. */
  to: string;
  /** True when a bound of the label was crossed. */
  automatic: boolean;
  reason: string | null;
}

export interface LabelRules {
  /** An experiment with this very content must have passed its gate. */
  gate?: LabelGate | undefined;
  /** A move, and a change of the rules, waits until another person has approved it. */
  secondPerson?: SecondPerson | undefined;
}

export interface LeaderboardComponent {
  component: number;
  contenders: number;
  votes: number;
}

export interface LeaderboardEntry {
  /** The lens or workflow that wrote the answers; for contenders without one, the lenser. */
  contender: string;
  kind: 'lens' | 'workflow' | 'lenser';
  /** The display name in the newest published battle. */
  displayName: string;
  /** Contenders that votes connect; 1 is the largest. Compare within a component only. */
  component: number;
  /** The place in the component; equal strengths share it. */
  rank: number;
  /** The places that the 95 % intervals leave open. */
  ranks: RankRange;
  /** A contender that is stronger by d wins exp(d) times as often as it loses. */
  strength: number;
  /** The 95 % interval of the strength. */
  interval: RatingInterval;
  /** The strength on the scale of chess ratings. */
  elo: number;
  eloInterval: RatingInterval;
  /** The votes that compare this contender with another. */
  votes: number;
  /** Other contenders that votes placed below this one, once for each vote. */
  wins: number;
  ties: number;
  losses: number;
}

export interface LeaderboardFit {
  battleType:
    | 'ai_vs_ai'
    | 'human_vs_human_ai_votes'
    | 'human_vs_human_open_votes'
    | 'human_vs_ai'
    | 'workflow_battle'
    | 'lenser_battle';
  source: 'votes' | 'judges' | 'all';
  covariates: 'none' | 'style';
  fittedAt: string;
  contenders: number;
  fit: FitParameters;
  effects: CovariateEffect[];
  componentCount: number;
  /** The 100 largest. */
  components: LeaderboardComponent[];
  fragility: LeaderboardFragility;
}

export interface LeaderboardFitQuery {
  /** votes: votes of lensers; judges: the ranking by judge score of each battle, as one vote; all: both. */
  source?: 'votes' | 'judges' | 'all' | undefined;
  /** style: fits length and format of the answers with the strengths, which then compare equal style. */
  covariates?: 'none' | 'style' | undefined;
}

export interface LeaderboardFragility {
  /** First place of the largest component; several contenders when they share it. */
  first: string[];
  /** Removing this many votes is enough to change first place; null when no such removal was found. */
  votes: number | null;
  /** First place after the removal. */
  firstAfter: string[];
  /** The removed votes; at most 100 kinds of them. */
  removed: RemovedVotes[];
  /** The meaning of these numbers. */
  statement: string;
}

export interface LeaderboardQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** votes: votes of lensers; judges: the ranking by judge score of each battle, as one vote; all: both. */
  source?: 'votes' | 'judges' | 'all' | undefined;
  /** style: fits length and format of the answers with the strengths, which then compare equal style. */
  covariates?: 'none' | 'style' | undefined;
}

export interface LensBatchAccepted {
  /** The batch of the runs that this request started; runs of repeated items keep their earlier batch. */
  batchId: string;
  /** The items, in the order of the request. */
  items: LensBatchItem[];
}

export interface LensBatchFault {
  code: string;
  message: string;
  details?: Record<string, unknown> | undefined;
}

export interface LensBatchItem {
  runId?: string | undefined;
  status?: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out' | undefined;
  /** The fault of an item without a run. */
  error?: LensBatchFault | undefined;
}

export interface LensBatchRequest {
  /** Items like the body of an execution, each with its own idempotencyKey. A fault of one item does not affect the others. */
  items: Record<string, unknown>[];
}

export interface LensCandidate {
  /** The template; or give messages. */
  templateBody?: string | undefined;
  messages?: LensMessage[] | undefined;
  /** The settings of the newest version when absent. */
  settings?: LensSettings | null | undefined;
}

export interface LensCandidateSaved {
  id: string;
  semver: string;
  /** False for the content of the newest version, which is saved already. */
  isCandidate: boolean;
}

export interface LensCase {
  id: string;
  name: string;
  params: Record<string, unknown>;
  reference: string | null;
  updatedAt: string;
}

export interface LensCaseRemoved {
  caseId: string;
  removed: boolean;
}

export interface LensCaseRequest {
  /** A case with this name is replaced. */
  name: string;
  /** Values for the parameters of the lens by their labels; up to 100,000 characters of JSON. */
  params: Record<string, unknown>;
  /** An answer to compare others with. */
  reference?: string | null | undefined;
}

export interface LensDeleted {
  deleted: boolean;
  lensId: string;
}

export interface LensDiff {
  lensId: string;
  from: LensVersionRef;
  to: LensVersionRef;
  params: LensParamsDiff;
  /** Settings that changed, by name. */
  settings: LensSettingChange[];
  bump: 'major' | 'minor' | 'patch' | 'none';
  lines: LensDiffLine[];
}

export interface LensDiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

export interface LensDiffQuery {
  /** The id, the number or a label of a version. */
  from: string;
  /** The newest version when absent. */
  to?: string | undefined;
}

export interface LensDraft {
  /** The template as it is, also a short or a faulty one. */
  templateBody: string;
  /** All settings; null for none. */
  settings: LensSettings | null;
  /** The changelog of the next version. */
  changelog: string;
  /** The version that is changed. */
  baseVersionId: string;
  updatedAt: string;
}

export interface LensDraftQuery {
  /** updatedAt of the draft that was read before. Another one by then stays, and is the reply. */
  continues?: string | undefined;
}

export interface LensDraftReply {
  /** null without a draft. */
  draft: LensDraft | null;
}

export interface LensDraftRequest {
  /** The template as it is, also a short or a faulty one. */
  templateBody: string;
  /** All settings; null for none. */
  settings: LensSettings | null;
  /** The changelog of the next version. */
  changelog?: string | undefined;
  /** The version that is changed. */
  baseVersionId: string;
  /** updatedAt of the draft that was read before, or null if there was none. Another one by then answers 409; without it, none does. */
  continues?: string | null | undefined;
}

export interface LensExample {
  /** Values for the parameters of the lens by their labels. */
  params: Record<string, unknown>;
  /** The answer to them as it should be. */
  answer: string;
}

export interface LensExecuteRequest {
  /** Of your runs of this lens or workflow with the same key, one executes at a time. */
  concurrencyKey?: string | undefined;
  /** When another run with the key has not ended: queue (default) waits for it, cancel-in-progress cancels it and the waiting ones, cancel-newest cancels this run. */
  concurrencyStrategy?: 'queue' | 'cancel-in-progress' | 'cancel-newest' | undefined;
  /** Tags to find and follow runs by. */
  tags?: string[] | undefined;
  /** Decides which arm of a label the run gets, for example the id of a user of yours: the same key always gets the same arm. Your account when absent. */
  stickyKey?: string | undefined;
  /** Your own notes, at most 8 KB as JSON. */
  metadata?: Record<string, unknown> | undefined;
  /** The priority among the waiting runs of your account; each point counts as one minute of waiting. 0 when absent. */
  priority?: number | undefined;
  /** The earliest start, at most 30 days ahead. */
  startAt?: string | undefined;
  /** Seconds until the earliest start. */
  delaySeconds?: number | undefined;
  /** How long the run may wait for its start after it is due, before it ends as timed_out. */
  expiresInSeconds?: number | undefined;
  /** How long the run may execute before it ends as timed_out; at most the limit of the platform. */
  timeoutSeconds?: number | undefined;
  /** The maximum cost in credits; the run is refused when its estimate is higher. */
  maxCredits?: number | undefined;
  /** Inputs passed to the template of the lens. */
  params: Record<string, unknown>;
  /** The model to use instead of the default. */
  modelOverride?: string | undefined;
  /** The provider to use instead of the default. */
  providerOverride?: string | undefined;
  /** The source of the credits or key that pays for the run. */
  fundingSource?: 'user_byok_cloud' | 'user_byok_local' | 'platform_credit' | 'sponsored' | undefined;
  /** Required when fundingSource is user_byok_cloud. */
  byokKeyRefId?: string | undefined;
  /** A repeated request with the same key within 24 hours returns the same run. */
  idempotencyKey?: string | undefined;
  /** The id, number or label of a version; the newest when absent. */
  version?: string | undefined;
  /** A JSON Schema that the answer must match; for models with the capability json. */
  outputSchema?: Record<string, unknown> | undefined;
  sampling?: Sampling | undefined;
}

export interface LensFile {
  format: 'lensforge.lens';
  formatVersion: number;
  title: string;
  description?: string | undefined;
  visibility?: 'public' | 'community' | 'private' | undefined;
  status?: 'draft' | 'published' | 'archived' | undefined;
  tags?: string[] | undefined;
  /** The oldest first. */
  versions: LensFileVersion[];
  labels?: LensFileLabel[] | undefined;
  /** The label for callers that name no version. */
  defaultLabel?: string | null | undefined;
}

export interface LensFileInclude {
  /** The tag in the text, such as > alice/tone@production. */
  tag: string;
  /** The version that it stood for when the text was saved. */
  semver: string;
  /** The text of that version. */
  text: string;
}

export interface LensFileLabel {
  label: string;
  semver: string;
}

export interface LensFileVersion {
  semver: string;
  templateBody: string;
  params: LensParamInput[];
  settings?: LensSettings | null | undefined;
  includes?: LensFileInclude[] | null | undefined;
  changelog?: string | undefined;
  createdAt: string;
}

export interface LensForkRequest {
  /** "Fork of" and the id of the source when absent. */
  title?: string | undefined;
  /** The newest text of the source when absent. */
  templateBody?: string | undefined;
  /** private, when absent: only the owner can see it. */
  visibility?: 'public' | 'community' | 'private' | undefined;
}

export interface LensInclude {
  /** The tag in the text, such as > alice/tone@production. */
  tag: string;
  /** The version that it stood for when the text was saved. */
  semver: string;
  /** The text of that version. */
  text: string;
  /** null in an imported lens. */
  lensId: string | null;
  /** null in an imported lens. */
  versionId: string | null;
}

export interface LensItem {
  id: string;
  title: string;
  description: string;
  author: AuthorRef;
  createdAt: string;
  updatedAt: string;
  visibility: 'public' | 'community' | 'private';
  status: 'draft' | 'published' | 'archived';
  /** The newest version. In lists, and for others than the owner, the version of the default label. */
  headVersion: LensVersionRef;
  params: LensParameter[];
  tags: string[];
}

export interface LensLabelMove {
  id: string;
  label: string;
  /** return: it went back to the version before. */
  kind: 'set' | 'return' | 'remove';
  /** The arms after the move. */
  arms: LabelArm[] | null;
  /** The arms before the move. */
  armsBefore: LabelArm[] | null;
  reason: string | null;
  /** The experiment whose gate the version had passed. */
  evidence: LabelEvidence | null;
  /** It moved against its rules. */
  overridden: boolean;
  /** The account of the second person who approved it. */
  approvedBy: string | null;
  /** The kind of the credential that moved it. */
  credential: 'session' | 'mcp' | 'developer' | 'organisation' | 'service' | 'service_role';
  movedAt: string;
  /** null when the label was removed. */
  version: LensVersionRef | null;
  /** The version before the move; null for a new label. */
  before: LensVersionRef | null;
}

export interface LensLabelPlace {
  label: string;
  versionId: string;
  /** Versions that a part of the callers get instead; null without any. */
  arms: LabelArm[] | null;
  /** Only a person who is signed in can move or remove it. */
  protected: boolean;
  /** The conditions of its moves. */
  rules: LabelRules | null;
  /** When it returns by itself; null: never. */
  bounds: LabelBounds | null;
  /** The version that it returned from, until it is set again. */
  returned: LabelReturned | null;
  /** The proposal for its next move, which waits for a second person. */
  proposalId: string | null;
  updatedAt: string;
  semver: string;
}

export interface LensLabelRemoved {
  lensId: string;
  label: string;
  removed: boolean;
}

export interface LensLabelRequest {
  /** The id, the number or another label of the version to point at. */
  version: string;
  /** Versions that a part of the callers get instead, chosen by the sticky key of a run. When absent they stay if the version does; null: none. */
  arms?: WantedArm[] | null | undefined;
  /** Only a person who is signed in can move or remove a protected label. A new label is not protected; unchanged when absent. */
  protected?: boolean | undefined;
  /** Why it moves, for its history. */
  reason?: string | undefined;
  /** Conditions of its moves, which only a person who is signed in sets and removes; unchanged when absent. null: none. */
  rules?: LabelRules | null | undefined;
  /** When it returns by itself to the version before, by the runs of your account. For a label that is protected or has rules, a person who is signed in sets them; unchanged when absent. null: never. */
  bounds?: LabelBounds | null | undefined;
  /** The experiment whose gate the version has passed; the newest that fits when absent. */
  experimentId?: string | undefined;
  /** Moves it against its rules: for a person who is signed in, with a reason. */
  override?: boolean | undefined;
}

export interface LensMessage {
  role: 'system' | 'user' | 'assistant';
  /** A template; [[history]] alone stands for earlier messages that a request gives as params.history. */
  text: string;
  /** Images of a message of the user, the same in each request. */
  parts?: LensMessagePart[] | undefined;
}

export interface LensMessagePart {
  image: MessageImage;
}

export interface LensParamInput {
  label: string;
  optional: boolean;
}

export interface LensParamType {
  /** The name of a parameter of the template. */
  label: string;
  type: 'text' | 'number' | 'boolean' | 'enum' | 'json' | 'list' | 'image';
  /** For those who fill it in. */
  description?: string | undefined;
  /** The value of a request without one; the parameter is optional then. */
  default?: unknown;
  /** A value as it could be. */
  example?: unknown;
  /** The values of an enum. */
  values?: string[] | undefined;
  /** The least number, characters of a text or items of a list. */
  min?: number | undefined;
  /** The most of them. */
  max?: number | undefined;
}

export interface LensParameter {
  /** The same in all versions that have a parameter with this label. */
  id: string;
  label: string;
  optional: boolean;
}

export interface LensParamsDiff {
  added: LensParamInput[];
  removed: LensParamInput[];
  /** Parameters that became optional or required. */
  changed: LensParamInput[];
}

export interface LensPatch {
  title?: string | undefined;
  description?: string | undefined;
  /** A different text creates a new version. */
  templateBody?: string | undefined;
  /** Instead of templateBody: the parts of a conversation, each with a role. */
  messages?: LensMessage[] | undefined;
  visibility?: 'public' | 'community' | 'private' | undefined;
  tags?: string[] | undefined;
  /** Must match the template; optional. */
  params?: LensParamInput[] | undefined;
  /** All settings; different ones create a new version. null removes them. */
  settings?: LensSettings | null | undefined;
  /** The changelog of the new version; a list of the changed parameters when absent. */
  changelog?: string | undefined;
  /** The version on which the template was made. A newer version answers 409; without it, none does. */
  baseVersionId?: string | undefined;
  /** A label of the lens: callers that name no version get its version instead of the newest one. null ends that. */
  defaultLabel?: string | null | undefined;
}

export interface LensPublishedData {
  lensId: string;
  version: string;
}

export interface LensQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Full-text search in title, tags, description and newest text, by rank. Supports -word, "a phrase" and or. Ranks and counts the first 1,000 matches. */
  q?: string | undefined;
  visibility?: 'public' | 'community' | 'private' | undefined;
  /** Archived lenses are omitted when it is absent. */
  status?: 'draft' | 'published' | 'archived' | undefined;
  /** Lenses of this account. */
  author?: string | undefined;
  /** Lenses of this community. */
  community?: string | undefined;
  /** Lenses with this tag; ranks and counts the first 1,000. */
  tag?: string | undefined;
  /** newest when absent, or by rank with q. */
  sort?: 'newest' | 'popular' | undefined;
}

export interface LensRecord {
  id: string;
  title: string;
  description: string;
  author: AuthorRef;
  createdAt: string;
  updatedAt: string;
  visibility: 'public' | 'community' | 'private';
  status: 'draft' | 'published' | 'archived';
  /** The newest version. In lists, and for others than the owner, the version of the default label. */
  headVersion: LensVersionRef;
  params: LensParameter[];
  tags: string[];
  /** The value of the newest version. */
  templateBody: string;
  /** The value of the newest version. */
  changelog: string;
  /** The lens that this one was forked from, if you can see it. */
  parentLensId: string | null;
  /** The parts of templateBody; null when it is one text. */
  messages: LensMessage[] | null;
  /** The model, its sampling and the schema of its answers; null when the lens leaves them to requests. */
  settings: LensSettings | null;
  /** The lenses whose texts it includes; null without any. */
  includes: LensInclude[] | null;
  labels: LensLabelPlace[];
  /** Callers that name no version get the one of this label; the newest when null. */
  defaultLabel: string | null;
  /** The version that callers get that name none. */
  servedVersion: LensVersionRef;
  /** Advice about the newest version, such as a parameter that keeps providers from caching. */
  warnings: string[];
}

export interface LensSettingChange {
  /** The path of the setting, such as sampling.temperature. */
  name: string;
  /** The value before; null when it was not set. */
  before: unknown;
  /** The value after; null when it is no longer set. */
  after: unknown;
}

export interface LensSettings {
  /** Models as provider/key, in order: the first that can be used answers, and the next ones when it fails. With one model, its own fallbacks follow. */
  models?: string[] | undefined;
  sampling?: Sampling | undefined;
  /** A JSON Schema that answers must match. */
  outputSchema?: Record<string, unknown> | undefined;
  /** Tools of the model. A run that calls one with an inputSchema waits for POST /v1/runs/{runId}/tool-results; the platform performs the others. */
  tools?: LensTool[] | undefined;
  /** The handle of the AI lenser, of the owner of the lens, by whose grants and policy the platform performs tools. Only its owner can run the lens then. */
  toolsOf?: string | undefined;
  /** Settings of single providers. */
  providers?: ProviderSettings | undefined;
  /** Types of parameters. A parameter without one takes any value. */
  params?: LensParamType[] | undefined;
  /** Examples that models get before each request, as a message of the user and its answer. */
  examples?: LensExample[] | undefined;
  /** The parts that a request may replace although the lens sets them. It may always give those that the lens does not set. */
  mayOverride?: ('model' | 'sampling' | 'outputSchema')[] | undefined;
}

export interface LensStateReply {
  lensId: string;
  status: 'draft' | 'published' | 'archived';
}

export interface LensTool {
  /** With inputSchema, a name of at most 64 letters, digits, - and _. Without it, a tool as it is granted to AI lensers: a name of the catalogue, mcp:<connector>/<tool>, mcp:<connector> for all of them, or agent:<handle>. */
  name: string;
  /** Tells the model its effect and when to use it. */
  description?: string | undefined;
  /** A JSON Schema of the arguments, of the type object, for a tool of callers. */
  inputSchema?: Record<string, unknown> | undefined;
}

export interface LensVersionItem {
  id: string;
  semver: string;
  changelog: string;
  createdAt: string;
}

export interface LensVersionRecord {
  id: string;
  semver: string;
  changelog: string;
  createdAt: string;
  lensId: string;
  templateBody: string;
  /** The parts of templateBody; null when it is one text. */
  messages: LensMessage[] | null;
  params: LensParameter[];
  /** The model, its sampling and the schema of its answers; null when the lens leaves them to requests. */
  settings: LensSettings | null;
  /** The lenses whose texts it includes; null without any. */
  includes: LensInclude[] | null;
}

export interface LensVersionRef {
  id: string;
  semver: string;
}

export interface LensVersionsQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface LocalRun {
  runId: string;
  lease: LocalRunLease;
  /** The sequence number of the last event; send it as `after` with the next call. */
  sequence: number;
  /** The lens with its parameters filled in. */
  prompt: string;
  /** The parts of the prompt with their roles, for a lens with messages; null when the prompt is one text. */
  messages: RunMessage[] | null;
  /** The requested model; a runner may use another one. */
  model: LocalRunModel;
  /** The maximum length of the answer, in tokens. */
  maxOutputTokens: number;
  /** The requested choice of words; a runner uses the members that its server knows. */
  sampling: Sampling;
  /** The requested temperature, or null. */
  temperature: unknown;
  /** The JSON Schema that the answer must match, or null. */
  outputSchema: unknown;
  /** Milliseconds until the run times out. */
  msToDeadline: number;
}

export interface LocalRunClaimRequest {
  /** The name of the runner. */
  runner?: string | undefined;
  /** Seconds to wait for a run when there is none. */
  waitSeconds?: number | undefined;
}

export interface LocalRunClaimed {
  /** null when no run is waiting. */
  run: LocalRun | null;
}

export interface LocalRunEventsRequest {
  /** The lease token of the claim. */
  leaseToken: number;
  /** The sequence number of the previous reply, so that a repeated call adds nothing. */
  after: number;
  /** Parts of the answer, in order. An empty list only extends the lease. */
  deltas?: string[] | undefined;
  /** Log messages of the runner. */
  log?: string[] | undefined;
}

export interface LocalRunFinishRequest {
  /** The lease token of the claim. */
  leaseToken: number;
  /** canceled is valid only after a reply with cancel true. */
  outcome: 'succeeded' | 'failed' | 'canceled';
  /** The whole answer, for the outcome succeeded. */
  text?: string | undefined;
  /** The fault, for the outcome failed. */
  error?: string | undefined;
  /** The tokens of prompt and answer, if known. */
  usage?: LocalRunUsage | undefined;
}

export interface LocalRunFinished {
  runId: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out';
}

export interface LocalRunLease {
  /** The token to send with every call for the run; a later claim has another one. */
  token: number;
  /** The run is queued again when the runner sends no call for this time. */
  ms: number;
}

export interface LocalRunModel {
  provider: string;
  key: string;
}

export interface LocalRunProgress {
  /** true: stop, and finish the run with the outcome canceled. */
  cancelRequested: boolean;
  sequence: number;
  leaseMs: number;
}

export interface LocalRunUsage {
  input: number;
  output: number;
}

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  members?: Record<string, unknown> | undefined;
}

export interface LoggedVote {
  battle: string;
  contenders: string[];
  /** The places from best to worst; ids that share a place are a tie. Contenders left out are below them. */
  ranking: string[][];
  /** The day of the vote, in UTC. */
  at: string;
  /** With covariates=style: length and format of each contender. */
  covariates?: Record<string, unknown> | undefined;
}

export interface LossRule {
  /** A loss up to this does not count; 0.02 when absent. */
  margin?: number | undefined;
  /** How certain the answer must be; 0.95 when absent. */
  confidence?: number | undefined;
  /** The loss that the cases must be enough to find in 80 of 100 experiments; 0.1 when absent. */
  find?: number | undefined;
}

export interface McpAuth {
  kind: 'none' | 'header' | 'oauth';
  headerName?: string | undefined;
  /** authorization_code: the owner gave consent in a browser. */
  grantType?: 'client_credentials' | 'refresh_token' | 'authorization_code' | undefined;
  clientId?: string | undefined;
  tokenUrl?: string | undefined;
  scope?: string | undefined;
}

export interface McpAuthRequest {
  /** header: a header with each request, such as authorization; oauth: OAuth 2.1. */
  kind: 'none' | 'header' | 'oauth';
  /** For header: its name. */
  headerName?: string | undefined;
  /** For header: its value, such as "Bearer …". It is sealed before it is stored, and never shown again. */
  headerValue?: string | undefined;
  /** For oauth: how access tokens are obtained. */
  grantType?: 'client_credentials' | 'refresh_token' | undefined;
  /** For oauth: the id of the client. */
  clientId?: string | undefined;
  /** For oauth: its secret. It is sealed before it is stored, and never shown again. */
  clientSecret?: string | undefined;
  /** For refresh_token: a token. It is sealed before it is stored, and never shown again. */
  refreshToken?: string | undefined;
  /** For oauth: the token endpoint; found by the metadata of the server when absent. */
  tokenUrl?: string | undefined;
  /** For oauth: the scopes, with spaces between them. */
  scope?: string | undefined;
}

export interface McpAuthorization {
  /** preparing: a worker reads the metadata; waiting: open authorizationUrl; exchanging: a worker requests the tokens. */
  status: 'preparing' | 'waiting' | 'exchanging' | 'authorized' | 'failed';
  /** Why it failed, and what to do. */
  message: string | null;
  /** The address to open in a browser, while it waits for that. */
  authorizationUrl: string | null;
  /** When it fails unless it was finished. */
  expiresAt: string;
}

export interface McpAuthorizationAnswer {
  /** The state with which the browser returned. */
  state: string;
  /** The code with which the browser returned. */
  code: string;
  /** The iss with which the browser returned, if any (RFC 9207). */
  iss?: string | undefined;
}

export interface McpAuthorizationServer {
  /** The issuer of its metadata. */
  issuer: string;
  /** Its token endpoint. */
  tokenUrl: string;
  /** The one that the server names now: it is suspended until its owner confirms one of both. */
  changedTo: McpIssuer | null;
}

export interface McpIssuer {
  /** The issuer of its metadata. */
  issuer: string;
  /** Its token endpoint. */
  tokenUrl: string;
}

export interface McpRefresh {
  /** pending: no worker has read the list of tools yet. */
  status: 'pending' | 'succeeded' | 'failed';
  /** The result of the last reading, or the cause of its failure. */
  message: string | null;
  /** When the list was read last. */
  refreshedAt: string | null;
}

export interface McpServer {
  id: string;
  name: string;
  /** The address of the server (streamable HTTP). */
  url: string;
  auth: McpAuth;
  /** The tools that may be granted; all tools of the server when null. */
  allowedTools: string[] | null;
  enabled: boolean;
  /** The number of tools in its list. */
  toolCount: number;
  /** The protocol revision of the last refresh. */
  protocolVersion: string | null;
  /** The last refresh of its list of tools. */
  refresh: McpRefresh | null;
  /** The last authorization in a browser. */
  authorization: McpAuthorization | null;
  /** Found by the metadata of the server at its first token; null before, and when auth has a tokenUrl. */
  authorizationServer: McpAuthorizationServer | null;
  createdAt: string;
  updatedAt: string;
}

export interface McpServerPatch {
  /** Replaces the credentials. */
  auth?: McpAuthRequest | undefined;
  /** The tools that may be granted; all tools of the server when null. */
  allowedTools?: string[] | null | undefined;
  /** False: no AI lenser can use its tools. */
  enabled?: boolean | undefined;
}

export interface McpTool {
  /** The name for grants: mcp:<connector>/<tool>. */
  toolId: string;
  name: string;
  title: string | null;
  description: string;
  /** The JSON Schema of its arguments. */
  inputSchema: Record<string, unknown>;
  /** The effects that the server declares, such as readOnlyHint. */
  annotations: Record<string, unknown>;
  /** True when the server says that a repeated call has no further effect. */
  idempotent: boolean;
  /** False when allowedTools of the server lacks it. */
  allowed: boolean;
  /** SHA-256 of its description, schemas and annotations; a grant holds for this digest. */
  digest: string;
  /** When its digest last changed. */
  changedAt: string;
}

export interface Me {
  /** The person behind the credential, if any. */
  userId: string | null;
  /** The e-mail address of the person; for session tokens only. */
  email?: string | undefined;
  /** null until a handle is chosen. */
  account: AccountSummary | null;
  credential: CredentialSummary;
  /** The budget of a token with a credit limit. */
  budget?: TokenBudget | undefined;
  /** true for operators of the installation; absent for others. */
  operator?: boolean | undefined;
  /** The newest 100, for credentials with community:read; /v1/communities lists all. */
  memberships?: MembershipSummary[] | undefined;
}

export interface MePatch {
  displayName?: string | undefined;
  description?: string | undefined;
}

export interface MeanEstimate {
  mean: number;
  low: number;
  high: number;
}

export interface MeanScore {
  mean: number;
  low: number;
  high: number;
}

export interface Member {
  accountId: string;
  handle: string;
  displayName: string;
  role: 'owner' | 'admin' | 'moderator' | 'member';
  joinedAt: string;
}

export interface MemberJoinedData {
  userId: string;
  workspaceId: string;
}

export interface MemberPatch {
  role: 'owner' | 'admin' | 'moderator' | 'member';
}

export interface MembershipSummary {
  communityId: string;
  handle: string;
  displayName: string;
  role: 'owner' | 'admin' | 'moderator' | 'member';
}

export interface Message {
  id: string;
  threadId: string;
  /** The place in the thread, from 1 without gaps. */
  position: number;
  /** The message that this one replies to. */
  parentId: string | null;
  author: MessageAuthor;
  status: 'visible' | 'hidden' | 'deleted';
  /** Markdown as it was sent: untrusted input. Null when deleted, or hidden from the caller. */
  text: string | null;
  /** Counts the texts of the message. */
  version: number;
  /** The lensers whose handles the text mentions. */
  mentions: MessageAuthor[];
  createdAt: string;
  editedAt: string | null;
}

export interface MessageAnswer {
  /** The AI lenser that was mentioned. */
  agent: MessageAuthor;
  /** declined: the AI lenser may not answer here, or the thread was closed meanwhile. */
  status: 'waiting' | 'running' | 'answered' | 'failed' | 'declined';
  /** The message with the answer. */
  messageId: string | null;
  /** The run, for the owner of the AI lenser. */
  runId: string | null;
  /** Why there is no answer, for the owner of the AI lenser. */
  reason: string | null;
}

export interface MessageAuthor {
  id: string;
  handle: string;
  displayName: string;
  kind: 'human' | 'ai' | 'community';
}

export interface MessageChanged {
  /** The message as it is when the event is sent; hidden and deleted texts are null for all readers. */
  message: Message;
}

export interface MessageDetail {
  id: string;
  threadId: string;
  /** The place in the thread, from 1 without gaps. */
  position: number;
  /** The message that this one replies to. */
  parentId: string | null;
  author: MessageAuthor;
  status: 'visible' | 'hidden' | 'deleted';
  /** Markdown as it was sent: untrusted input. Null when deleted, or hidden from the caller. */
  text: string | null;
  /** Counts the texts of the message. */
  version: number;
  /** The lensers whose handles the text mentions. */
  mentions: MessageAuthor[];
  createdAt: string;
  editedAt: string | null;
  /** Earlier texts, the oldest first; empty when text is null. */
  history: MessageVersion[];
  /** The answers to mentions of AI lensers. */
  answers: MessageAnswer[];
}

export interface MessageImage {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  /** An https address, from which the provider reads it. */
  url: string;
}

export interface MessageListQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Replies to this message. */
  parentId?: string | undefined;
  /** The message that comes first. */
  order?: 'oldest' | 'newest' | undefined;
}

export interface MessagePatch {
  /** Markdown, stored as it is sent. Clients render it safely. */
  text: string;
  /** The version that the edit is made from; 409 when the message has another one by now. */
  version?: number | undefined;
}

export interface MessageVersion {
  version: number;
  text: string;
  writtenAt: string;
}

export interface ModelItem {
  /** The id for modelOverride, which also accepts key and provider/key. */
  id: string;
  key: string;
  provider: string;
  displayName: string;
  /** Tokens of prompt and answer together; null when not known. */
  contextTokens: number | null;
  maxOutputTokens: number;
  /** Credits; the cost of a run is rounded up. */
  creditsPer1kInput: number;
  creditsPer1kOutput: number;
  /** For input from the cache of the provider; null: as other input. */
  creditsPer1kCachedInput: number | null;
  /** For input that the provider adds to its cache; null: as other input. */
  creditsPer1kCacheWrite: number | null;
  capabilities: ('stream' | 'images' | 'image_urls' | 'json' | 'tools' | 'sampling' | 'embeddings')[];
  /** Models that are used instead when it fails, in order, as provider/key. */
  fallbacks: string[];
  /** true for the model of requests that name none. */
  isDefault: boolean;
}

export interface ModelQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Models of this provider. */
  provider?: string | undefined;
  /** Models with this capability. */
  capability?: 'stream' | 'images' | 'image_urls' | 'json' | 'tools' | 'sampling' | 'embeddings' | undefined;
  /** user_byok_cloud: models that your own keys can use; otherwise the models of the platform. */
  fundingSource?: 'platform_credit' | 'user_byok_cloud' | undefined;
}

export interface Mute {
  account: MessageAuthor;
  /** The account that muted it. */
  mutedBy: string;
  createdAt: string;
}

export interface NewAiLenserRequest {
  /** Unique among all accounts, also after archiving. */
  handle: string;
  displayName: string;
  /** Its public description. */
  bio?: string | undefined;
  /** The key, provider/key or id of the model that answers; the default model when absent. */
  aiModelKey?: string | undefined;
  /** The system prompt of its answers; only its owner can read it. */
  instructions?: string | undefined;
  /** Every action is denied when absent. */
  policy?: AiLenserPolicy | undefined;
  /** The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone. */
  usableBy?: 'nobody' | 'communities' | 'anyone' | undefined;
}

export interface NewBattleRequest {
  title: string;
  /** The task of all contenders. */
  taskPrompt: string;
  battleType?:
    | 'ai_vs_ai'
    | 'human_vs_human_ai_votes'
    | 'human_vs_human_open_votes'
    | 'human_vs_ai'
    | 'workflow_battle'
    | 'lenser_battle'
    | undefined;
  judgingMode?: 'community_vote' | 'ai_judge' | 'rubric_score' | 'auto_score' | undefined;
  maxContenders?: number | undefined;
  /** The key of the model that judges in the modes ai_judge and rubric_score. Without it the offline judge scores by measurable features. */
  aiJudgeModelKey?: string | null | undefined;
  /** The criteria of rubric_score; a default rubric when left out. */
  rubric?: RubricCriterion[] | undefined;
  /** The checks of auto_score. */
  checks?: BattleCheck[] | undefined;
  /** The most credits that all runs of the battle may cost together; no limit when null. */
  budgetCredits?: number | null | undefined;
}

export interface NewByokKeyRequest {
  /** openai-compatible: your own endpoint with the chat completions API. */
  provider: 'openai' | 'anthropic' | 'google' | 'openai-compatible';
  /** For openai-compatible: the https:// URL of the endpoint, usually with /v1 at its end. */
  baseUrl?: string | undefined;
  /** For openai-compatible: its models; runs that name none use the first. */
  models?: ByokModel[] | undefined;
  /** A name for lists. */
  label: string;
  /** The secret of the key. It is sealed before it is stored, and never shown again. */
  secret: string;
}

export interface NewCommunityRequest {
  /** Unique among all accounts. */
  handle: string;
  displayName: string;
  description?: string | undefined;
  /** open: every account can join; invite: invited accounts only. */
  joinPolicy?: 'open' | 'invite' | undefined;
}

export interface NewConnectorRequest {
  /** A name for lists. */
  name: string;
  /** A list, or a text with commas between the scopes; at most those of the creator. */
  scopes:
    | string
    | (
        | 'lenses:read'
        | 'lenses:write'
        | 'agents:read'
        | 'agents:write'
        | 'workflows:read'
        | 'workflows:write'
        | 'threads:read'
        | 'threads:write'
        | 'community:read'
        | 'community:write'
        | 'connectors:read'
        | 'connectors:write'
        | 'tokens:read'
        | 'tokens:write'
      )[];
  /** Days until its service token expires. */
  ttl?: number | undefined;
  /** The maximum credits that its runs may cost. */
  creditLimit?: number | undefined;
  /** month: the limit is for each calendar month (UTC); total: for all time. */
  creditPeriod?: 'month' | 'total' | undefined;
  /** The community that it acts for; the account of the caller when absent. */
  communityId?: string | undefined;
}

export interface NewContenderRequest {
  displayName: string;
  contenderType: 'human' | 'ai_model' | 'ai_agent';
  /** The profile of a human contender; the AI lenser otherwise. */
  contenderRefId: string;
  /** A to Z; the first free one when left out. */
  slot?: string | undefined;
  /** The lens that writes the answer, with the parameter task_prompt. */
  lensId?: string | undefined;
  /** The workflow that writes the answer, with the input task_prompt. */
  workflowId?: string | undefined;
}

export interface NewDeveloperTokenRequest {
  /** A name for lists. */
  label: string;
  /** A list, or a text with commas between the scopes; every scope but community:write and tokens:write. */
  scopes?:
    | string
    | (
        | 'lenses:read'
        | 'lenses:write'
        | 'agents:read'
        | 'agents:write'
        | 'workflows:read'
        | 'workflows:write'
        | 'threads:read'
        | 'threads:write'
        | 'community:read'
        | 'community:write'
        | 'connectors:read'
        | 'connectors:write'
        | 'tokens:read'
        | 'tokens:write'
      )[]
    | undefined;
  /** Days until it expires. */
  ttl?: number | undefined;
  /** The maximum credits that runs started with the token may cost; when absent, only the balance of the account limits them. */
  creditLimit?: number | undefined;
  /** month: the limit is for each calendar month (UTC); total: for all time. */
  creditPeriod?: 'month' | 'total' | undefined;
}

export interface NewIncomingWebhookRequest {
  /** The workflow that a call starts: your own, or one that you can see. */
  workflowId: string;
  /** A name for lists. */
  name: string;
}

export interface NewInviteRequest {
  /** The role after joining; only an owner can invite admins. */
  role?: 'admin' | 'moderator' | 'member' | undefined;
  /** Days until it expires. */
  ttl?: number | undefined;
}

export interface NewLensRequest {
  title: string;
  /** The purpose of the lens. */
  description?: string | undefined;
  /** [[Name]] is a required parameter, [[Name!]] an optional one, \[[ a literal [[. */
  templateBody?: string | undefined;
  /** Instead of templateBody: the parts of a conversation, each with a role. */
  messages?: LensMessage[] | undefined;
  /** private, when absent: only the owner can see it. */
  visibility?: 'public' | 'community' | 'private' | undefined;
  /** Only the owner can see a draft. */
  status?: 'draft' | 'published' | undefined;
  tags?: string[] | undefined;
  /** Must match the template; optional. */
  params?: LensParamInput[] | undefined;
  /** The settings of its calls of models. */
  settings?: LensSettings | null | undefined;
}

export interface NewMcpAuthorizationRequest {
  /** Where the browser returns to with code and state: your program, at a loopback http:// address or an https:// address. */
  redirectUri: string;
  /** The id of a client that you registered; a worker registers one (RFC 7591) when absent. */
  clientId?: string | undefined;
  /** The secret of that client. It is sealed before it is stored, and never shown again. */
  clientSecret?: string | undefined;
  /** The scopes, with spaces between them; those that the server asks for when absent. */
  scope?: string | undefined;
}

export interface NewMcpServerRequest {
  /** The connector in the ids of its tools, mcp:<connector>/<tool>. It never changes. */
  name: string;
  /** The address of the server (streamable HTTP). */
  url: string;
  /** none when absent. */
  auth?: McpAuthRequest | undefined;
  /** The tools that may be granted; all tools of the server when null. */
  allowedTools?: string[] | null | undefined;
}

export interface NewMessageRequest {
  /** Markdown, stored as it is sent. Clients render it safely. */
  text: string;
  /** The message that this one replies to, which must not be a reply itself. */
  parentId?: string | undefined;
}

export interface NewScheduleRequest {
  /** The cron pattern when absent. */
  title?: string | undefined;
  /** minute hour day month weekday */
  cron: string;
  /** An IANA name, such as Europe/Berlin. */
  timeZone?: string | undefined;
  /** The inputs of each run. */
  inputs?: Record<string, unknown> | undefined;
  /** How a tick is handled while a run of an earlier tick has not ended. */
  overlap?: 'skip' | 'queue' | 'allow' | undefined;
  /** How ticks are handled that were due while no scheduler was running. */
  missed?: 'skip' | 'run_once' | undefined;
  enabled?: boolean | undefined;
}

export interface NewSubmissionRequest {
  contenderId: string;
  contentText: string;
}

export interface NewThreadRequest {
  title: string;
  /** The kind of thing that the thread is about. */
  subjectType?: 'lens' | 'workflow' | 'battle' | 'run' | 'community' | undefined;
  /** The thing that the thread is about; the caller must be able to see it. */
  subjectId?: string | undefined;
  /** subject (as its subject, the default with one), private (the owner; the default without one), community (all accounts) or public. A thread with a subject is never visible to more callers than its subject. */
  visibility?: 'subject' | 'private' | 'community' | 'public' | undefined;
}

export interface NewTokenRequest {
  /** The community that the token acts for. */
  communityId: string;
  /** A name for lists. */
  label: string;
  /** A list, or a text with commas between the scopes; at most those of the creator. */
  scopes?:
    | string
    | (
        | 'lenses:read'
        | 'lenses:write'
        | 'agents:read'
        | 'agents:write'
        | 'workflows:read'
        | 'workflows:write'
        | 'threads:read'
        | 'threads:write'
        | 'community:read'
        | 'community:write'
        | 'connectors:read'
        | 'connectors:write'
        | 'tokens:read'
        | 'tokens:write'
      )[]
    | undefined;
  /** Days until it expires. */
  ttl?: number | undefined;
  /** The maximum credits that runs started with the token may cost; when absent, only the balance of the account limits them. */
  creditLimit?: number | undefined;
  /** month: the limit is for each calendar month (UTC); total: for all time. */
  creditPeriod?: 'month' | 'total' | undefined;
}

export interface NewWebhookEndpointRequest {
  /** An https:// address without user name, password and fragment. */
  url: string;
  /** The types of events to deliver. */
  events: (
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
  )[];
  /** A description for lists. */
  description?: string | undefined;
}

export interface NewWorkflowRequest {
  title: string;
  /** The purpose of the workflow. */
  description?: string | undefined;
  visibility?: 'public' | 'private' | 'unlisted' | undefined;
  /** The graph of the first version, empty when absent: {nodes, edges, inputs?, outputs?}; see docs/workflows.md. */
  graph?: Record<string, unknown> | undefined;
}

export interface NextReview {
  /** null when nothing waits for the caller. */
  item: ItemToReview | null;
  /** The items that wait for the caller, with this one. */
  waiting: number;
}

export interface NextReviewQuery {
  /** The item after this one, to pass over it. */
  after?: string | undefined;
}

export interface NoWorseRule {
  /** A loss up to this does not count; 0.02 when absent. */
  margin?: number | undefined;
  /** How certain the answer must be; 0.95 when absent. */
  confidence?: number | undefined;
}

export interface NodeError {
  code: string;
  message: string;
}

export interface NodeFailed {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  errorCode: string;
  errorMessage: string;
}

export interface NodeOutputDelta {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The number of the answer of a lens with tools, which may say something before its calls. */
  step?: number | undefined;
  text: string;
}

export interface NodeRef {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
}

export interface NodeRetrying {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  reason: string;
  delayMs: number;
}

export interface NodeStarted {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The number of the attempt. */
  attempt: number;
}

export interface NodeSucceeded {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  output?: unknown;
}

export interface NodeWaiting {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  /** The type of the node, which says what it waits for. */
  type: string;
  /** The time at which it stops waiting. */
  until?: string | undefined;
}

export interface OpenAiSettings {
  /** The length of answers. */
  textVerbosity?: 'low' | 'medium' | 'high' | undefined;
}

export interface OperatorRun {
  id: string;
  accountId: string;
  accountHandle: string | null;
  kind: 'lens' | 'workflow' | 'prompt' | 'judging';
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out';
  errorCode: string | null;
  /** The name of the run-worker that executes it. */
  worker: string | null;
  /** The reason why a queued run has no job yet, such as slot. */
  waitsFor: string | null;
  createdAt: string;
  deadlineAt: string;
}

export interface OperatorRuns {
  /** At most 100. */
  runs: OperatorRun[];
}

export interface OperatorRunsQuery {
  /** stuck: a minute after their deadline or lease; lost and failed: those of the last hour; oldest: the queued runs with a job that have waited longest. */
  list: 'stuck' | 'lost' | 'failed' | 'oldest';
}

export interface OperatorStatus {
  database: DatabaseStatus;
  /** null while Redis cannot be reached. */
  redis: RedisStatus | null;
  /** Empty while Redis cannot be reached. */
  queues: QueueStatus[];
  outbox: OutboxStatus;
  /** The run-workers that execute runs now, at most 200. */
  workers: WorkerStatus[];
  /** The pauses of the last seconds, at most 200. Empty while Redis cannot be reached. */
  providerPauses: ProviderPause[];
  runs: RunsStatus;
  invariants: InvariantsStatus;
}

export interface OutboxStatus {
  due: number;
  oldestSeconds: number;
}

export interface PageQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
}

export type PartnerReply = Record<string, unknown>;

export type PartnerRequest = Record<string, unknown>;

export interface PayloadTooLargeDetails {
  limitBytes: number;
  /** The size that Content-Length announced; absent for a chunked body. */
  bodyBytes?: number | undefined;
}

export interface PendingAgentApproval {
  id: string;
  aiLenserId: string;
  action: 'run_lens' | 'run_workflow' | 'submit_entry' | 'cast_vote' | 'join_battle' | 'create_battle';
  /** The metadata of the action, or the arguments of the tool call. */
  metadata: Record<string, unknown>;
  /** The workflow run in which the AI lenser wants to call a tool. */
  runId: string | null;
  /** The tool of that call. */
  toolId: string | null;
  status: 'pending' | 'approved' | 'denied' | 'expired';
  requestedAt: string;
  expiresAt: string;
  decidedAt: string | null;
  /** The result of an approved action. */
  result: 'success' | 'blocked_by_policy' | 'throttled' | 'failed' | null;
  reason: string | null;
  output: Record<string, unknown> | null;
  /** The handle of the AI lenser. */
  handle: string;
}

export interface PendingApproval {
  id: string;
  runId: string;
  nodeKey: string;
  /** The question for the approver. */
  message: string;
  /** The data to approve; after the approval, with the changes of the approver. */
  data: unknown;
  status: 'pending' | 'approved' | 'rejected' | 'expired';
  comment: string | null;
  answeredBy: string | null;
  requestedAt: string;
  expiresAt: string;
  answeredAt: string | null;
  workflowId: string;
  /** The title of the workflow; null after it was deleted. */
  workflowTitle: string | null;
}

export interface PlatformExecutionAccepted {
  runId: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out';
  workflowId?: string | null | undefined;
}

export interface PlatformExecutionArtifact {
  id: string;
  artifactKind: 'text' | 'image' | 'audio' | 'video' | 'json' | 'trace' | 'tool_log' | 'rubric_result';
  contentText?: string | null | undefined;
  contentJson?: unknown;
  isPrimaryOutput: boolean;
  visibility: string;
  createdAt: string;
}

export interface PlatformRunStatus {
  id: string;
  /** prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle. */
  kind: 'lens' | 'workflow' | 'prompt' | 'judging';
  /** The cause of the run: a request, a schedule, a call of an incoming webhook, a node of another run, a battle, an experiment, an action of an AI lenser, a team run, or a mention in a thread. A tracking record is not executed: its caller reports its outcome. */
  origin:
    | 'caller'
    | 'schedule'
    | 'incoming_webhook'
    | 'node'
    | 'tracking'
    | 'battle'
    | 'experiment'
    | 'agent'
    | 'team'
    | 'thread';
  /** The lens; for a tracking record, the lens of its prompt. */
  lensId: string | null;
  /** The version of the lens. */
  lensVersionId: string | null;
  workflowId: string | null;
  /** The version of the workflow. */
  workflowVersionId?: string | null | undefined;
  /** The label that decided about the version; null when the request named a version, or none without a default label. */
  label?: string | null | undefined;
  /** The number of the version, when the label had arms; null when all its callers got the same version. */
  arm?: string | null | undefined;
  requestId: string;
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out';
  modelId?: string | null | undefined;
  modelKey?: string | null | undefined;
  providerKey?: string | null | undefined;
  startedAt?: string | null | undefined;
  completedAt?: string | null | undefined;
  latencyMs?: number | null | undefined;
  tokenInput?: number | null | undefined;
  tokenOutput?: number | null | undefined;
  /** null when providers report none. */
  tokenDetails?: TokenDetails | null | undefined;
  /** Why the model ended its answer: `length` when it was cut off. null for workflows, lenses with tools, and earlier runs. */
  finishReason?: 'stop' | 'length' | 'tool_calls' | 'other' | null | undefined;
  creditCost?: number | null | undefined;
  billingStatus?: string | null | undefined;
  errorCode?: string | null | undefined;
  errorMessage?: string | null | undefined;
  /** The tool calls that wait for results of the caller. */
  requiredAction?: RequiredAction | null | undefined;
  artifacts: PlatformExecutionArtifact[];
  tags?: string[] | undefined;
  /** The metadata of its request. */
  metadata?: Record<string, unknown> | null | undefined;
  /** The batch that it belongs to. */
  batchId?: string | null | undefined;
  /** The run that this one retries, or that started it. */
  parentRunId?: string | null | undefined;
  createdAt: string;
}

export interface ProviderPause {
  provider: string;
  /** A model that workers skip while it has alternatives. null: all calls with the key wait; also for BYOK keys, whose models are not named. */
  model: string | null;
  /** BYOK keys, rather than the key of the platform. */
  byok: boolean;
  /** The most keys in one worker. */
  keys: number;
  /** The workers that have it. */
  workers: number;
  /** limited: the provider refused for its rate limit; unpaid: the account at the provider has no credit. */
  reason: 'limited' | 'unavailable' | 'unpaid';
  /** The most failures in succession. */
  failures: number;
  /** The first failure. */
  since: string;
  /** The last end; one that has passed lasts until the one call that probes the model ends. */
  until: string;
  /** Calls of running runs that wait in workers. */
  waitingCalls: number;
  /** Queued runs of the model, or of the provider, that wait for another attempt; counted up to 100,000. */
  waitingRuns: number;
}

export interface ProviderSettings {
  openai?: OpenAiSettings | undefined;
  google?: GoogleSettings | undefined;
}

export interface QueueStatus {
  queue:
    | 'runs'
    | 'runs-isolated'
    | 'nodes'
    | 'run-operations'
    | 'byok-tests'
    | 'battles'
    | 'experiments'
    | 'scorer-calls'
    | 'agents'
    | 'mcp-servers'
    | 'threads'
    | 'platform-events';
  /** Jobs that a worker could take. */
  waiting: number;
  active: number;
  delayed: number;
  /** Jobs of the last hour that failed. */
  failed: number;
  /** Workers take no more jobs of the queue. */
  paused: boolean;
  /** 0 when no job waits. */
  oldestWaitingSeconds: number;
}

export interface QueueSwitchRequest {
  paused: boolean;
}

export interface RankRange {
  best: number;
  worst: number;
}

export interface RateLimitedDetails {
  /** Seconds to wait, as in the Retry-After header. */
  retryAfter: number;
  /** The number that the caller may have or send. */
  limit?: number | undefined;
  /** The limit that was reached, when it is not that of requests per minute. */
  reason?: string | undefined;
}

export interface RatingInterval {
  low: number;
  high: number;
}

export interface Recording {
  id: string;
  name: string;
  /** The number of recorded calls. */
  calls: number;
  createdAt: string;
}

export interface RecordingImport {
  name: string;
  /** The file, as exportRecording gives it. */
  content: string;
}

export interface RecordingRemoved {
  recordingId: string;
  removed: boolean;
}

export interface RedisStatus {
  version: string;
  bytes: number;
  connections: number;
}

export interface ReleaseGroup {
  /** The label that decided about the version; null without one. */
  label: string | null;
  versionId: string | null;
  /** The number of the version; null when grouped by label. */
  version: string | null;
  /** The runs that have ended. */
  runs: number;
  succeeded: number;
  /** The runs that failed or timed out. */
  failed: number;
  /** They do not count as failures. */
  canceled: number;
  /** The share of failures among the runs that were not canceled. */
  failures: MeanEstimate;
  p50Ms: number | null;
  p95Ms: number | null;
  tokenInput: number;
  tokenOutput: number;
  credits: number;
  /** The credits of a run. */
  creditsPerRun: MeanEstimate;
  /** Its failures against those of the reference: the group of its label, or of all, with the most runs. */
  comparison: GroupComparison | null;
  scores: GroupScore[];
}

export interface ReleaseStatistics {
  from: string;
  to: string;
  by: 'version' | 'label' | 'arm';
  /** More runs match than are counted; the oldest of them are left out. */
  truncated: boolean;
  /** The group with the most runs first. */
  groups: ReleaseGroup[];
}

export interface ReleaseStatisticsQuery {
  /** The lens whose runs are counted. */
  lensId?: string | undefined;
  /** The workflow whose runs are counted, when no lens is given. */
  workflowId?: string | undefined;
  /** version: all runs of a version. label: the runs of a label. arm: the runs of a label by version. */
  by?: 'version' | 'label' | 'arm' | undefined;
  /** Runs accepted at or after this time; seven days ago when absent. */
  from?: string | undefined;
  /** Runs accepted before this time; now when absent. */
  to?: string | undefined;
}

export interface RemovedVotes {
  ranking: string[][];
  contenders: string[];
  count: number;
}

export interface RequestIssue {
  /** The part of the request that has the fault. */
  in?: 'path' | 'query' | 'header' | 'body' | undefined;
  /** The path of the member, such as params.Name or items.3.label; empty for the whole part. */
  path: string;
  /** The fault, such as: is required. */
  message: string;
}

export interface RequiredAction {
  type: 'tool_results';
  calls: RequiredCall[];
}

export interface RequiredCall {
  callId: string;
  /** The node that asks: lens in the run of a lens. */
  nodeKey: string;
  /** The tool. */
  name: string;
  /** Its arguments. */
  input: unknown;
  requestedAt: string;
  /** The time until which its result is awaited. */
  expiresAt: string;
}

export interface RetryRefusal {
  /** The error code, such as INSUFFICIENT_CREDITS. */
  code: string;
  runs: number;
}

export interface ReviewAgreement {
  items: number;
  done: number;
  /** Items whose two reviews differ. */
  tied: number;
  reviews: number;
  /** Krippendorff's alpha of the reviews: 1 full agreement, 0 that of chance; null for too few reviews, or equal ones. */
  alpha: number | null;
  /** null without compareWith. */
  judge: JudgeAgreement | null;
}

export interface ReviewGiven {
  state: 'open' | 'tied' | 'done';
}

export interface ReviewItem {
  id: string;
  runId: string;
  /** tied: two reviews differ, and a third person decides. */
  state: 'open' | 'tied' | 'done';
  reviews: number;
  /** The mean of reviews that agree, or the middle of three. */
  score: number | null;
  /** The newest corrected answer. */
  corrected: string | null;
  /** The comments of the reviewers. */
  comments: string[];
}

export interface ReviewItemsAdded {
  /** Runs that were in the queue already, or have no answer, are left out. */
  added: number;
}

export interface ReviewItemsRequest {
  /** Runs of the caller. */
  runIds?: string[] | undefined;
  /** Runs by a filter, when no runIds are given. */
  filter?: RunSelection | undefined;
}

export interface ReviewQueue {
  id: string;
  name: string;
  instructions: string | null;
  scale: 'verdict' | 'marks';
  perItem: number;
  compareWith: string | null;
  /** True for a queue of the caller; others are those that the caller reviews. */
  isOwn: boolean;
  /** True when the caller may review its answers. */
  canReview: boolean;
  items: number;
  /** The items that have all their reviews. */
  done: number;
  /** The items that wait for a review of the caller. */
  waiting: number;
  createdAt: string;
}

export interface ReviewQueueCreate {
  /** Letters, digits, dots, dashes and underscores; unique in the account. It names the scores. */
  name: string;
  /** The question to the reviewers, in plain text. */
  instructions?: string | undefined;
  /** verdict: good or bad. marks: from 1 to 5. */
  scale?: 'verdict' | 'marks' | undefined;
  /** The handles or ids of the people who review. When absent: you, or the owners and admins of the community. */
  reviewers?: string[] | undefined;
  /** The reviews of an answer; 2 when absent. When two differ by half of the scale, a third person decides. */
  perItem?: number | undefined;
  /** The name of a score of judges with which the people are compared. */
  compareWith?: string | undefined;
}

export interface ReviewQueueRemoved {
  queueId: string;
  removed: boolean;
}

export interface ReviewRequest {
  /** For the scale verdict. */
  thumb?: 'up' | 'down' | undefined;
  /** For the scale marks. */
  mark?: number | undefined;
  comment?: string | undefined;
  /** The answer that would be right; its owner can make a case of it. */
  corrected?: string | undefined;
}

export interface RevokedTokens {
  /** The number of revoked tokens. */
  revoked: number;
}

export interface RotateByokKeyRequest {
  /** The secret of the key. It is sealed before it is stored, and never shown again. */
  secret: string;
}

export interface RotateConnectorRequest {
  /** Days until the new token expires; the previous number when absent. */
  ttl?: number | undefined;
}

export interface RotateIncomingWebhookRequest {
  /** Seconds for which the old secret stays valid; 0 ends it at once. */
  overlapSeconds?: number | undefined;
}

export interface RotateWebhookSecretRequest {
  /** Seconds for which the old secret also signs the Standard Webhooks header; 0 ends it at once. */
  overlapSeconds?: number | undefined;
}

export interface RubricCriterion {
  /** The name of the criterion, unique within the rubric. */
  name: string;
  /** The weight relative to the other criteria. */
  weight?: number | undefined;
  /** The question that the judge answers about a text. */
  description?: string | undefined;
  /** The meanings of the scores 1 to 5, in this order. */
  anchors?: string[] | undefined;
}

export interface RuleResult {
  /** The arm. */
  arm: string;
  /** The rule as it was given. */
  rule: GateRule;
  result: 'passed' | 'failed' | 'inconclusive';
  reason: string;
}

export interface RuleScorer {
  id: string;
  name: string;
  version: number;
  kind: 'check' | 'model' | 'pairwise' | 'http';
}

export interface RunApproval {
  id: string;
  runId: string;
  nodeKey: string;
  /** The question for the approver. */
  message: string;
  /** The data to approve; after the approval, with the changes of the approver. */
  data: unknown;
  status: 'pending' | 'approved' | 'rejected' | 'expired';
  comment: string | null;
  answeredBy: string | null;
  requestedAt: string;
  expiresAt: string;
  answeredAt: string | null;
}

export interface RunBucket {
  /** The beginning of the bucket. */
  at: string;
  queued: number;
  running: number;
  succeeded: number;
  failed: number;
  canceled: number;
  timedOut: number;
  /** The median time from start to end, of the runs that have ended. */
  p50Ms: number | null;
  /** The time that 95 % of them stay below. */
  p95Ms: number | null;
  /** The credits that they cost so far. */
  credits: number;
  tokenInput: number;
  tokenOutput: number;
  /** The tokens by kind, as far as providers report them. */
  tokenDetails: TokenDetails;
}

export interface RunCanceled {
  runId: string;
  /** canceled, or running until the worker has stopped. */
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out';
}

export interface RunCompletedData {
  runId: string;
  workflowId: string | null;
  status: string;
  /** The outputs: artifacts of the run by kind, the primary one first. */
  outputs: unknown;
  cost: number;
  /** The lens; null for a run without one. */
  lensId: string | null;
  /** The tags of the run. */
  tags: string[];
  /** The metadata of the run, as its request gave it. */
  metadata: Record<string, unknown> | null;
  tokenInput: number | null;
  tokenOutput: number | null;
  /** null when providers report none. */
  tokenDetails: TokenDetails | null;
}

export interface RunEnded {
  reason?: string | undefined;
}

export interface RunEvaluation {
  ruleId: string;
  /** The name of the rule. */
  rule: string;
  state: 'evaluated' | 'skipped' | 'pending';
  /** Why the run was skipped or waits. */
  reason: string | null;
  /** The credits that judges have cost. */
  credits: number;
  scores: RunScore[];
  /** When it was evaluated or skipped. */
  endedAt: string | null;
}

export interface RunEventsQuery {
  /** A token of POST /v1/runs/{runId}/read-token, instead of the Authorization header. */
  token?: string | undefined;
}

export interface RunFailed {
  errorCode: string;
  errorMessage: string;
}

export interface RunFailedData {
  runId: string;
  workflowId: string | null;
  /** {code, message} */
  error: Record<string, unknown>;
  /** The lens; null for a run without one. */
  lensId: string | null;
  /** The tags of the run. */
  tags: string[];
  /** The metadata of the run, as its request gave it. */
  metadata: Record<string, unknown> | null;
}

export interface RunFilter {
  /** Runs with one of these statuses. */
  status?: ('queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out')[] | undefined;
  /** prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle. */
  kind?: 'lens' | 'workflow' | 'prompt' | 'judging' | undefined;
  /** Runs of this lens. */
  lensId?: string | undefined;
  /** Runs of this workflow. */
  workflowId?: string | undefined;
  /** Runs that have all of these tags. */
  tag?: string[] | undefined;
  /** Runs of this batch. */
  batchId?: string | undefined;
  /** Runs that retry this run, or that it started. */
  parentRunId?: string | undefined;
  /** Runs accepted at or after this time. */
  createdAfter?: string | undefined;
  /** Runs accepted before this time. */
  createdBefore?: string | undefined;
  /** Runs that ended with this error code. */
  errorCode?: string | undefined;
}

export interface RunInput {
  runId: string;
  /** The parameters of the lens, the inputs of the workflow, or the conversation of a request in the form of OpenAI; null for runs of other kinds. */
  params: Record<string, unknown> | null;
  /** The messages that the lens made of the parameters, without images; null for other runs, and when you may not read the lens. */
  messages: RunMessage[] | null;
  /** The version of the workflow. */
  workflowVersionId: string | null;
  /** The settings of the model that differ from its defaults. */
  sampling: Record<string, unknown> | null;
  /** The JSON schema of the answer. */
  outputSchema: Record<string, unknown> | null;
  priority: number;
  /** The most credits that the run may cost. */
  creditLimit: number | null;
  /** The time limit of the execution. */
  executionMs: number | null;
  fundingSource: 'user_byok_cloud' | 'user_byok_local' | 'platform_credit' | 'sponsored' | null;
  /** The id of the trace that the run belongs to, if its request was traced. */
  traceId: string | null;
}

export interface RunItem {
  id: string;
  /** prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle. */
  kind: 'lens' | 'workflow' | 'prompt' | 'judging';
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out';
  lensId: string | null;
  workflowId: string | null;
  /** The title of its lens or workflow, while you may read it. */
  title: string | null;
  /** The version of its lens, or the number of that of its workflow, with a suffix for a candidate. */
  version: string | null;
  /** The first 200 characters of its parameters as JSON, on request. */
  input?: string | null | undefined;
  /** The cause of the run: a request, a schedule, a call of an incoming webhook, a node of another run, a battle, an experiment, an action of an AI lenser, a team run, or a mention in a thread. A tracking record is not executed: its caller reports its outcome. */
  origin:
    | 'caller'
    | 'schedule'
    | 'incoming_webhook'
    | 'node'
    | 'tracking'
    | 'battle'
    | 'experiment'
    | 'agent'
    | 'team'
    | 'thread';
  batchId: string | null;
  tags: string[];
  modelKey: string | null;
  providerKey: string | null;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  creditCost: number | null;
  errorCode: string | null;
  /** The run that this one retries, or that started it. */
  parentRunId: string | null;
}

export interface RunMessage {
  role: 'system' | 'user' | 'assistant';
  text: string;
}

export interface RunNodeItem {
  nodeId: string;
  /** The id of the node, or its path in a map, such as each[3].summary. */
  nodeKey: string;
  type: string;
  status: 'pending' | 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'skipped' | 'canceled' | 'timed_out';
  /** The number of claims by workers. */
  attempt: number;
  input: unknown;
  output: unknown;
  error: NodeError | null;
  tokensUsed: number;
  costCredits: number;
  startedAt: string | null;
  completedAt: string | null;
}

export interface RunNodesQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  status?:
    | 'pending'
    | 'queued'
    | 'running'
    | 'waiting'
    | 'succeeded'
    | 'failed'
    | 'skipped'
    | 'canceled'
    | 'timed_out'
    | undefined;
}

export interface RunOperationFault {
  code: string;
  message: string;
}

export interface RunOperationProgress {
  /** The number of runs found so far; of all runs after the operation has succeeded. */
  matched: number;
  done: number;
  failed: number;
}

export interface RunOperationRequest {
  /** cancel: cancels runs that have not ended; retry: retries runs that did not succeed. */
  action: 'cancel' | 'retry';
  /** At least one member. Runs accepted after the request are not affected. */
  filter: RunFilter;
  /** For retry: the part of a workflow to repeat; start when absent. */
  from?: 'start' | 'failed_nodes' | undefined;
}

export interface RunOperationState {
  id: string;
  action: 'cancel' | 'retry';
  status: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
  filter: RunFilter;
  progress: RunOperationProgress;
  /** The fault of the operation, or of the last run that could not be changed. */
  error: RunOperationFault | null;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface RunProgress {
  percent: number;
  message?: string | undefined;
}

export interface RunQueued {
  /** lens, workflow, prompt, judging */
  kind: string;
  /** Always 0: a run that is queued again has the event run.retrying. */
  generation: number;
}

export interface RunReadToken {
  runId: string;
  /** The bearer token, or the value of the query parameter token, for the events of this run only. It is shown only now. */
  token: string;
  expiresAt: string;
  /** The path of the events, relative to the URL of the API; with the token for an EventSource, unless the operator has switched that off. */
  eventsPath: string;
}

export interface RunReadTokenRequest {
  /** Seconds for which the token is valid; the platform sets a maximum. */
  ttlSeconds?: number | undefined;
}

export interface RunReportRequest {
  status: 'succeeded' | 'failed';
  /** The result, which becomes the primary output: a text or JSON. */
  output?: unknown;
  tokenInput?: number | undefined;
  tokenOutput?: number | undefined;
  /** The fault; for the status failed only. */
  error?: string | undefined;
}

export interface RunReported {
  runId: string;
  status: 'succeeded' | 'failed';
}

export interface RunRequiresAction {
  nodeId: string;
  /** The path of a node in a map, such as each[3].summary. */
  nodeKey?: string | undefined;
  calls: CallOfTool[];
  /** The time until which the results are awaited. */
  expiresAt: string;
}

export interface RunRetryRequest {
  /** A repeated request with the same key and run within 24 hours returns the same new run. */
  idempotencyKey?: string | undefined;
  /** failed_nodes keeps the results of nodes that succeeded and are the same in the version. */
  from?: 'start' | 'failed_nodes' | undefined;
  /** Of a run of a workflow: the id, the number or a label of another version to run. */
  version?: string | undefined;
  /** Of a run of a workflow: a node that runs again with all nodes after it, although it succeeded. The other results are kept, as by failed_nodes. */
  fromNode?: string | undefined;
}

export interface RunRetrying {
  reason: string;
  delayMs: number;
}

export interface RunScore {
  id: string;
  runId: string;
  /** The name of the scorer; feedback for the scores of end users. */
  name: string;
  /** end_user: with a key of the run. caller: with POST /v1/runs/{runId}/scores. rule: by a rule of evaluation. review: by people in a review queue. */
  source: 'end_user' | 'caller' | 'rule' | 'review';
  /** null when it could not be made. */
  score: number | null;
  /** The verdict of a scorer. */
  pass: boolean | null;
  /** The reason that a scorer gave, or the comment of a person. */
  reason: string | null;
  /** Why the score could not be made. */
  error: string | null;
  /** How a judge came to the score. */
  judge: ScoreJudge | null;
  createdAt: string;
}

export interface RunScoreRequest {
  /** The name of the score; another one with this name replaces it. */
  name: string;
  /** From 0 to 1; or give a thumb. */
  score?: number | undefined;
  /** up counts as 1, down as 0; or give a score. */
  thumb?: 'up' | 'down' | undefined;
  comment?: string | undefined;
}

export interface RunScoredData {
  runId: string;
  lensId: string | null;
  workflowId: string | null;
  /** The label that decided about the version of the run. */
  label: string | null;
  scoreId: string;
  name: string;
  /** end_user, caller, rule or review */
  source: string;
  score: number | null;
  pass: boolean | null;
  /** Why the score could not be made. */
  error: string | null;
}

export interface RunSelection {
  /** Runs of this lens; or give workflowId or experimentId. */
  lensId?: string | undefined;
  /** Runs of this workflow. */
  workflowId?: string | undefined;
  /** The answers of this experiment. */
  experimentId?: string | undefined;
  /** Only runs of this label. */
  label?: string | undefined;
  /** failed: runs that failed or timed out. Both when absent. */
  status?: 'succeeded' | 'failed' | undefined;
  score?: ScoreCondition | undefined;
  differ?: ScorerDifference | undefined;
  /** Runs accepted at or after this time; 28 days ago when absent. */
  from?: string | undefined;
  /** Runs accepted before this time; now when absent. */
  to?: string | undefined;
  /** The most runs; 100 when absent. */
  limit?: number | undefined;
}

export interface RunStarted {
  /** The number of the attempt. */
  attempt: number;
}

export interface RunStatistics {
  from: string;
  to: string;
  /** The length of a bucket: minute, hour or day. */
  interval: string;
  /** More runs match than are counted; the oldest of them are left out. */
  truncated: boolean;
  /** One for each interval, the oldest first; also those without runs. */
  buckets: RunBucket[];
}

export interface RunStatisticsQuery {
  /** The beginning; it is moved to the start of its bucket. */
  from: string;
  /** The end; now when absent. */
  to?: string | undefined;
  /** The length of a bucket. Days begin at midnight UTC. A range has at most 1500 buckets. */
  interval?: 'minute' | 'hour' | 'day' | undefined;
  kind?: 'lens' | 'workflow' | 'prompt' | 'judging' | undefined;
  /** Runs of this lens. */
  lensId?: string | undefined;
  /** Runs of this workflow. */
  workflowId?: string | undefined;
  /** Runs that have all of these tags. */
  tag?: string[] | undefined;
}

export interface RunSucceeded {
  latencyMs: number;
  tokenInput: number | null;
  tokenOutput: number | null;
  /** Absent when providers report none. */
  tokenDetails?: TokenDetails | undefined;
  creditCost: number;
}

export interface RunWebhookDelivery {
  id: string;
  endpointId: string;
  /** The event id that the receiver gets: the same in every attempt, redelivery and replay. */
  eventId: string;
  event:
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
    | 'webhook.test';
  /** The last cause of the delivery. */
  cause: 'event' | 'test' | 'redelivery' | 'replay';
  /** exhausted: all attempts failed. canceled: the endpoint was disabled before. */
  state: 'pending' | 'sending' | 'delivered' | 'exhausted' | 'canceled';
  /** Attempts with a known outcome since the last redelivery. */
  tries: number;
  /** The HTTP status of the last response. */
  lastStatus: number | null;
  /** The reason of the last failure, when it is not the HTTP status. */
  lastError: string | null;
  /** The time of the next attempt. */
  nextAttemptAt: string | null;
  createdAt: string;
  endedAt: string | null;
  /** The address of the endpoint. */
  endpointUrl: string;
}

export interface RunsQuery {
  /** Runs with one of these statuses. */
  status?: ('queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out')[] | undefined;
  /** prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle. */
  kind?: 'lens' | 'workflow' | 'prompt' | 'judging' | undefined;
  /** Runs of this lens. */
  lensId?: string | undefined;
  /** Runs of this workflow. */
  workflowId?: string | undefined;
  /** Runs that have all of these tags. */
  tag?: string[] | undefined;
  /** Runs of this batch. */
  batchId?: string | undefined;
  /** Runs that retry this run, or that it started. */
  parentRunId?: string | undefined;
  /** Runs accepted at or after this time. */
  createdAfter?: string | undefined;
  /** Runs accepted before this time. */
  createdBefore?: string | undefined;
  /** Runs that ended with this error code. */
  errorCode?: string | undefined;
  /** Runs with this text in their parameters or in their output, in any case. */
  q?: string | undefined;
  /** Runs of this model. */
  modelKey?: string | undefined;
  /** Runs that cost at least this many credits. */
  minCreditCost?: number | undefined;
  /** Runs that took at least this long from start to end. */
  minDurationMs?: number | undefined;
  /** Runs with a score of this name. */
  scoreName?: string | undefined;
  /** Runs with a score of at least this, of any name or of scoreName. */
  minScore?: number | undefined;
  /** Runs with a score of at most this, of any name or of scoreName. */
  maxScore?: number | undefined;
  /** Adds the beginning of the parameters to each run. */
  withInput?: boolean | undefined;
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface RunsRequeued {
  /** Queued runs that got a new job. */
  requeued: number;
}

export interface RunsStatus {
  /** Queued runs with a job; counted up to 100,000. */
  queued: number;
  /** Queued runs that wait for a time, a key or a slot; counted up to 100,000. */
  waiting: number;
  running: number;
  /** Runs that were accepted in the last ten minutes. */
  accepted: number;
  /** Of these, those that succeeded. */
  succeeded: number;
  /** Of these, those that failed or timed out. */
  failed: number;
  /** Of these, those that failed since their workers were lost. */
  lost: number;
}

export interface SampleScore {
  /** The name of the scorer. */
  scorer: string;
  pass: boolean;
  score: number;
  reason: string;
  /** Why the score could not be made, which then counts as 0. */
  error: string | null;
  /** The failed ones come first. */
  assertions: AssertionScore[];
  /** null for checks and http. */
  judge: ScoreJudge | null;
  /** The cost of the judge. */
  credits: number;
}

export interface Sampling {
  /** 0 for the most likely words; for models with the capability sampling. */
  temperature?: number | undefined;
  /** The maximum length of the answer; each model has a maximum of its own. */
  maxOutputTokens?: number | undefined;
  /** Only the most likely words with this share together; for models with the capability sampling. */
  topP?: number | undefined;
  /** Texts that end the answer before them. */
  stop?: string[] | undefined;
  /** The same seed gives similar answers at providers that know it. */
  seed?: number | undefined;
  /** For models that reason; others may refuse it. */
  reasoningEffort?: 'low' | 'medium' | 'high' | undefined;
}

export interface ScheduleDeleted {
  deleted: boolean;
  scheduleId: string;
}

export interface ScheduleItem {
  id: string;
  workflowId: string;
  title: string;
  /** minute hour day month weekday */
  cron: string;
  /** An IANA name. */
  timeZone: string;
  /** The inputs of each run. */
  inputs: Record<string, unknown>;
  /** How a tick is handled while a run of an earlier tick has not ended. */
  overlap: 'skip' | 'queue' | 'allow';
  /** How ticks are handled that were due while no scheduler was running. */
  missed: 'skip' | 'run_once';
  enabled: boolean;
  /** The reason of the pause. */
  pausedReason: string | null;
  /** The rights of the runs that it starts. */
  authority: TriggerAuthority;
  /** The right that its creator lost. Nothing is started or sent until a take-over. */
  suspendedReason: 'creator_removed' | 'creator_demoted' | 'account_closed' | 'credential_revoked' | null;
  nextAt: string | null;
  createdAt: string;
  updatedAt: string;
  workflowTitle: string;
  /** The newest tick. */
  lastTick: ScheduleTickItem | null;
}

export interface SchedulePatch {
  title?: string | undefined;
  /** minute hour day month weekday */
  cron?: string | undefined;
  /** An IANA name, such as Europe/Berlin. */
  timeZone?: string | undefined;
  inputs?: Record<string, unknown> | undefined;
  /** How a tick is handled while a run of an earlier tick has not ended. */
  overlap?: 'skip' | 'queue' | 'allow' | undefined;
  /** How ticks are handled that were due while no scheduler was running. */
  missed?: 'skip' | 'run_once' | undefined;
  /** false pauses it; true resumes it. */
  enabled?: boolean | undefined;
}

export interface SchedulePreview {
  /** The next ticks if the schedule is not paused. */
  at: string[];
}

export interface ScheduleRecord {
  id: string;
  workflowId: string;
  title: string;
  /** minute hour day month weekday */
  cron: string;
  /** An IANA name. */
  timeZone: string;
  /** The inputs of each run. */
  inputs: Record<string, unknown>;
  /** How a tick is handled while a run of an earlier tick has not ended. */
  overlap: 'skip' | 'queue' | 'allow';
  /** How ticks are handled that were due while no scheduler was running. */
  missed: 'skip' | 'run_once';
  enabled: boolean;
  /** The reason of the pause. */
  pausedReason: string | null;
  /** The rights of the runs that it starts. */
  authority: TriggerAuthority;
  /** The right that its creator lost. Nothing is started or sent until a take-over. */
  suspendedReason: 'creator_removed' | 'creator_demoted' | 'account_closed' | 'credential_revoked' | null;
  nextAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface ScheduleTickItem {
  tickAt: string;
  outcome: 'waiting' | 'started' | 'skipped' | 'missed' | 'failed';
  reason: string | null;
  runId: string | null;
  decidedAt: string;
}

export interface Score {
  /** The name of the scorer. */
  scorer: string;
  pass: boolean;
  score: number;
  reason: string;
  /** Why the score could not be made, which then counts as 0. */
  error: string | null;
  /** The failed ones come first. */
  assertions: AssertionScore[];
  /** null for checks and http. */
  judge: ScoreJudge | null;
}

export interface ScoreBound {
  /** The name of a score, such as that of a scorer in a rule of evaluation, or feedback. */
  name: string;
  /** The mean of the scores must not be lower. */
  min: number;
}

export interface ScoreBucket {
  /** The beginning of the bucket. */
  at: string;
  scores: number;
  mean: MeanEstimate;
}

export interface ScoreComparison {
  difference: number;
  low: number;
  high: number;
  /** alike: within five points. too_few_scores: too few scores to say. */
  result: 'higher' | 'lower' | 'alike' | 'too_few_scores';
}

export interface ScoreCondition {
  /** The name of a score. */
  name: string;
  /** At least this score. */
  min?: number | undefined;
  /** At most this score. */
  max?: number | undefined;
}

export interface ScoreDifference {
  /** The mean over cases of this arm minus the baseline. */
  mean: number;
  low: number;
  high: number;
  /** Of the sign test over cases, adjusted by Holm over the arms. */
  pValue: number;
  /** Cases with a higher score than the baseline. */
  better: number;
  worse: number;
  equal: number;
  /** The cases with which a loss of 10 points is found in 80 of 100 experiments. */
  casesNeeded: number | null;
}

export interface ScoreJudge {
  /** The model, or offline for measured features. */
  model: string;
  /** The version of the prompt of the judge. */
  prompt: string | null;
  /** Its SHA-256. */
  promptHash: string | null;
  /** The runs of the judge. */
  runIds: string[];
}

export interface ScoreSeries {
  /** The name of the score. */
  name: string;
  scores: number;
  /** Scores that could not be made; means leave them out. */
  errors: number;
  mean: MeanEstimate;
  /** The last quarter of the range against the time before it. */
  drift: ScoreComparison;
  /** Buckets with scores, the oldest first. */
  buckets: ScoreBucket[];
}

export interface ScoreStatistics {
  from: string;
  to: string;
  interval: 'minute' | 'hour' | 'day';
  /** More scores match than are counted; the oldest of them are left out. */
  truncated: boolean;
  series: ScoreSeries[];
}

export interface ScoreStatisticsQuery {
  /** The lens whose scores are counted. */
  lensId?: string | undefined;
  /** The workflow whose scores are counted, when no lens is given. */
  workflowId?: string | undefined;
  /** Only runs of this label. */
  label?: string | undefined;
  /** Only scores with this name. */
  name?: string | undefined;
  /** Scores given at or after this time; 28 days ago when absent. */
  from?: string | undefined;
  /** Scores given before this time; now when absent. */
  to?: string | undefined;
  /** The length of a bucket. Days begin at midnight UTC. A range has at most 1500 buckets. */
  interval?: 'minute' | 'hour' | 'day' | undefined;
}

export interface Scorer {
  /** check: assertions about the output, computed without a model. model: a model judges the output. pairwise: a model compares the output with that of the baseline, in both orders; a win is 1, a tie 0.5. http: a program of yours scores the output; for stored scorers. */
  kind: 'check' | 'model' | 'pairwise' | 'http';
  /** Of a check: assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant. */
  assertions?: Record<string, unknown>[] | undefined;
  /** Of a model. rubric: how well the output meets a rubric. factuality: whether it contradicts the expected answer. closedQuestion: yes or no to a question about it. contextRelevance: how much of the context is about the input. contextFaithfulness: how much of the output follows from the context. criteria: the weighted mean of marks. goalSuccess: whether the calls of tools and the output reach a goal. similarity: the cosine of the embeddings of the output and the expected answer. */
  method?:
    | 'rubric'
    | 'factuality'
    | 'closedQuestion'
    | 'contextRelevance'
    | 'contextFaithfulness'
    | 'criteria'
    | 'goalSuccess'
    | 'similarity'
    | undefined;
  /** Of rubric, closedQuestion and goalSuccess: the rubric, the question, or the goal; {{Name}} is a parameter of the case. */
  rubric?: string | undefined;
  /** Of criteria. */
  criteria?: ScorerCriterion[] | undefined;
  /** Of contextRelevance and contextFaithfulness: the parameter or member of metadata that has the context; context when absent. */
  context?: string | undefined;
  /** Of model and pairwise: the model that judges, with the capability json, or embeddings for similarity. When absent, outputs are judged by measured features, without a model; similarity uses the default model for embeddings. */
  model?: string | undefined;
  /** Of http: the address that gets a signed POST for each output, and answers {score, pass?, reason?}. */
  url?: string | undefined;
  /** The score from which an output passes. When absent, all assertions of a check must pass, similarity must be 0.75, and 0.5 is enough for others. */
  threshold?: number | undefined;
  /** Letters, digits, dots, dashes and underscores; unique in the experiment. */
  name: string;
}

export interface ScorerCreate {
  /** Letters, digits, dots, dashes and underscores; unique in the account. */
  name: string;
  rule: ScorerRule;
}

export interface ScorerCreated {
  id: string;
  name: string;
  /** Each change makes a new version; earlier ones stay. */
  version: number;
  rule: ScorerRule;
  createdAt: string;
  /** When this version was made. */
  updatedAt: string;
  /** Of http: the secret that its calls are signed with, which no other reply has. */
  secret: string | null;
}

export interface ScorerCriterion {
  name: string;
  description: string;
  /** 1 when absent. */
  weight?: number | undefined;
  /** The meaning of the marks 1 to 5; from not at all to fully when absent. */
  anchors?: string[] | undefined;
}

export interface ScorerDifference {
  /** The name of a score. */
  first: string;
  /** The name of a score. */
  second: string;
  /** The scores differ by at least this; 0.5 when absent. */
  by?: number | undefined;
}

export interface ScorerReference {
  id: string;
  /** A version; the newest when absent. */
  version?: number | undefined;
}

export interface ScorerRemoved {
  scorerId: string;
  removed: boolean;
}

export interface ScorerResult {
  scorer: string;
  score: MeanScore;
  /** The share of the answers that pass. */
  passRate: number;
  /** The share of cases of which at least one repetition passes. */
  passAtK: number;
  /** The share of cases of which every repetition passes. */
  passHatK: number;
  /** Scores that could not be made, which count as 0. */
  errors: number;
  /** null for the baseline, and without one. */
  difference: ScoreDifference | null;
}

export interface ScorerRule {
  /** check: assertions about the output, computed without a model. model: a model judges the output. pairwise: a model compares the output with that of the baseline, in both orders; a win is 1, a tie 0.5. http: a program of yours scores the output; for stored scorers. */
  kind: 'check' | 'model' | 'pairwise' | 'http';
  /** Of a check: assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant. */
  assertions?: Record<string, unknown>[] | undefined;
  /** Of a model. rubric: how well the output meets a rubric. factuality: whether it contradicts the expected answer. closedQuestion: yes or no to a question about it. contextRelevance: how much of the context is about the input. contextFaithfulness: how much of the output follows from the context. criteria: the weighted mean of marks. goalSuccess: whether the calls of tools and the output reach a goal. similarity: the cosine of the embeddings of the output and the expected answer. */
  method?:
    | 'rubric'
    | 'factuality'
    | 'closedQuestion'
    | 'contextRelevance'
    | 'contextFaithfulness'
    | 'criteria'
    | 'goalSuccess'
    | 'similarity'
    | undefined;
  /** Of rubric, closedQuestion and goalSuccess: the rubric, the question, or the goal; {{Name}} is a parameter of the case. */
  rubric?: string | undefined;
  /** Of criteria. */
  criteria?: ScorerCriterion[] | undefined;
  /** Of contextRelevance and contextFaithfulness: the parameter or member of metadata that has the context; context when absent. */
  context?: string | undefined;
  /** Of model and pairwise: the model that judges, with the capability json, or embeddings for similarity. When absent, outputs are judged by measured features, without a model; similarity uses the default model for embeddings. */
  model?: string | undefined;
  /** Of http: the address that gets a signed POST for each output, and answers {score, pass?, reason?}. */
  url?: string | undefined;
  /** The score from which an output passes. When absent, all assertions of a check must pass, similarity must be 0.75, and 0.5 is enough for others. */
  threshold?: number | undefined;
}

export interface ScorerSample {
  output: string;
  /** Parameters as a case has them. */
  params?: Record<string, unknown> | undefined;
  expected?: unknown;
  /** Of pairwise: the output to compare with. */
  baseline?: string | undefined;
}

export interface ScorerTest {
  samples: ScorerSample[];
  /** A version; the newest when absent. */
  version?: number | undefined;
}

export interface ScorerTested {
  version: number;
  scores: SampleScore[];
}

export interface ScorerUpdate {
  rule: ScorerRule;
}

export interface ScorerVersionQuery {
  /** A version; the newest when absent. */
  version?: number | undefined;
}

export interface SecondPerson {
  /** The handles or ids of the people who may approve; replies have ids. When absent the owners and admins of the community that owns it, so that the label of a person needs some. */
  approvers?: string[] | undefined;
}

export interface ServiceTokenSummary {
  id: string;
  /** The first characters of its value. */
  prefix: string;
  createdAt: string;
  expiresAt: string;
  /** Updated at most once a minute. */
  lastUsedAt: string | null;
}

export interface SessionItem {
  id: string;
  /** browser: on the sign-in pages; client: of a program, such as the command line. */
  kind: 'browser' | 'client';
  /** The name of the program; null for a browser. */
  clientName: string | null;
  /** The IP address that opened it. */
  address: string | null;
  /** The User-Agent that opened it, as the browser or program named itself. */
  userAgent: string | null;
  /** The session of this request. */
  current: boolean;
  createdAt: string;
  /** Updated at most once a minute. */
  lastUsedAt: string | null;
  /** It ends at this time, and 30 days after its last use. */
  expiresAt: string;
}

export interface ShortListQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface SponsoredLens {
  lensId: string;
  enabled: boolean;
  credits: number;
  period: 'month' | 'total';
  /** The models that the pool pays for; null: every model whose run costs at most maxCreditsPerRun. */
  models: string[] | null;
  maxCreditsPerRun: number;
  /** The maximum cost of the runs of one account in a day (UTC). */
  maxCreditsPerCallerPerDay: number;
  /** Held for runs that have not ended. */
  held: number;
  /** Spent in this month or in total, as period says. */
  spent: number;
  updatedAt: string;
  /** The title of the lens. */
  lensTitle: string;
}

export interface Sponsorship {
  lensId: string;
  enabled: boolean;
  credits: number;
  period: 'month' | 'total';
  /** The models that the pool pays for; null: every model whose run costs at most maxCreditsPerRun. */
  models: string[] | null;
  maxCreditsPerRun: number;
  /** The maximum cost of the runs of one account in a day (UTC). */
  maxCreditsPerCallerPerDay: number;
  /** Held for runs that have not ended. */
  held: number;
  /** Spent in this month or in total, as period says. */
  spent: number;
  updatedAt: string;
}

export interface SponsorshipRequest {
  /** false: the pool pays for no runs. */
  enabled?: boolean | undefined;
  /** The maximum of your credits that runs of others may cost. */
  credits: number;
  /** month: credits are for each calendar month (UTC); total: for all time. */
  period?: 'month' | 'total' | undefined;
  /** The models that the pool pays for, as provider/key; when absent, every model whose run costs at most maxCreditsPerRun. */
  models?: string[] | undefined;
  /** The maximum cost of a run. */
  maxCreditsPerRun?: number | undefined;
  /** The maximum cost of the runs of one account in a day (UTC); runs that have not ended count with their holds. */
  maxCreditsPerCallerPerDay?: number | undefined;
}

export interface StartedAnswer {
  contenderId: string;
  runId: string;
}

export interface StatisticsRange {
  /** The beginning; it is moved to the start of its bucket. */
  from: string;
  /** The end; now when absent. */
  to?: string | undefined;
  /** The length of a bucket. Days begin at midnight UTC. A range has at most 1500 buckets. */
  interval?: 'minute' | 'hour' | 'day' | undefined;
}

export interface StoredScorer {
  id: string;
  name: string;
  /** Each change makes a new version; earlier ones stay. */
  version: number;
  rule: ScorerRule;
  createdAt: string;
  /** When this version was made. */
  updatedAt: string;
}

export interface Submission {
  /** The id of the contender, as in `contenders`. */
  contenderId: string;
  contentText: string;
  /** The run that wrote the text. */
  runId: string | null;
  submittedAt: string | null;
}

export interface SubmissionReceived {
  /** The number of contenders who have submitted. */
  received: number;
  /** The number of contenders. */
  of: number;
}

export interface Submitted {
  battleId: string;
  contenderId: string;
  submitted: boolean;
  /** True when the text replaced an earlier one. */
  replaced: boolean;
  /** The status after the submission. */
  status: 'draft' | 'open' | 'executing' | 'voting' | 'scoring' | 'closed' | 'published' | 'archived';
}

export interface TeamRun {
  id: string;
  aiLenserId: string;
  workflowId: string;
  policy: 'auto' | 'manual';
  status: 'queued' | 'running' | 'blocked' | 'completed' | 'failed' | 'cancelled';
  createdAt: string;
  approvedAt: string | null;
  startedAt: string | null;
  completedAt: string | null;
  spentCredits: number;
}

export interface TeamRunRequest {
  workflowId: string;
  inputs?: Record<string, unknown> | undefined;
  /** manual: the run waits for its owner, at most 24 hours. */
  policy: 'auto' | 'manual';
}

export interface TestWebhookRequest {
  /** The type of the event, which has example data; webhook.test when absent. */
  event?:
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
    | undefined;
}

export interface Thread {
  id: string;
  subjectType: 'lens' | 'workflow' | 'battle' | 'run' | 'community' | null;
  subjectId: string | null;
  title: string;
  visibility: 'subject' | 'private' | 'community' | 'public';
  status: 'open' | 'closed';
  /** The account that created the thread. */
  owner: AuthorRef;
  /** The number of messages, with hidden and deleted ones. */
  messageCount: number;
  createdAt: string;
  lastMessageAt: string | null;
  closedAt: string | null;
}

export interface ThreadListQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** With subjectId. Threads without a subject when left out. */
  subjectType?: 'lens' | 'workflow' | 'battle' | 'run' | 'community' | undefined;
  /** With subjectType. */
  subjectId?: string | undefined;
  status?: 'open' | 'closed' | undefined;
}

export interface ThreadPatch {
  title?: string | undefined;
  /** A closed thread takes no messages and no edits. */
  status?: 'open' | 'closed' | undefined;
}

export interface ThreadUpdated {
  title: string;
  status: 'open' | 'closed';
}

export interface TokenBudget {
  /** The maximum credits that runs started with the token may cost. */
  creditLimit: number;
  /** month: the limit is for each calendar month (UTC); total: for all time. */
  creditPeriod: 'month' | 'total';
  /** Spent in this month or in total, as period says. */
  spent: number;
  /** Held for runs that have not ended. */
  held: number;
  /** creditLimit minus spent and held; the balance of the account may be smaller. */
  remaining: number;
}

export interface TokenDetails {
  /** Input that providers read from their caches; part of tokenInput. */
  cachedInput: number;
  /** Input that providers wrote to their caches; part of tokenInput. */
  cacheWrite: number;
  /** Output of reasoning; part of tokenOutput. */
  reasoning: number;
  /** The credits that caches saved; negative if writing cost more than reading saved. */
  creditsSaved: number;
}

export interface TokenLimitRequest {
  /** The maximum credits that runs started with the token may cost; when absent, only the balance of the account limits them. */
  creditLimit: number | null;
  /** month: the limit is for each calendar month (UTC); total: for all time. */
  creditPeriod?: 'month' | 'total' | undefined;
}

export interface TokenQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Tokens of this kind only. */
  kind?: 'mcp' | 'developer' | 'organisation' | 'service' | undefined;
  /** Tokens of this community only. */
  communityId?: string | undefined;
}

export interface TokenSummary {
  id: string;
  kind: 'mcp' | 'developer' | 'organisation' | 'service';
  /** The account that it acts for: a person or a community. */
  accountId: string;
  /** The connector of a service token. */
  connectorId: string | null;
  label: string;
  scopes: (
    | 'lenses:read'
    | 'lenses:write'
    | 'agents:read'
    | 'agents:write'
    | 'workflows:read'
    | 'workflows:write'
    | 'threads:read'
    | 'threads:write'
    | 'community:read'
    | 'community:write'
    | 'connectors:read'
    | 'connectors:write'
    | 'tokens:read'
    | 'tokens:write'
  )[];
  /** The first characters of its value. */
  prefix: string;
  /** The maximum credits that runs started with it may cost; null: the balance of the account. */
  creditLimit: number | null;
  creditPeriod: 'month' | 'total';
  createdAt: string;
  expiresAt: string | null;
  /** Updated at most once a minute. */
  lastUsedAt: string | null;
  revokedAt: string | null;
}

export interface TokensQuery {
  /** Tokens of this kind. */
  kind: 'mcp' | 'developer' | 'organisation' | 'service';
  /** Tokens of this community instead of the caller's own. */
  communityId?: string | undefined;
}

export interface ToolResult {
  /** A call of requiredAction. */
  callId: string;
  /** The result: any JSON, of at most 100,000 characters; this or error. */
  output?: unknown;
  /** The reason why there is no result; the model reads it. */
  error?: string | undefined;
}

export interface ToolResults {
  results: ToolResult[];
}

export interface ToolResultsAccepted {
  runId: string;
  /** The calls that still wait. */
  requiredAction: RequiredAction | null;
}

export interface TriggerAuthority {
  /** The person who set it up or took it over; null when unknown. */
  accountId: string | null;
  /** The handle of that person. */
  handle: string | null;
  /** The kind of credential that was used, such as session or developer. */
  credentialKind: string | null;
  /** Runs and their agents have these scopes at most. */
  scopes: (
    | 'lenses:read'
    | 'lenses:write'
    | 'agents:read'
    | 'agents:write'
    | 'workflows:read'
    | 'workflows:write'
    | 'threads:read'
    | 'threads:write'
    | 'community:read'
    | 'community:write'
    | 'connectors:read'
    | 'connectors:write'
    | 'tokens:read'
    | 'tokens:write'
  )[];
  /** The credit limit of the token that was used; runs count against it. */
  creditLimit: number | null;
}

export interface Unmuted {
  threadId: string;
  accountId: string;
  muted: boolean;
}

export interface UnprocessableParamsDetails {
  /** Required members that are absent. */
  missing: string[];
  /** Members with an invalid value. */
  invalid: RequestIssue[];
}

export interface UpdateIncomingWebhookRequest {
  /** The workflow that later calls start. */
  workflowId?: string | undefined;
  name?: string | undefined;
  /** false: calls get the same response as for an unknown webhook. */
  enabled?: boolean | undefined;
}

export interface UsedScorer {
  /** check: assertions about the output, computed without a model. model: a model judges the output. pairwise: a model compares the output with that of the baseline, in both orders; a win is 1, a tie 0.5. http: a program of yours scores the output; for stored scorers. */
  kind: 'check' | 'model' | 'pairwise' | 'http';
  /** Of a check: assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant. */
  assertions?: Record<string, unknown>[] | undefined;
  /** Of a model. rubric: how well the output meets a rubric. factuality: whether it contradicts the expected answer. closedQuestion: yes or no to a question about it. contextRelevance: how much of the context is about the input. contextFaithfulness: how much of the output follows from the context. criteria: the weighted mean of marks. goalSuccess: whether the calls of tools and the output reach a goal. similarity: the cosine of the embeddings of the output and the expected answer. */
  method?:
    | 'rubric'
    | 'factuality'
    | 'closedQuestion'
    | 'contextRelevance'
    | 'contextFaithfulness'
    | 'criteria'
    | 'goalSuccess'
    | 'similarity'
    | undefined;
  /** Of rubric, closedQuestion and goalSuccess: the rubric, the question, or the goal; {{Name}} is a parameter of the case. */
  rubric?: string | undefined;
  /** Of criteria. */
  criteria?: ScorerCriterion[] | undefined;
  /** Of contextRelevance and contextFaithfulness: the parameter or member of metadata that has the context; context when absent. */
  context?: string | undefined;
  /** Of model and pairwise: the model that judges, with the capability json, or embeddings for similarity. When absent, outputs are judged by measured features, without a model; similarity uses the default model for embeddings. */
  model?: string | undefined;
  /** Of http: the address that gets a signed POST for each output, and answers {score, pass?, reason?}. */
  url?: string | undefined;
  /** The score from which an output passes. When absent, all assertions of a check must pass, similarity must be 0.75, and 0.5 is enough for others. */
  threshold?: number | undefined;
  /** Letters, digits, dots, dashes and underscores; unique in the experiment. */
  name: string;
  /** The stored scorer that it is; null for one of the experiment alone. */
  scorerId: string | null;
  /** The version of the stored scorer. */
  version: number | null;
}

export interface Verdict {
  contenderId: string;
  verdict: string;
  score: number;
  reasoning: string;
  createdAt: string;
}

export interface Vote {
  battleId: string;
  /** The places from best to worst; ids that share a place are in one list. */
  ranking: string[][];
  comment: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface VoteAggregate {
  contenderId: string;
  /** The number of votes that place the contender first alone. */
  voteCount: number;
  /** The mean Borda score. */
  voteScore: number;
}

export interface VoteRequest {
  /** The best entry, by the id of the ballot. */
  winner?: string | undefined;
  /** The entries from best to worst. Entries that are left out share the remaining places. */
  ranking?: string[] | undefined;
  /** True when no entry is better than another. */
  tie?: boolean | undefined;
  comment?: string | undefined;
}

export interface VotesCounted {
  /** The number of accounts that have voted. */
  votes: number;
}

export interface WaitAnswered {
  received: boolean;
}

export interface WaitUrl {
  /** A callback URL for one call. It is shown only now; a new one replaces it. */
  url: string;
  expiresAt: string;
}

export interface WantedArm {
  /** The id, the number or another label of the version. */
  version: string;
  /** The percentage of sticky keys that get it. */
  weight: number;
}

export interface WebhookAttemptReply {
  number: number;
  /** null: there was no response. */
  status: number | null;
  /** The reason of the failure, such as connect_failed, answer_timeout or redirected. */
  error: string | null;
  detail: string | null;
  /** The first 4 KB of the response, as text. */
  answer: string;
  durationMs: number;
  /** The time at which it ended. */
  at: string;
}

export interface WebhookDeliveryItem {
  id: string;
  endpointId: string;
  /** The event id that the receiver gets: the same in every attempt, redelivery and replay. */
  eventId: string;
  event:
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
    | 'webhook.test';
  /** The last cause of the delivery. */
  cause: 'event' | 'test' | 'redelivery' | 'replay';
  /** exhausted: all attempts failed. canceled: the endpoint was disabled before. */
  state: 'pending' | 'sending' | 'delivered' | 'exhausted' | 'canceled';
  /** Attempts with a known outcome since the last redelivery. */
  tries: number;
  /** The HTTP status of the last response. */
  lastStatus: number | null;
  /** The reason of the last failure, when it is not the HTTP status. */
  lastError: string | null;
  /** The time of the next attempt. */
  nextAttemptAt: string | null;
  createdAt: string;
  endedAt: string | null;
}

export interface WebhookDeliveryQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  state?: 'pending' | 'sending' | 'delivered' | 'exhausted' | 'canceled' | undefined;
  event?:
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
    | 'webhook.test'
    | undefined;
  /** Deliveries created at or after this time. */
  from?: string | undefined;
  /** Deliveries created before this time. */
  to?: string | undefined;
}

export interface WebhookDeliveryReply {
  id: string;
  endpointId: string;
  /** The event id that the receiver gets: the same in every attempt, redelivery and replay. */
  eventId: string;
  event:
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
    | 'webhook.test';
  /** The last cause of the delivery. */
  cause: 'event' | 'test' | 'redelivery' | 'replay';
  /** exhausted: all attempts failed. canceled: the endpoint was disabled before. */
  state: 'pending' | 'sending' | 'delivered' | 'exhausted' | 'canceled';
  /** Attempts with a known outcome since the last redelivery. */
  tries: number;
  /** The HTTP status of the last response. */
  lastStatus: number | null;
  /** The reason of the last failure, when it is not the HTTP status. */
  lastError: string | null;
  /** The time of the next attempt. */
  nextAttemptAt: string | null;
  createdAt: string;
  endedAt: string | null;
  /** The oldest first. */
  attempts: WebhookAttemptReply[];
  /** The request that is sent to the endpoint. */
  request: WebhookRequestReply;
}

export interface WebhookEndpointChange {
  /** An https:// address without user name, password and fragment. */
  url?: string | undefined;
  /** The types of events to deliver. */
  events?:
    | (
        | 'run.completed'
        | 'run.failed'
        | 'run.scored'
        | 'battle.completed'
        | 'experiment.completed'
        | 'label.returned'
        | 'lens.published'
        | 'member.joined'
      )[]
    | undefined;
  /** A description for lists. */
  description?: string | undefined;
}

export interface WebhookEndpointReply {
  id: string;
  url: string;
  description: string;
  events: (
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
  )[];
  enabled: boolean;
  /** gone: it returned 410. failing: all deliveries failed for days. owner: it was disabled by request. */
  disabledReason: 'gone' | 'failing' | 'owner' | null;
  /** The person who created it or took it over; null when unknown. */
  creatorId: string | null;
  /** The right that its creator lost. Nothing is started or sent until a take-over. */
  suspendedReason: 'creator_removed' | 'creator_demoted' | 'account_closed' | 'credential_revoked' | null;
  disabledAt: string | null;
  /** The first failure since the last success. */
  failingSince: string | null;
  /** After repeated failures, deliveries wait until this time. */
  pausedUntil: string | null;
  /** The time until which the previous secret also signs. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface WebhookEndpointWithSecret {
  id: string;
  url: string;
  description: string;
  events: (
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
  )[];
  enabled: boolean;
  /** gone: it returned 410. failing: all deliveries failed for days. owner: it was disabled by request. */
  disabledReason: 'gone' | 'failing' | 'owner' | null;
  /** The person who created it or took it over; null when unknown. */
  creatorId: string | null;
  /** The right that its creator lost. Nothing is started or sent until a take-over. */
  suspendedReason: 'creator_removed' | 'creator_demoted' | 'account_closed' | 'credential_revoked' | null;
  disabledAt: string | null;
  /** The first failure since the last success. */
  failingSince: string | null;
  /** After repeated failures, deliveries wait until this time. */
  pausedUntil: string | null;
  /** The time until which the previous secret also signs. */
  previousSecretUntil: string | null;
  createdAt: string;
  updatedAt: string;
  /** The secret that signs deliveries. It is shown only now and stored sealed. */
  secret: string;
}

export interface WebhookEventQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  event?:
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
    | 'webhook.test'
    | undefined;
  /** Events at or after this time. */
  from?: string | undefined;
  /** Events before this time. */
  to?: string | undefined;
}

export interface WebhookEventReply {
  id: string;
  event:
    | 'run.completed'
    | 'run.failed'
    | 'run.scored'
    | 'battle.completed'
    | 'experiment.completed'
    | 'label.returned'
    | 'lens.published'
    | 'member.joined'
    | 'webhook.test';
  occurredAt: string;
  /** The data of the event. */
  data: unknown;
}

export interface WebhookListening {
  /** Events are stored until then; a listener calls again before. */
  until: string;
}

export interface WebhookReplayReply {
  id: string;
  endpointId: string;
  from: string;
  to: string;
  what: 'undelivered' | 'all';
  /** canceled: the endpoint was disabled during the replay. */
  state: 'running' | 'done' | 'canceled';
  /** The number of events that were checked. */
  looked: number;
  /** The number of deliveries that were created or redelivered. */
  made: number;
  /** The time of the last event that was checked. */
  reachedAt: string | null;
  createdAt: string;
  endedAt: string | null;
}

export interface WebhookReplayRequest {
  /** Events at or after this time. */
  from: string;
  /** Events before this time; the current time when absent. */
  to?: string | undefined;
  /** undelivered: events that the endpoint has not accepted; all: all events. */
  what?: 'undelivered' | 'all' | undefined;
}

export interface WebhookRequestReply {
  /** The headers that all attempts have. The signatures and the time of an attempt are not stored. */
  headers: Record<string, unknown>;
  /** The JSON that all attempts have, without its last member signature. */
  body: string;
}

export interface WebhookTestReply {
  /** The delivery, to read its outcome. */
  deliveryId: string;
  eventId: string;
}

export interface WorkerStatus {
  /** The name of the run-worker. */
  worker: string;
  /** Runs that it executes. */
  runs: number;
  /** Seconds until the first of its leases expires; negative when it has expired. */
  leaseSeconds: number;
}

export interface WorkflowCandidate {
  /** {nodes, edges, inputs?, outputs?}; see docs/workflows.md. */
  graph: Record<string, unknown>;
}

export interface WorkflowCandidateSaved {
  id: string;
  number: number;
  /** False for the graph of the newest version, which is saved already. */
  isCandidate: boolean;
}

export interface WorkflowChange {
  path: string;
  before: unknown;
  after: unknown;
}

export interface WorkflowDeleted {
  deleted: boolean;
  workflowId: string;
}

export interface WorkflowDiffQuery {
  /** The id, the number or a label of a version. */
  from: string;
  /** The newest version when absent. */
  to?: string | undefined;
}

export interface WorkflowDiffReply {
  workflowId: string;
  from: WorkflowVersionRef;
  to: WorkflowVersionRef;
  nodes: WorkflowNodesDiff;
  edges: WorkflowEdgesDiff;
  /** Changes of inputs and outputs. */
  changes: WorkflowChange[];
}

export interface WorkflowDryRunNode {
  id: string;
  type: string;
  /** The level of the node; nodes of one level do not depend on each other. */
  level: number;
  /** depends: the result of an earlier node decides. */
  verdict: 'runs' | 'skipped' | 'depends';
  /** The number of times that a map runs, if its items are known; the cost includes its nodes. */
  times: number | null;
  /** The maximum cost, as far as it is known. */
  estimatedCredits: number;
}

export interface WorkflowDryRunReply {
  workflowId: string;
  /** The version that was checked; with a graph the newest one. */
  version: WorkflowVersionRef;
  /** The ids of nodes, by level. */
  levels: string[][];
  nodes: WorkflowDryRunNode[];
  /** The maximum cost of all nodes that run or may run. */
  estimatedCredits: number;
}

export interface WorkflowDryRunRequest {
  /** Inputs to evaluate conditions with. */
  inputs?: Record<string, unknown> | undefined;
  modelOverride?: string | undefined;
  /** The id, number or label of a version; when absent the newest, or that of the default label. */
  version?: string | undefined;
  /** A graph that is not saved, to check in place of a version. */
  graph?: Record<string, unknown> | undefined;
}

export interface WorkflowEdgeShape {
  from: string;
  to: string;
  output?: string | undefined;
  input?: string | undefined;
  when?: string | undefined;
}

export interface WorkflowEdgesDiff {
  added: WorkflowEdgeShape[];
  removed: WorkflowEdgeShape[];
}

export interface WorkflowFile {
  format: 'lensforge.workflow';
  formatVersion: number;
  /** The id of the workflow in its own graphs, for recursive calls. */
  id?: string | undefined;
  title: string;
  description?: string | undefined;
  visibility?: 'public' | 'private' | 'unlisted' | undefined;
  /** The oldest first. */
  versions: WorkflowFileVersion[];
  /** The lenses of the graphs; those that the importer cannot use are created as private lenses. */
  lenses?: WorkflowFileLens[] | undefined;
  /** Schedules, which are imported as paused. */
  schedules?: WorkflowFileSchedule[] | undefined;
}

export interface WorkflowFileLens {
  /** The id of the lens in the graphs. */
  id: string;
  title: string;
  description?: string | undefined;
  templateBody: string;
  settings?: LensSettings | null | undefined;
  includes?: LensFileInclude[] | null | undefined;
}

export interface WorkflowFileSchedule {
  title: string;
  cron: string;
  timeZone?: string | undefined;
  inputs?: Record<string, unknown> | undefined;
  overlap?: 'skip' | 'queue' | 'allow' | undefined;
  missed?: 'skip' | 'run_once' | undefined;
}

export interface WorkflowFileVersion {
  /** {nodes, edges, inputs?, outputs?}; see docs/workflows.md. */
  graph: Record<string, unknown>;
  changelog?: string | undefined;
  createdAt: string;
}

export interface WorkflowGraphRequest {
  /** {nodes, edges, inputs?, outputs?}; see docs/workflows.md. */
  graph?: Record<string, unknown> | undefined;
  /** A member of the graph, when the body is the graph itself. */
  nodes?: unknown;
  /** A member of the graph, when the body is the graph itself. */
  edges?: unknown;
  /** A member of the graph, when the body is the graph itself. */
  inputs?: unknown;
  /** A member of the graph, when the body is the graph itself. */
  outputs?: unknown;
  changelog?: string | undefined;
  /** The version on which the graph was made. A newer version answers 409; without it, none does. */
  baseVersionId?: string | undefined;
}

export interface WorkflowItem {
  id: string;
  title: string;
  description: string;
  author: AuthorRef;
  createdAt: string;
  updatedAt: string;
  visibility: 'public' | 'private' | 'unlisted';
  /** The newest version, or that of the default label. */
  headVersion: WorkflowVersionRef;
}

export interface WorkflowLabelMove {
  id: string;
  label: string;
  /** return: it went back to the version before. */
  kind: 'set' | 'return' | 'remove';
  /** The arms after the move. */
  arms: LabelArm[] | null;
  /** The arms before the move. */
  armsBefore: LabelArm[] | null;
  reason: string | null;
  /** The experiment whose gate the version had passed. */
  evidence: LabelEvidence | null;
  /** It moved against its rules. */
  overridden: boolean;
  /** The account of the second person who approved it. */
  approvedBy: string | null;
  /** The kind of the credential that moved it. */
  credential: 'session' | 'mcp' | 'developer' | 'organisation' | 'service' | 'service_role';
  movedAt: string;
  /** null when the label was removed. */
  version: WorkflowVersionRef | null;
  /** The version before the move; null for a new label. */
  before: WorkflowVersionRef | null;
}

export interface WorkflowLabelPlace {
  label: string;
  versionId: string;
  /** Versions that a part of the callers get instead; null without any. */
  arms: LabelArm[] | null;
  /** Only a person who is signed in can move or remove it. */
  protected: boolean;
  /** The conditions of its moves. */
  rules: LabelRules | null;
  /** When it returns by itself; null: never. */
  bounds: LabelBounds | null;
  /** The version that it returned from, until it is set again. */
  returned: LabelReturned | null;
  /** The proposal for its next move, which waits for a second person. */
  proposalId: string | null;
  updatedAt: string;
  number: number;
}

export interface WorkflowLabelRemoved {
  workflowId: string;
  label: string;
  removed: boolean;
}

export interface WorkflowLabelRequest {
  /** The id, the number or another label of the version to point at. */
  version: string;
  /** Versions that a part of the callers get instead, chosen by the sticky key of a run. When absent they stay if the version does; null: none. */
  arms?: WantedArm[] | null | undefined;
  /** Only a person who is signed in can move or remove a protected label. A new label is not protected; unchanged when absent. */
  protected?: boolean | undefined;
  /** Why it moves, for its history. */
  reason?: string | undefined;
  /** Conditions of its moves, which only a person who is signed in sets and removes; unchanged when absent. null: none. */
  rules?: LabelRules | null | undefined;
  /** When it returns by itself to the version before, by the runs of your account. For a label that is protected or has rules, a person who is signed in sets them; unchanged when absent. null: never. */
  bounds?: LabelBounds | null | undefined;
  /** The experiment whose gate the version has passed; the newest that fits when absent. */
  experimentId?: string | undefined;
  /** Moves it against its rules: for a person who is signed in, with a reason. */
  override?: boolean | undefined;
}

export interface WorkflowNodeChanges {
  id: string;
  changes: WorkflowChange[];
}

export interface WorkflowNodesDiff {
  added: string[];
  removed: string[];
  changed: WorkflowNodeChanges[];
}

export interface WorkflowOfLens {
  id: string;
  title: string;
  /** The versions that its nodes name: ids, numbers or labels; latest for nodes that name none. */
  versions: string[];
  createdAt: string;
}

export interface WorkflowPatch {
  title?: string | undefined;
  description?: string | undefined;
  visibility?: 'public' | 'private' | 'unlisted' | undefined;
  /** A label: callers that name no version get its version instead of the newest one. null ends that. */
  defaultLabel?: string | null | undefined;
}

export interface WorkflowQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  visibility?: 'public' | 'private' | 'unlisted' | undefined;
  /** Workflows of this account. */
  author?: string | undefined;
}

export interface WorkflowRecord {
  id: string;
  title: string;
  description: string;
  author: AuthorRef;
  createdAt: string;
  updatedAt: string;
  visibility: 'public' | 'private' | 'unlisted';
  /** The newest version. For others than the owner, the version of the default label. */
  headVersion: WorkflowVersionRecord;
  labels: WorkflowLabelPlace[];
  /** Callers that name no version get the one of this label; the newest when null. */
  defaultLabel: string | null;
  /** The version that callers get that name none. */
  servedVersion: WorkflowVersionRef;
  /** For the owner only. */
  schedules: ScheduleRecord[];
}

export interface WorkflowRunRequest {
  /** Of your runs of this lens or workflow with the same key, one executes at a time. */
  concurrencyKey?: string | undefined;
  /** When another run with the key has not ended: queue (default) waits for it, cancel-in-progress cancels it and the waiting ones, cancel-newest cancels this run. */
  concurrencyStrategy?: 'queue' | 'cancel-in-progress' | 'cancel-newest' | undefined;
  /** The inputs of the workflow. */
  inputs: Record<string, unknown>;
  /** The model for all nodes that use one. */
  modelOverride?: string | undefined;
  /** The source that pays for all nodes; user_byok_local is for lenses only. */
  fundingSource?: 'user_byok_cloud' | 'user_byok_local' | 'platform_credit' | 'sponsored' | undefined;
  /** Required when fundingSource is user_byok_cloud. */
  byokKeyRefId?: string | undefined;
  /** A repeated request with the same key within 24 hours returns the same run. */
  idempotencyKey?: string | undefined;
  /** The id, number or label of a version; when absent the newest, or that of the default label. */
  version?: string | undefined;
  /** Decides which arm of a label the run gets, for example the id of a user of yours: the same key always gets the same arm. Your account when absent. */
  stickyKey?: string | undefined;
  /** The maximum cost of all nodes together. */
  budgetCredits?: number | undefined;
  /** Tags to find the run by. */
  tags?: string[] | undefined;
  /** Your own notes, stored with the run. */
  metadata?: Record<string, unknown> | undefined;
}

export interface WorkflowRunsQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Runs with one of these statuses. */
  status?: ('queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'timed_out')[] | undefined;
}

export interface WorkflowVersionItem {
  id: string;
  number: number;
  /** Including the nodes of maps. */
  nodeCount: number;
  changelog: string;
  createdAt: string;
}

export interface WorkflowVersionRecord {
  id: string;
  number: number;
  /** Including the nodes of maps. */
  nodeCount: number;
  changelog: string;
  createdAt: string;
  workflowId: string;
  /** {nodes, edges, inputs?, outputs?}; see docs/workflows.md. */
  graph: unknown;
}

export interface WorkflowVersionRef {
  id: string;
  number: number;
}

export interface WorkflowVersionsQuery {
  /** The maximum number of items. */
  limit?: number | undefined;
  /** The number of items to skip, after the cursor if there is one. */
  offset?: number | undefined;
  /** meta.nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface RunEventPayloads {
  'run.queued': RunQueued;
  'run.started': RunStarted;
  'run.progress': RunProgress;
  'run.retrying': RunRetrying;
  'run.requires_action': RunRequiresAction;
  'run.succeeded': RunSucceeded;
  'run.failed': RunFailed;
  'run.canceled': RunEnded;
  'run.timed_out': RunEnded;
  'node.queued': NodeRef;
  'node.waiting': NodeWaiting;
  'node.started': NodeStarted;
  'node.output.delta': NodeOutputDelta;
  'node.retrying': NodeRetrying;
  'node.succeeded': NodeSucceeded;
  'node.failed': NodeFailed;
  'node.skipped': NodeRef;
  'node.canceled': NodeRef;
  'node.timed_out': NodeFailed;
  'artifact.created': ArtifactCreated;
  'credits.reserved': CreditsMoved;
  'credits.charged': CreditsMoved;
  'credits.released': CreditsMoved;
  'approval.requested': ApprovalRequested;
  'approval.resolved': ApprovalResolved;
  'judging.progress': JudgingProgress;
  'agent.thought': AgentThought;
  'agent.step': AgentStepDone;
  'agent.tool_input.delta': AgentToolInputDelta;
  'agent.tool_call': AgentToolCall;
  'agent.tool_result': AgentToolResult;
  'agent.context_reduced': AgentContextReduced;
  log: LogLine;
}

export interface BattleEventPayloads {
  'contender.added': ContendersChanged;
  'contender.withdrawn': ContendersChanged;
  'submission.received': SubmissionReceived;
  'votes.counted': VotesCounted;
  'judging.progress': BattleJudgingProgress;
  'status.changed': BattleStatusChanged;
}

export interface ExperimentEventPayloads {
  'cells.scored': ExperimentProgress;
  'status.changed': ExperimentStatusChanged;
}

export interface AgentEventPayloads {
  'tool.assigned': AgentToolAssigned;
  'tool.revoked': AgentToolRevoked;
  'tool.suspended': AgentToolSuspended;
  'tool.decided': AgentToolDecided;
  'action.decided': AgentActionDecided;
  'approval.requested': AgentApprovalRequested;
  'approval.decided': AgentApprovalDecided;
  'run.started': AgentRunStarted;
  'run.approved': AgentRunApproved;
  'run.ended': AgentRunEnded;
  'agent.archived': AgentArchived;
}

export interface ThreadEventPayloads {
  'message.posted': MessageChanged;
  'message.edited': MessageChanged;
  'message.deleted': MessageChanged;
  'message.hidden': MessageChanged;
  'message.shown': MessageChanged;
  'thread.updated': ThreadUpdated;
  'answer.changed': AnswerChanged;
}

export interface WebhookEventData {
  'run.completed': RunCompletedData;
  'run.failed': RunFailedData;
  'run.scored': RunScoredData;
  'battle.completed': BattleCompletedData;
  'experiment.completed': ExperimentCompletedData;
  'label.returned': LabelReturnedData;
  'lens.published': LensPublishedData;
  'member.joined': MemberJoinedData;
}

export interface ErrorDetails {
  invalid_request: InvalidRequestDetails;
  unauthorized: undefined;
  insufficient_scope: InsufficientScopeDetails;
  forbidden: undefined;
  not_found: undefined;
  method_not_allowed: undefined;
  conflict: ConflictDetails;
  idempotency_key_reused: undefined;
  insufficient_credits: InsufficientCreditsDetails;
  payload_too_large: PayloadTooLargeDetails;
  unsupported_media_type: undefined;
  unprocessable_params: UnprocessableParamsDetails;
  rate_limited: RateLimitedDetails;
  internal_error: undefined;
  service_unavailable: undefined;
  partner_error: undefined;
}
