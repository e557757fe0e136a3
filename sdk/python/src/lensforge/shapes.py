"""The objects that cross the API. Written by `npm run generate` from the endpoint table of libs/contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class AccountSummary(TypedDict):
    id: str
    kind: Literal["person", "community"]
    handle: str
    displayName: str
    description: str


class AccountToClose(TypedDict):
    handle: str
    """The handle of the account, as a confirmation."""


class AgentActionDecided(TypedDict):
    actionId: str
    action: Literal["run_lens", "run_workflow", "submit_entry", "cast_vote", "join_battle", "create_battle"]
    verdict: Literal["allow", "ask", "deny"]
    result: Literal["success", "blocked_by_policy", "throttled", "failed"]
    reason: NotRequired[str]
    """The reason of a result other than success."""


class AgentActionReply(TypedDict):
    result: Literal["success", "blocked_by_policy", "throttled", "failed"]
    action: Literal["run_lens", "run_workflow", "submit_entry", "cast_vote", "join_battle", "create_battle"]
    aiLenserId: str
    reason: NotRequired[str]
    """The reason of a result other than success."""
    output: NotRequired[Dict[str, Any]]
    """Ids of what the action created, the approval that it needs, or a message."""


class AgentActionRequest(TypedDict):
    actionType: Literal["run_lens", "run_workflow", "submit_entry", "cast_vote", "join_battle", "create_battle"]
    contextType: NotRequired[Literal["lens", "workflow", "battle"]]
    """The kind of contextId."""
    contextId: NotRequired[str]
    """The lens, workflow or battle, instead of its id in metadata."""
    metadata: NotRequired[Dict[str, Any]]
    """The members of the action, such as lens_id and param_values, and idempotency_key."""


class AgentApproval(TypedDict):
    id: str
    aiLenserId: str
    action: Literal["run_lens", "run_workflow", "submit_entry", "cast_vote", "join_battle", "create_battle"]
    metadata: Dict[str, Any]
    """The metadata of the action, or the arguments of the tool call."""
    runId: str | None
    """The workflow run in which the AI lenser wants to call a tool."""
    toolId: str | None
    """The tool of that call."""
    status: Literal["pending", "approved", "denied", "expired"]
    requestedAt: str
    expiresAt: str
    decidedAt: str | None
    result: Literal["success", "blocked_by_policy", "throttled", "failed"] | None
    """The result of an approved action."""
    reason: str | None
    output: Dict[str, Any] | None


class AgentApprovalDecided(TypedDict):
    approvalId: str
    action: Literal["run_lens", "run_workflow", "submit_entry", "cast_vote", "join_battle", "create_battle"]
    status: Literal["approved", "denied"]
    result: NotRequired[Literal["success", "blocked_by_policy", "throttled", "failed"]]
    """The result of an approved action."""
    reason: NotRequired[str]
    """The reason of a result other than success."""


class AgentApprovalDecision(TypedDict):
    approve: bool
    """True performs the action once, false denies it."""


class AgentApprovalQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    status: NotRequired[Literal["pending", "approved", "denied", "expired"]]


class AgentApprovalRequested(TypedDict):
    approvalId: str
    action: Literal["run_lens", "run_workflow", "submit_entry", "cast_vote", "join_battle", "create_battle"]
    expiresAt: str


class AgentArchived(TypedDict):
    canceledRuns: int
    """The number of runs that it canceled."""


class AgentContextReduced(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    path: NotRequired[str]
    """The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks."""
    step: int
    """The number of the step, a request to the model with the tool calls in its answer."""
    results: int
    """The number of tool results of which the model sees only the beginning, oldest first."""
    limit: int
    """The tokens that the model can read in this step."""


class AgentRunApproved(TypedDict):
    waitedMs: int
    """The milliseconds for which the run waited."""


class AgentRunEnded(TypedDict):
    status: Literal["queued", "running", "blocked", "completed", "failed", "cancelled"]


class AgentRunStarted(TypedDict):
    kind: Literal["action", "team"]
    status: Literal["queued", "running", "blocked", "completed", "failed", "cancelled"]
    """blocked while a manual team run waits for the owner."""


class AgentStepDone(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    path: NotRequired[str]
    """The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks."""
    step: int
    """The number of the step, a request to the model with the tool calls in its answer."""
    agent: str
    """The handle of the agent, judge, or lens for a lens with tools."""
    text: str
    """The text of the model; the answer, when it has no tool calls."""
    toolCalls: int
    tokenInput: int
    tokenOutput: int
    tokenDetails: NotRequired[TokenDetails]
    """Absent when the provider reports none."""
    creditCost: int


class AgentThought(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    path: NotRequired[str]
    """The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks."""
    step: int
    """The number of the step, a request to the model with the tool calls in its answer."""
    text: str


class AgentTool(TypedDict):
    aiLenserId: str
    toolId: str
    """The name of a tool, cast_vote, agent:<handle> of an AI lenser, or mcp:<connector>/<tool> of an external MCP server."""
    allowed: bool
    suspendedAt: str | None
    """When a changed tool of an external MCP server was suspended; granting it again ends that."""
    assignedAt: str
    updatedAt: str


class AgentToolAssigned(TypedDict):
    toolId: str
    allowed: bool
    """False when the tool is refused explicitly."""


class AgentToolCall(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    path: NotRequired[str]
    """The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks."""
    step: int
    """The number of the step, a request to the model with the tool calls in its answer."""
    call: int
    """The number of the call within its step."""
    toolId: str
    """The tool as grants name it, or the name that the model gave when there is no such tool."""
    input: Any
    """The arguments, or the beginning of their JSON when it is longer than 16,384 characters."""


class AgentToolDecided(TypedDict):
    toolId: str
    verdict: Literal["allow", "ask", "deny"]
    reason: NotRequired[str]
    """The reason of a verdict other than allow."""


class AgentToolInputDelta(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    path: NotRequired[str]
    """The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks."""
    step: int
    """The number of the step, a request to the model with the tool calls in its answer."""
    call: int
    """The number of the call within its step."""
    toolId: str
    """The tool as grants name it, or the name that the model gave when there is no such tool."""
    text: str
    """A piece of the JSON of the arguments."""


class AgentToolRequest(TypedDict):
    toolId: str
    """The name of a tool, cast_vote, agent:<handle> of an AI lenser, or mcp:<connector>/<tool> of an external MCP server."""
    allowed: NotRequired[bool]
    """False refuses the tool explicitly."""


class AgentToolResult(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    path: NotRequired[str]
    """The position of an agent below that of its node: 2.1 is the agent that the first call of step 2 asks."""
    step: int
    """The number of the step, a request to the model with the tool calls in its answer."""
    call: int
    """The number of the call within its step."""
    toolId: str
    """The tool as grants name it, or the name that the model gave when there is no such tool."""
    status: Literal["done", "unknown"]
    """unknown: the worker was lost during a call that must not be repeated."""
    isError: bool
    text: str
    """The result; at most its first 16,384 characters."""


class AgentToolRevocation(TypedDict):
    aiLenserId: str
    toolId: str
    revoked: bool
    """False when the AI lenser did not have the tool."""


class AgentToolRevoked(TypedDict):
    toolId: str


class AgentToolSuspended(TypedDict):
    toolId: str
    reason: Literal["changed"]
    """changed: its server describes it in another way than when it was granted."""


class AiLenser(TypedDict):
    id: str
    kind: Literal["ai"]
    handle: str
    displayName: str
    bio: str
    aiModelKey: str | None
    """The key, provider/key or id of the model that answers; the default model when null."""
    owner: AuthorRef
    """The person that it belongs to."""
    status: Literal["active", "archived"]
    usableBy: Literal["nobody", "communities", "anyone"]
    """The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone."""
    createdAt: str
    updatedAt: str
    instructions: NotRequired[str]
    """For its owner only."""
    policy: NotRequired[AiLenserPolicy]
    """For its owner only."""


class AiLenserActions(TypedDict):
    run_lens: NotRequired[Literal["allow", "ask", "deny"]]
    run_workflow: NotRequired[Literal["allow", "ask", "deny"]]
    submit_entry: NotRequired[Literal["allow", "ask", "deny"]]
    cast_vote: NotRequired[Literal["allow", "ask", "deny"]]
    join_battle: NotRequired[Literal["allow", "ask", "deny"]]
    create_battle: NotRequired[Literal["allow", "ask", "deny"]]


class AiLenserItem(TypedDict):
    id: str
    kind: Literal["ai"]
    handle: str
    displayName: str
    bio: str
    aiModelKey: str | None
    """The key, provider/key or id of the model that answers; the default model when null."""
    owner: AuthorRef
    """The person that it belongs to."""
    status: Literal["active", "archived"]
    usableBy: Literal["nobody", "communities", "anyone"]
    """The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone."""
    createdAt: str
    updatedAt: str


class AiLenserPatch(TypedDict):
    displayName: NotRequired[str]
    bio: NotRequired[str]
    aiModelKey: NotRequired[str | None]
    """The key, provider/key or id of the model that answers; the default model when null."""
    instructions: NotRequired[str]
    """The system prompt of its answers; only its owner can read it."""
    policy: NotRequired[AiLenserPolicy]
    """Replaces the whole policy."""
    usableBy: NotRequired[Literal["nobody", "communities", "anyone"]]
    """The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone."""


class AiLenserPolicy(TypedDict):
    actions: NotRequired[AiLenserActions]
    """A rule for each action; absent actions are denied."""
    creditsPerDay: NotRequired[int | None]
    """Credits of its owner for each UTC day; null for no cap."""
    runsPerDay: NotRequired[int | None]
    """Runs for each UTC day; null for no cap."""


class AiLenserQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    q: NotRequired[str]
    """AI lensers with this text in their handle or name."""
    owner: NotRequired[str]
    """AI lensers of this owner."""
    status: NotRequired[Literal["active", "archived"]]
    """active, when absent."""


class AnswerChanged(TypedDict):
    messageId: str
    """The message that mentions the AI lenser."""
    agentId: str
    """The AI lenser."""
    status: Literal["waiting", "running", "answered", "failed", "declined"]


class ApprovalAnswer(TypedDict):
    decision: Literal["approve", "reject"]
    data: NotRequired[Any]
    """The data that replaces that of the approval."""
    comment: NotRequired[str]


class ApprovalRequested(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    approvalId: str
    message: NotRequired[str]


class ApprovalResolved(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    decision: Literal["approved", "rejected", "expired"]


class ArmResult(TypedDict):
    arm: str
    answered: int
    """Cells with an answer."""
    failed: int
    """Cells whose runs failed or could not start."""
    credits: int
    """The cost of its answers."""
    judgeCredits: int
    """The cost of judging them."""
    tokenInput: int
    tokenOutput: int
    latencyP50Ms: int | None
    latencyP95Ms: int | None
    scorers: List[ScorerResult]


class ArmScore(TypedDict):
    scorer: str
    mean: float
    """The mean of the cases."""
    passRate: float
    """The share of the answers that pass."""


class ArtifactCreated(TypedDict):
    artifactId: str
    artifactKind: Literal["text", "image", "audio", "video", "json", "trace", "tool_log", "rubric_result"]
    isPrimaryOutput: bool


AssertionScore = TypedDict(
    "AssertionScore",
    {
        "type": "str",
        "pass": "bool",
        "score": "float",
        "reason": "str",
    },
)


class AuditEntry(TypedDict):
    id: str
    sequence: int
    """Counts the entries of the account, without gaps."""
    action: str
    """The name of the action, such as token.created."""
    actor: Dict[str, Any]
    """The credential that acted, and its account."""
    target: Dict[str, Any] | None
    """The resource that was changed: {kind, id}."""
    details: Dict[str, Any]
    """More members, by action."""
    requestId: str
    """The id of the request."""
    occurredAt: str
    hash: str
    """In hexadecimal; covers the entry and all before it. Store the newest outside of the platform to detect changes."""


class AuditFault(TypedDict):
    sequence: int
    """The sequence number of the first entry that is wrong."""
    fault: str
    """The fault at that place."""


class AuditQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    communityId: NotRequired[str]
    """Entries of this community, for its owners and admins."""


class AuditVerification(TypedDict):
    intact: bool
    """Every hash covers its entry and the hash before it, and no entry is missing."""
    entries: int
    """The number of entries that were verified."""
    fault: AuditFault | None
    """The first fault; null for an intact log."""
    next: int | None
    """The after of the next request when the log has more entries; null at its end and after a fault."""


class AuditVerificationQuery(TypedDict):
    communityId: NotRequired[str]
    """The log of this community, for its owners and admins."""
    after: NotRequired[int]
    """The next of the reply before, to go on; the beginning when absent."""


class AuthorRef(TypedDict):
    id: str
    handle: str
    displayName: str


class Backfill(TypedDict):
    runs: int
    """The runs in the range that were looked at, the newest first."""
    added: int
    """The runs that wait for their evaluation now; others are outside of the filter or the share, or were evaluated before."""
    continueWith: str | None
    """Earlier runs were not looked at: repeat the request with this as to. null when all were."""


BackfillRequest = TypedDict(
    "BackfillRequest",
    {
        "from": "str",
        "to": "NotRequired[str]",
    },
)


class BallotEntry(TypedDict):
    contenderId: str
    """The id to vote with. It is valid for this caller alone."""
    contentText: str


class Battle(TypedDict):
    id: str
    title: str
    battleType: Literal["ai_vs_ai", "human_vs_human_ai_votes", "human_vs_human_open_votes", "human_vs_ai", "workflow_battle", "lenser_battle"]
    judgingMode: Literal["community_vote", "ai_judge", "rubric_score", "auto_score"]
    status: Literal["draft", "open", "executing", "voting", "scoring", "closed", "published", "archived"]
    maxContenders: int
    contenderCount: int
    creatorId: str
    createdAt: str
    closedAt: str | None
    taskPrompt: str
    aiJudgeModelKey: str | None
    rubric: List[RubricCriterion] | None
    checks: List[BattleCheck] | None
    """For the creator, and for all once it is closed."""
    budgetCredits: int | None
    """For the creator."""
    contenders: List[Contender]
    submissions: List[Submission]
    """The texts that the caller may attribute to a contender."""
    ballot: List[BallotEntry] | None
    """While voting, for callers who may vote: the texts without authors, in an order of their own."""
    votes: int
    """The number of votes counted so far."""
    voteAggregates: List[VoteAggregate]
    """Empty until the battle is closed."""
    judging: Judging | None
    winner: str | None
    """Null until the battle is closed, and when first place is shared."""
    warnings: List[str]
    """Unusual facts about the battle in its present status."""


class BattleCheck(TypedDict):
    kind: Literal["equals", "contains", "matches", "json_schema", "max_length", "similarity", "expression"]
    weight: NotRequired[float]
    """The weight relative to the other checks."""
    value: Any
    """A text for equals, contains, matches (a pattern), similarity (a reference) and expression; a number for max_length; a schema for json_schema."""


class BattleCompletedData(TypedDict):
    battleId: str
    winner: str | None
    """The contender; null when first place is shared."""
    scores: Dict[str, Any]
    """From 0 to 1, by contender: the score of the judging, or that of the votes without one."""


class BattleHistoryQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    lenserId: NotRequired[str]
    """The lenser who created the battles or took part; the caller when left out."""
    status: NotRequired[Literal["closed", "published", "archived"]]


class BattleJudgingProgress(TypedDict):
    judged: int
    total: int
    """The number of judgements that the judging consists of."""


class BattleListQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    status: NotRequired[Literal["draft", "open", "executing", "voting", "scoring", "closed", "published", "archived"]]
    battleType: NotRequired[Literal["ai_vs_ai", "human_vs_human_ai_votes", "human_vs_human_open_votes", "human_vs_ai", "workflow_battle", "lenser_battle"]]
    creatorId: NotRequired[str]
    """The creator."""


class BattlePatch(TypedDict):
    title: NotRequired[str]
    taskPrompt: NotRequired[str]
    """The task of all contenders."""
    judgingMode: NotRequired[Literal["community_vote", "ai_judge", "rubric_score", "auto_score"]]
    maxContenders: NotRequired[int]
    aiJudgeModelKey: NotRequired[str | None]
    """The key of the model that judges in the modes ai_judge and rubric_score. Without it the offline judge scores by measurable features."""
    rubric: NotRequired[List[RubricCriterion]]
    """The criteria of rubric_score; a default rubric when left out."""
    checks: NotRequired[List[BattleCheck]]
    """The checks of auto_score."""
    budgetCredits: NotRequired[int | None]
    """The most credits that all runs of the battle may cost together; no limit when null."""


class BattleScore(TypedDict):
    battleId: str
    voteAggregates: List[VoteAggregate]
    aiJudgeVerdicts: List[Verdict]
    """Until the battle is closed only those of contenders whose text the caller may see."""
    judging: Judging | None
    winner: str | None


class BattleStatusChanged(TypedDict):
    status: Literal["draft", "open", "executing", "voting", "scoring", "closed", "published", "archived"]


class BattleStatusReply(TypedDict):
    battleId: str
    status: Literal["draft", "open", "executing", "voting", "scoring", "closed", "published", "archived"]
    warnings: List[str]


class BattleStatusRequest(TypedDict):
    status: Literal["open", "executing", "voting", "scoring", "closed", "published", "archived"]
    confirm: NotRequired[bool]
    """Must be true to close or archive."""


class BattleSummary(TypedDict):
    id: str
    title: str
    battleType: Literal["ai_vs_ai", "human_vs_human_ai_votes", "human_vs_human_open_votes", "human_vs_ai", "workflow_battle", "lenser_battle"]
    judgingMode: Literal["community_vote", "ai_judge", "rubric_score", "auto_score"]
    status: Literal["draft", "open", "executing", "voting", "scoring", "closed", "published", "archived"]
    maxContenders: int
    contenderCount: int
    creatorId: str
    createdAt: str
    closedAt: str | None


class ByokKey(TypedDict):
    id: str
    """The id for byokKeyRefId of a run."""
    provider: Literal["openai", "anthropic", "google", "openai-compatible"]
    baseUrl: str | None
    """The URL of your own endpoint."""
    models: List[ByokModel]
    """The models of your own endpoint."""
    label: str
    last4: str
    """The last four characters of the key."""
    createdAt: str
    rotatedAt: str | None
    lastUsedAt: str | None
    """Updated at most once a minute."""
    revokedAt: str | None
    """The time at which it was destroyed. It cannot be opened since, and lists omit it."""
    test: ByokTest | None
    """The last test of the current secret."""


class ByokModel(TypedDict):
    key: str
    """The name of the model at the endpoint."""
    maxOutputTokens: NotRequired[int]
    """The maximum length of an answer, in tokens."""


class ByokTest(TypedDict):
    status: Literal["pending", "passed", "failed"]
    """pending: no worker has called the provider yet."""
    message: str | None
    """The message of the provider."""
    testedAt: str | None


class CallOfTool(TypedDict):
    callId: str
    name: str
    """The tool."""
    input: NotRequired[Any]
    """Its arguments; absent when their JSON is longer than 16,384 characters."""


class CalledWebhookBody(TypedDict):
    params: Dict[str, Any]
    """The inputs of the workflow. Other members are ignored."""


class CaseDifference(TypedDict):
    key: str
    change: Literal["added", "changed", "removed"]
    before: Any | None
    """The case in the earlier revision."""
    after: Any | None
    """The case in the later one."""


class CasesFromReviews(TypedDict):
    datasetId: str
    """A dataset of the caller."""
    tags: NotRequired[List[str]]
    mask: NotRequired[bool]
    """Puts <email>, <iban>, <card> and <phone> in the place of e-mail addresses, IBANs, card numbers and international phone numbers in all texts. Names and addresses stay."""


class CasesFromRuns(TypedDict):
    runIds: NotRequired[List[str]]
    """Runs of lenses and workflows of the caller."""
    filter: NotRequired[RunSelection]
    """Runs by a filter when no runIds are given, such as failed ones or those with a low score."""
    withOutput: NotRequired[bool]
    """Takes the output of each run as expected."""
    mask: NotRequired[bool]
    """Puts <email>, <iban>, <card> and <phone> in the place of e-mail addresses, IBANs, card numbers and international phone numbers in all texts. Names and addresses stay."""
    tags: NotRequired[List[str]]


class CellQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    arm: NotRequired[str]
    """Cells of this arm."""
    key: NotRequired[str]
    """Cells of this case."""
    only: NotRequired[Literal["failed", "worse", "better"]]
    """failed: without a score, or with one that does not pass; worse, better: of cases whose mean score is below or above that of the baseline."""
    scorer: NotRequired[str]
    """The scorer that `only` is about; any when absent."""


class ClosedAccount(TypedDict):
    closed: bool


class Community(TypedDict):
    id: str
    handle: str
    displayName: str
    description: str
    joinPolicy: Literal["open", "invite"]
    memberCount: int
    role: NotRequired[Literal["owner", "admin", "moderator", "member"]]
    """The role of the caller; for members only."""
    createdAt: NotRequired[str]
    """For members only."""


class CommunityPatch(TypedDict):
    displayName: NotRequired[str]
    description: NotRequired[str]
    joinPolicy: NotRequired[Literal["open", "invite"]]


class ConflictDetails(TypedDict):
    status: NotRequired[str]
    """The current status of the resource."""
    answeredAt: NotRequired[str | None]
    """The time at which the approval was answered."""
    answeredBy: NotRequired[str | None]
    """The account that answered an approval."""


class Connector(TypedDict):
    id: str
    accountId: str
    """The account that it acts for: a person or a community."""
    name: str
    scopes: List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]
    createdAt: str
    token: ServiceTokenSummary | None
    """null after a revocation, until the next rotation."""


class ConnectorQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    communityId: NotRequired[str]
    """Connectors of this community only."""


class ConnectorWithToken(TypedDict):
    id: str
    accountId: str
    """The account that it acts for: a person or a community."""
    name: str
    scopes: List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]
    createdAt: str
    token: ServiceTokenSummary | None
    """null after a revocation, until the next rotation."""
    value: str
    """The service token. It is shown only now and not stored."""


class Contender(TypedDict):
    id: str
    """For a voter, until the battle is closed, an id that is valid for this voter alone."""
    slotLabel: str | None
    """A to Z."""
    displayName: str
    contenderType: Literal["human", "ai_model", "ai_agent"] | None
    contenderRefId: str | None
    """The profile of a human contender, or the AI lenser."""
    lensId: str | None
    """For its owner and the creator, and for all once the battle is closed."""
    workflowId: str | None
    """For its owner and the creator, and for all once the battle is closed."""
    submitted: bool | None
    """True once the answer of the contender has arrived."""
    answerError: str | None
    """Why its run gave no answer; for its owner and the creator."""
    rank: int | None
    """The place, once the battle is closed."""


class ContendersChanged(TypedDict):
    contenders: int
    """The number of contenders afterwards."""


class CountedPageQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""


class CovariateEffect(TypedDict):
    covariate: str
    effect: float
    """The change of log odds for one unit."""
    interval: RatingInterval


class CreatedInvite(TypedDict):
    id: str
    role: Literal["admin", "moderator", "member"]
    invitedBy: str
    """The account that created the invite."""
    createdAt: str
    expiresAt: str
    acceptedBy: str | None
    """The account that joined with the invite."""
    acceptedAt: str | None
    revokedAt: str | None
    value: str
    """The value to join with, once. It is shown only now and not stored."""


class CreatedToken(TypedDict):
    id: str
    kind: Literal["mcp", "developer", "organisation", "service"]
    accountId: str
    """The account that it acts for: a person or a community."""
    connectorId: str | None
    """The connector of a service token."""
    label: str
    scopes: List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]
    prefix: str
    """The first characters of its value."""
    creditLimit: int | None
    """The maximum credits that runs started with it may cost; null: the balance of the account."""
    creditPeriod: Literal["month", "total"]
    createdAt: str
    expiresAt: str | None
    lastUsedAt: str | None
    """Updated at most once a minute."""
    revokedAt: str | None
    value: str
    """The token. It is shown only now and not stored."""


class CredentialSummary(TypedDict):
    id: str
    kind: Literal["session", "anonymous", "mcp", "developer", "organisation", "service"]
    scopes: List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]
    expiresAt: str | None
    """The time at which the token or its session expires."""


class CreditDay(TypedDict):
    day: str
    """The day (UTC), such as 2026-11-24."""
    credits: int
    """The cost of the runs that ended on it."""


class CreditEntry(TypedDict):
    id: str
    kind: Literal["grant", "hold", "capture", "release"]
    """grant: given by the platform; hold: set aside for a run; capture: the cost of the run; release: the rest of the hold."""
    amount: int
    runId: str | None
    """The run; null for a grant."""
    note: str | None
    createdAt: str


class CreditForecast(TypedDict):
    available: int
    """Credits that can be spent."""
    spent: int
    """The cost of the runs of these days."""
    perDay: float
    """The mean of the days since the first with a cost."""
    daysLeft: int | None
    """The days that the available credits last at perDay; null without a cost."""
    days: List[CreditDay]
    """The last 30 days, the oldest first; today is the last."""


class Credits(TypedDict):
    available: int
    """Credits that can be spent."""
    held: int
    """Credits that are held for runs that have not ended."""
    entries: List[CreditEntry]
    """The newest first."""
    nextCursor: str | None
    """The cursor of the next, older entries; null when there are none."""


class CreditsMoved(TypedDict):
    amount: int


class DatabaseStatus(TypedDict):
    version: str
    schema: int
    """The newest migration."""
    bytes: int
    connections: int
    maxConnections: int


class Dataset(TypedDict):
    id: str
    name: str
    """Different from those of other datasets of the account."""
    description: str
    revision: int
    """The newest revision; 0 before the first case."""
    cases: int
    """The number of cases in it."""
    createdAt: str
    updatedAt: str
    """The time of its newest revision, or of another change."""


class DatasetCase(TypedDict):
    key: str
    params: Dict[str, Any]
    expected: Any | None
    metadata: Dict[str, Any] | None
    tags: List[str]
    assertions: List[Dict[str, Any]]
    since: int
    """The revision that has added or changed it last."""


class DatasetCaseInput(TypedDict):
    key: str
    """Names the case within its dataset."""
    params: Dict[str, Any]
    """Values for the parameters of a lens, or the inputs of a workflow."""
    expected: NotRequired[Any | None]
    """The answer as it should be: any JSON; null when there is none."""
    metadata: NotRequired[Dict[str, Any] | None]
    tags: NotRequired[List[str]]
    """Without blanks and commas."""
    assertions: NotRequired[List[Dict[str, Any]]]
    """Assertions about the answer to this case, beside those of the first scorer of an experiment."""


class DatasetCaseQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    revision: NotRequired[int]
    """A revision; the newest when absent."""
    tag: NotRequired[str]
    """Cases with this tag."""
    q: NotRequired[str]
    """A part of the key."""


class DatasetCasesRequest(TypedDict):
    save: NotRequired[List[DatasetCaseInput]]
    """Cases that are added, or replace those with the same keys."""
    remove: NotRequired[List[str]]
    """Keys of cases that are removed."""
    baseRevision: NotRequired[int]
    """The revision that the change was made from: refused with 409 when there is a newer one."""
    message: NotRequired[str]
    """For the list of revisions."""


class DatasetChange(TypedDict):
    revision: int
    """The revision with the change; the newest before when nothing changed."""
    added: int
    changed: int
    removed: int
    cases: int
    """The number of cases in the revision."""


DatasetDiffQuery = TypedDict(
    "DatasetDiffQuery",
    {
        "limit": "NotRequired[int]",
        "offset": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "from": "NotRequired[int]",
        "to": "NotRequired[int]",
    },
)


class DatasetExportQuery(TypedDict):
    format: NotRequired[Literal["ndjson", "csv", "json", "promptfoo", "openai-batch"]]
    """openai-batch has a request to the API of OpenAI in each line: the prompt of a lens for each case."""
    lensId: NotRequired[str]
    """The lens of the format openai-batch."""
    version: NotRequired[str]
    """A version or label of the lens; the one that callers get when absent."""
    revision: NotRequired[int]
    """A revision; the newest when absent."""


class DatasetImport(TypedDict):
    format: Literal["ndjson", "csv", "json", "promptfoo"]
    content: str
    """The file."""
    replace: NotRequired[bool]
    """Removes the cases that the file does not have."""
    baseRevision: NotRequired[int]
    """The revision that the change was made from: refused with 409 when there is a newer one."""
    message: NotRequired[str]
    """For the list of revisions."""


class DatasetListQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    q: NotRequired[str]
    """A part of the name."""


class DatasetPatch(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]


class DatasetRemoved(TypedDict):
    datasetId: str
    removed: bool


class DatasetRequest(TypedDict):
    name: str
    description: NotRequired[str]
    casesOfLens: NotRequired[str]
    """A lens of the caller: its saved cases become those of the dataset, with their answers as expected."""


class DatasetRevision(TypedDict):
    revision: int
    """The revision with the change; the newest before when nothing changed."""
    added: int
    changed: int
    removed: int
    cases: int
    """The number of cases in the revision."""
    message: str | None
    createdAt: str


class EndedSessions(TypedDict):
    ended: int
    """The number of sessions that were open and ended."""


class EvaluationRule(TypedDict):
    id: str
    name: str
    lensId: str | None
    workflowId: str | None
    label: str | None
    tag: str | None
    share: float
    """The percentage of the runs that are evaluated."""
    scorers: List[RuleScorer]
    creditsPerDay: int
    creditsToday: int
    """The credits that its judges have cost since midnight UTC."""
    pending: int
    """The runs that wait for their evaluation."""
    enabled: bool
    authority: TriggerAuthority
    suspendedReason: Literal["creator_removed", "creator_demoted", "account_closed", "credential_revoked"] | None
    """The right that its creator lost. Nothing is started or sent until a take-over."""
    createdAt: str
    updatedAt: str


class EvaluationRuleCreate(TypedDict):
    name: str
    """Letters, digits, dots, dashes and underscores; unique in the account."""
    lensId: NotRequired[str]
    """The lens whose runs are evaluated."""
    workflowId: NotRequired[str]
    """The workflow whose runs are evaluated, when no lens is given."""
    label: NotRequired[str]
    """Only runs for which this label decided about the version."""
    tag: NotRequired[str]
    """Only runs with this tag."""
    share: NotRequired[float]
    """The percentage of the runs that are evaluated, by a hash of their ids; 100 when absent. A larger one keeps the runs of a smaller one."""
    scorers: List[ScorerReference]
    """Stored scorers of the kinds check, model and http, in the version that is the newest now or named."""
    creditsPerDay: NotRequired[int]
    """The credits that judges may cost from midnight to midnight UTC; 1,000 when absent. After that, runs are skipped that need a judge."""


class EvaluationRuleRemoved(TypedDict):
    ruleId: str
    removed: bool


class EvaluationRuleUpdate(TypedDict):
    share: NotRequired[float]
    """The percentage of the runs that are evaluated, by a hash of their ids; 100 when absent. A larger one keeps the runs of a smaller one."""
    scorers: NotRequired[List[ScorerReference]]
    """Stored scorers of the kinds check, model and http, in the version that is the newest now or named."""
    creditsPerDay: NotRequired[int]
    """The credits that judges may cost from midnight to midnight UTC; 1,000 when absent. After that, runs are skipped that need a judge."""
    enabled: NotRequired[bool]
    """false: no run is evaluated until it is true again."""


class EvaluationRulesQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    lensId: NotRequired[str]
    """Only rules of this lens."""
    workflowId: NotRequired[str]
    """Only rules of this workflow."""


class ExecuteBattleRequest(TypedDict):
    fundingSource: NotRequired[Literal["user_byok_cloud", "user_byok_local", "platform_credit", "sponsored"]]
    """The payer of the answers and the judging, as for runs."""
    byokKeyRefId: NotRequired[str]
    """The BYOK key, for the funding source user_byok_cloud."""


class ExecutedBattle(TypedDict):
    battleId: str
    status: Literal["draft", "open", "executing", "voting", "scoring", "closed", "published", "archived"]
    runs: List[StartedAnswer]
    """The runs that write the missing answers."""
    warnings: List[str]


class Experiment(TypedDict):
    id: str
    name: str
    status: Literal["running", "canceling", "completed", "incomplete", "canceled"]
    """incomplete: its budget or the credits of the account did not suffice for all cells, or its token was revoked."""
    reason: str | None
    """Why it is incomplete."""
    lensId: str | None
    workflowId: str | None
    datasetId: str
    revision: int
    tag: str | None
    """Only cases with this tag."""
    arms: List[ExperimentArm]
    baseline: str | None
    scorers: List[UsedScorer]
    repetitions: int
    cases: int
    cells: int
    """Cases × arms × repetitions."""
    cellsDone: int
    """Cells with a score or an error."""
    budget: int | None
    credits: int
    """The cost of its ended runs, those of judges included."""
    cache: Literal["off", "read", "record", "replay"]
    """How calls of the runs to models, addresses and tools are answered. off: live. read: an earlier answer of the account to exactly this call costs nothing, any other is live. record: live, and kept in a recording. replay: from a recording alone, which costs nothing; a call that it does not have fails."""
    recordingId: str | None
    """The recording that it makes or replays."""
    service: Literal["live", "batch"]
    """How models are asked for the answers. live: at once. batch: by the batch service of openai, anthropic or google, at half the price."""
    batches: ExperimentBatches | None
    """null for live answers."""
    answersOf: str | None
    """The experiment whose answers it scores; null when its answers are its own."""
    gate: ExperimentGate | None
    outcome: GateOutcome | None
    """null before the end, and without a gate."""
    results: List[ArmResult] | None
    """null before the end."""
    tags: List[str]
    createdAt: str
    completedAt: str | None


class ExperimentAccepted(TypedDict):
    id: str


class ExperimentArm(TypedDict):
    name: str
    versionId: str
    """The version of the lens or workflow."""
    version: str
    """Its number."""
    isCandidate: bool
    """True for a text that was not saved as a version before."""
    modelOverride: str | None


class ExperimentArmItem(TypedDict):
    name: str
    versionId: str
    """The version of the lens or workflow."""
    version: str
    """Its number."""
    isCandidate: bool
    """True for a text that was not saved as a version before."""
    modelOverride: str | None
    isBaseline: bool
    """True for the arm that the others are compared with."""
    gateResult: Literal["passed", "failed", "inconclusive"] | None
    """The result of the rules of the gate for this arm; null before the end, and without any."""
    scores: List[ArmScore]
    """Empty before the end."""


class ExperimentArmRequest(TypedDict):
    name: NotRequired[str]
    """Unique in the experiment; the version when absent."""
    version: NotRequired[str]
    """The id, number or label of a version; the newest when absent."""
    candidate: NotRequired[LensCandidate]
    """A text of the owner of the lens, in place of a version. It becomes a version that callers do not get unless they name it."""
    modelOverride: NotRequired[str]
    """The model in place of that of the version."""
    sampling: NotRequired[Sampling]


class ExperimentBatches(TypedDict):
    completeWithinSeconds: int
    """Requests without an answer after so many seconds are sent live."""
    waiting: int
    """Requests that are collected for the next batch."""
    sent: int
    """Requests in a batch."""
    answered: int
    """Answers of batches whose runs have not ended."""
    live: int
    """Requests that are sent live, because they failed in a batch or took too long."""


class ExperimentCell(TypedDict):
    key: str
    """The key of the case."""
    arm: str
    """The name of the arm."""
    repetition: int
    state: Literal["waiting", "running", "judging", "scored", "failed"]
    """judging: answered, while a judge has not scored the answer yet."""
    runId: str | None
    """Its run; null when none could start."""
    runStatus: Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"] | None
    output: str | None
    """The output; null without one."""
    error: str | None
    """Why there is no score."""
    scores: List[Score]
    credits: int | None
    latencyMs: int | None
    params: Dict[str, Any]
    """The parameters or inputs of the case."""
    expected: Any | None


class ExperimentClone(TypedDict):
    answers: NotRequired[Literal["new", "same"]]
    """new: each case is answered again. same: the answers are those of the other experiment, which has ended."""
    name: NotRequired[str]
    """That of the other experiment when absent, like all members."""
    revision: NotRequired[int]
    """With new answers: a revision of the dataset."""
    repetitions: NotRequired[int]
    """With new answers."""
    scorers: NotRequired[List[Scorer]]
    """In place of all scorers of the other experiment, together with storedScorers."""
    storedScorers: NotRequired[List[ScorerReference]]
    gate: NotRequired[ExperimentGate | None]
    """null: no gate."""
    budget: NotRequired[int]


class ExperimentCompletedData(TypedDict):
    experimentId: str
    status: str
    """completed, incomplete or canceled"""
    lensId: str | None
    workflowId: str | None
    gate: str | None
    """The result of its gate: passed, failed or inconclusive; null without a gate."""
    scores: Dict[str, Any]
    """The mean score by arm and scorer."""


class ExperimentDataset(TypedDict):
    id: str
    revision: NotRequired[int]
    """A revision; the newest when absent."""
    tag: NotRequired[str]
    """Only cases with this tag."""


class ExperimentExportQuery(TypedDict):
    format: NotRequired[Literal["ndjson", "csv", "junit", "promptfoo"]]


class ExperimentGate(TypedDict):
    rules: List[GateRule]


class ExperimentItem(TypedDict):
    id: str
    name: str
    status: Literal["running", "canceling", "completed", "incomplete", "canceled"]
    lensId: str | None
    workflowId: str | None
    datasetId: str
    cells: int
    cellsDone: int
    gateResult: Literal["passed", "failed", "inconclusive"] | None
    """The result of its gate."""
    arms: List[ExperimentArmItem]
    createdAt: str
    completedAt: str | None


class ExperimentProgress(TypedDict):
    done: int
    """Cells with a score or an error."""
    of: int
    """All cells."""


class ExperimentQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    lensId: NotRequired[str]
    """Experiments of this lens."""
    workflowId: NotRequired[str]
    """Experiments of this workflow."""
    datasetId: NotRequired[str]
    """Experiments with this dataset."""


class ExperimentRemoved(TypedDict):
    experimentId: str
    removed: bool


class ExperimentRequest(TypedDict):
    name: NotRequired[str]
    """For the list of experiments."""
    target: ExperimentTarget
    arms: List[ExperimentArmRequest]
    dataset: ExperimentDataset
    scorers: NotRequired[List[Scorer]]
    """Scorers of this experiment alone."""
    storedScorers: NotRequired[List[ScorerReference]]
    """Stored scorers, which come after the others. Together there are 1 to 20."""
    repetitions: NotRequired[int]
    """How often each case is answered; 1 when absent."""
    baseline: NotRequired[str]
    """The name of the arm that the others are compared with."""
    budget: NotRequired[int]
    """The most credits that its runs may cost together, those of judges included."""
    fundingSource: NotRequired[Literal["user_byok_cloud", "user_byok_local", "platform_credit", "sponsored"]]
    """The payer of the runs."""
    byokKeyRefId: NotRequired[str]
    """The BYOK key, with user_byok_cloud."""
    concurrency: NotRequired[int]
    """The most runs at a time; 25 when absent."""
    cache: NotRequired[Literal["off", "read", "record", "replay"]]
    """How calls of the runs to models, addresses and tools are answered. off: live. read: an earlier answer of the account to exactly this call costs nothing, any other is live. record: live, and kept in a recording. replay: from a recording alone, which costs nothing; a call that it does not have fails."""
    recordingId: NotRequired[str]
    """The recording to replay, or to add to; with record a new one when absent."""
    maxAgeSeconds: NotRequired[int]
    """With read: the age of answers in seconds; a day when absent."""
    service: NotRequired[Literal["live", "batch"]]
    """How models are asked for the answers. live: at once. batch: by the batch service of openai, anthropic or google, at half the price."""
    completeWithinSeconds: NotRequired[int]
    """With batch: requests without an answer after so many seconds are sent live; a day when absent."""
    gate: NotRequired[ExperimentGate]
    tags: NotRequired[List[str]]
    """Tags of its runs."""


class ExperimentResume(TypedDict):
    budget: NotRequired[int]
    """The new budget; the old one when absent."""


class ExperimentStatusChanged(TypedDict):
    status: Literal["running", "canceling", "completed", "incomplete", "canceled"]
    reason: str | None
    """Why it is incomplete."""
    gate: Literal["passed", "failed", "inconclusive"] | None
    """The result of its gate; null before its end and without a gate."""


class ExperimentTarget(TypedDict):
    lensId: NotRequired[str]
    """A lens; or name a workflow."""
    workflowId: NotRequired[str]


class ExportedObject(TypedDict):
    type: Literal["account", "community", "lens", "lens_version", "lens_case", "dataset", "dataset_case", "experiment", "scorer", "evaluation_rule", "review_queue", "review", "recording", "recorded_call", "experiment_cell", "workflow", "workflow_version", "run", "ai_lenser", "battle", "vote", "thread_message", "webhook_endpoint", "incoming_webhook", "mcp_server", "byok_key", "connector", "token", "credit_entry", "audit_entry"]
    object: Dict[str, Any]
    """The object as the endpoints for its kind return it."""


class ExpressionFaultReply(TypedDict):
    code: str
    message: str


class ExpressionReply(TypedDict):
    value: Any | None
    """The value; null when there is a fault."""
    fault: ExpressionFaultReply | None
    """Why the expression has no value."""


class ExpressionRequest(TypedDict):
    expression: str
    """An expression as in the settings of nodes."""
    runId: str
    """A run of the workflow; its inputs and results are the values."""
    nodeId: NotRequired[str]
    """The node whose edges give the values of input."""


class FailedRuns(TypedDict):
    runs: int
    """Counted up to 100,000."""
    accounts: int
    """The accounts of these runs."""
    credits: float
    """The credits that were held for these runs; the retries hold about as many."""
    groups: List[FailedRunsGroup]
    """The runs by error and model, at most 50 groups."""


class FailedRunsFilter(TypedDict):
    createdAfter: str
    """Runs accepted at or after this time, at most 24 hours before createdBefore."""
    createdBefore: str
    """Runs accepted before this time."""
    account: NotRequired[str]
    """Runs of this account, by its id or handle."""
    errorCode: NotRequired[str]
    """Runs that failed with this error code."""
    provider: NotRequired[str]
    """Runs whose model is of this provider. Workflows have no model."""
    model: NotRequired[str]
    """Runs of this model, such as openai/gpt-5-mini."""
    lensId: NotRequired[str]
    """Runs of this lens."""
    workflowId: NotRequired[str]
    """Runs of this workflow."""


class FailedRunsGroup(TypedDict):
    errorCode: str | None
    model: str | None
    """null for workflows."""
    runs: int


class FailedRunsRetried(TypedDict):
    matched: int
    """The runs of this request."""
    retried: int
    """Of these, those with a new run."""
    refused: List[RetryRefusal]
    """The runs that could not be retried, by error code."""
    next: str | None
    """before of the request for the rest; null when there is none."""


class FailedRunsRetryRequest(TypedDict):
    filter: FailedRunsFilter
    limit: NotRequired[int]
    """The most runs of this request."""
    before: NotRequired[str]
    """next of the previous reply; the first page when absent."""


class FailureBound(TypedDict):
    max: NotRequired[float]
    """At most this share of the runs may fail."""
    worseBy: NotRequired[float]
    """It may fail at most by this share more often than the version that it replaces."""


class FeedbackKey(TypedDict):
    runId: str
    key: str
    """The key for the member key of POST /v1/runs/{runId}/feedback. It is shown only now."""
    expiresAt: str


class FeedbackReceived(TypedDict):
    received: bool


class FeedbackRequest(TypedDict):
    key: str
    """A key of POST /v1/runs/{runId}/feedback-key."""
    score: NotRequired[float]
    """From 0 to 1; or give a thumb."""
    thumb: NotRequired[Literal["up", "down"]]
    """up counts as 1, down as 0; or give a score."""
    comment: NotRequired[str]


class FitParameters(TypedDict):
    ridge: float
    """The weight of the prior on strengths and effects; there is none on the tie parameter."""
    tie: float | None
    """Davidson's tie parameter; null when all votes are ties."""
    iterations: int
    converged: bool
    votes: int
    bootstraps: int
    seed: int
    """The seed of the bootstraps."""


class GateOutcome(TypedDict):
    result: Literal["passed", "failed", "inconclusive"]
    rules: List[RuleResult]


class GateRule(TypedDict):
    scorer: NotRequired[str]
    """The scorer that min, noProvenLoss and provenNoWorse are about."""
    min: NotRequired[float]
    """The mean score must be at least this."""
    noProvenLoss: NotRequired[LossRule]
    """Fails when the arm is worse than the baseline by more than the margin, beyond doubt."""
    provenNoWorse: NotRequired[NoWorseRule]
    """Passes when the arm is not worse than the baseline by more than the margin, beyond doubt."""
    noNewFailures: NotRequired[bool]
    """No case that the baseline passes may fail."""
    tags: NotRequired[List[str]]
    """The cases that noNewFailures is about; all when absent."""
    maxCreditsPerCase: NotRequired[float]
    """The credits of a case on average may be at most this."""
    maxLatencyP95Ms: NotRequired[int]
    """The 95th percentile of the latency of runs may be at most this."""


class GoogleSettings(TypedDict):
    thinkingTokens: NotRequired[int]
    """The tokens for thinking before the answer, within the maximum of the answer."""
    safetyThreshold: NotRequired[Literal["BLOCK_LOW_AND_ABOVE", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_ONLY_HIGH", "BLOCK_NONE"]]
    """The level from which its safety filters block, in all categories."""


class GroupComparison(TypedDict):
    difference: float
    """The share of failures of this group minus that of the reference."""
    low: float
    high: float
    result: Literal["more", "fewer", "alike", "too_few_runs"]
    """How its failures compare with those of the reference; too_few_runs: too few runs to say."""


class GroupEventsQuery(TypedDict):
    tag: NotRequired[str]
    """The events of all present and future runs with this tag."""
    batchId: NotRequired[str]
    """The events of all runs of this batch, until the last one has ended."""


class GroupScore(TypedDict):
    name: str
    """The name of the score."""
    scores: int
    errors: int
    """Scores that could not be made; the mean leaves them out."""
    mean: MeanEstimate
    comparison: ScoreComparison | None
    """Against the same score of the reference."""


class HealthReport(TypedDict):
    status: Literal["ok", "degraded"]
    db: bool
    uptime_s: int
    version: NotRequired[str | None]
    checked_at: str
    reason: NotRequired[str]
    """The fault, when degraded."""


class HideMessageRequest(TypedDict):
    hidden: NotRequired[bool]
    """false shows the message again."""


class IncomingWebhook(TypedDict):
    id: str
    accountId: str
    """The account whose runs the calls start."""
    workflowId: str
    name: str
    path: str
    """The path to call, relative to the URL of the API."""
    enabled: bool
    previousSecretUntil: str | None
    """The time until which the previous secret is valid."""
    authority: TriggerAuthority
    """The rights of the runs that it starts."""
    suspendedReason: Literal["creator_removed", "creator_demoted", "account_closed", "credential_revoked"] | None
    """The right that its creator lost. Nothing is started or sent until a take-over."""
    createdAt: str
    updatedAt: str


class IncomingWebhookCall(TypedDict):
    id: str
    status: int
    """The status of the response: 202 for an accepted call."""
    reason: str | None
    """The reason of a refusal."""
    via: Literal["secret", "signature", "bearer"] | None
    """The method of authentication; null when it failed."""
    runId: str | None
    deliveryKey: str | None
    """The Idempotency-Key or X-Webhook-Delivery-Id of the call."""
    body: str | None
    """At most 16 KB, with secrets redacted; null for a call that was not authenticated."""
    bodyBytes: int
    """The size of the body in bytes."""
    address: str
    """The IP address of the caller."""
    requestId: str
    receivedAt: str


class IncomingWebhookQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    workflowId: NotRequired[str]
    """Incoming webhooks that start this workflow."""


class IncomingWebhookWithSecret(TypedDict):
    id: str
    accountId: str
    """The account whose runs the calls start."""
    workflowId: str
    name: str
    path: str
    """The path to call, relative to the URL of the API."""
    enabled: bool
    previousSecretUntil: str | None
    """The time until which the previous secret is valid."""
    authority: TriggerAuthority
    """The rights of the runs that it starts."""
    suspendedReason: Literal["creator_removed", "creator_demoted", "account_closed", "credential_revoked"] | None
    """The right that its creator lost. Nothing is started or sent until a take-over."""
    createdAt: str
    updatedAt: str
    secret: str
    """The secret that callers send or sign with. It is shown only now."""


class InsufficientCreditsDetails(TypedDict):
    limitOf: str
    """The limit that was reached: account, token, agent (the cap of an AI lenser), sponsorship (the pool), sponsorship_run or sponsorship_caller (its caps), sponsor (their account), run (maxCredits), or battle (its budgetCredits)."""
    needed: NotRequired[int]
    """The credits that the run needs as a hold."""
    limit: NotRequired[int]
    period: NotRequired[Literal["month", "total", "day"]]
    spent: NotRequired[int]
    held: NotRequired[int]
    left: NotRequired[int]
    """The credits that are left under the cap."""


class InsufficientScopeDetails(TypedDict):
    scopes: List[str]
    """Any one of these scopes is enough."""


class InvalidRequestDetails(TypedDict):
    issues: List[RequestIssue]
    """All faults that were found."""
    missing: NotRequired[List[str]]
    """Names of required parameters or inputs without a value."""
    reason: NotRequired[str]
    """The reason that the partner gave."""


class InvariantsStatus(TypedDict):
    stuckRuns: int
    """Runs that were not ended a minute after their deadline or lease."""
    unsettledCredits: int
    """Ended runs that still hold credits."""
    eventGaps: int
    """Of the latest 500 runs, those with gaps in their events."""
    staleOutbox: int
    """Rows of the outbox that are a minute late."""


class Invite(TypedDict):
    id: str
    role: Literal["admin", "moderator", "member"]
    invitedBy: str
    """The account that created the invite."""
    createdAt: str
    expiresAt: str
    acceptedBy: str | None
    """The account that joined with the invite."""
    acceptedAt: str | None
    revokedAt: str | None


class ItemToReview(TypedDict):
    id: str
    params: Dict[str, Any]
    """The parameters of the lens, or the inputs of the workflow."""
    output: str


class JoinRequest(TypedDict):
    invite: NotRequired[str]
    """The value of an invite, when the community needs one."""


class JudgeAgreement(TypedDict):
    name: str
    """The name of the score."""
    items: int
    """The items with a score of both."""
    sameVerdict: float | None
    """The share of items where both are at least 0.5, or both are lower."""
    alpha: float | None
    """Krippendorff's alpha of the people's score and that of the judge."""
    bias: float | None
    """The mean of judge minus people: above 0 it is too mild."""
    disagreements: List[JudgeDisagreement]
    """The 20 greatest differences."""


class JudgeDisagreement(TypedDict):
    itemId: str
    runId: str
    people: float
    judge: float
    reason: str | None
    """The reason of the judge."""


class Judging(TypedDict):
    runId: str | None
    """The run that judges; for the creator."""
    status: str | None
    """The status of that run."""
    judged: int
    total: int
    judge: str | None
    """The model, `offline` or `checks`; null before the first judgement."""
    promptHash: str | None
    """The SHA-256 hash of the prompt; null without a model."""


class JudgingProgress(TypedDict):
    judged: int
    """The number of judgements that are made."""
    total: int
    """The number of judgements that the battle needs."""


class LabelArm(TypedDict):
    versionId: str
    version: str
    """Its number."""
    weight: float
    """The percentage of sticky keys that get it."""


class LabelBounds(TypedDict):
    failures: NotRequired[FailureBound]
    latencyMs: NotRequired[int]
    """At most 5 % of the runs may take longer."""
    credits: NotRequired[float]
    """At most 5 % of the runs may cost more."""
    score: NotRequired[ScoreBound]
    minRuns: NotRequired[int]
    """It never returns after fewer runs, or for its scores after fewer scores; 100 when absent."""


class LabelEvidence(TypedDict):
    experimentId: str
    datasetId: str
    revision: int
    arm: str
    """The arm with the content of the version."""


class LabelGate(TypedDict):
    datasetId: str
    """The dataset of the experiment."""
    maxRevisionsBehind: NotRequired[int]
    """How many revisions of the dataset may be newer than that of the experiment; 0 when absent."""
    rules: NotRequired[List[GateRule]]
    """Rules that its gate must have, as they stand here; any gate when absent."""


class LabelProposal(TypedDict):
    id: str
    lensId: str | None
    workflowId: str | None
    title: str | None
    """The title of the lens or workflow."""
    label: str
    versionId: str
    version: str
    """The number of the version."""
    before: str | None
    """The number of the version that the label has now."""
    arms: List[LabelArm] | None
    protected: NotRequired[bool]
    """The protection that the label is to have; unchanged when absent."""
    rules: NotRequired[LabelRules | None]
    """Unchanged when absent."""
    bounds: NotRequired[LabelBounds | None]
    """Unchanged when absent."""
    override: bool
    """It is to move although no gate was passed."""
    evidence: LabelEvidence | None
    reason: str | None
    proposedBy: str | None
    """The account of the person who proposed it, or who created the token."""
    canDecide: bool
    """The caller may approve or decline it."""
    proposedAt: str
    expiresAt: str
    status: Literal["pending", "approved", "declined", "superseded", "expired"]
    decidedBy: str | None
    decidedAt: str | None
    comment: str | None


class LabelProposalDecision(TypedDict):
    decision: Literal["approve", "decline"]
    comment: NotRequired[str]


class LabelProposalsQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""


class LabelReturnRequest(TypedDict):
    reason: NotRequired[str]
    """Why it moves, for its history."""


class LabelReturned(TypedDict):
    versionId: str
    version: str
    """Its number."""
    at: str
    automatic: bool
    """True when a bound was crossed."""
    reason: str | None


LabelReturnedData = TypedDict(
    "LabelReturnedData",
    {
        "lensId": "str | None",
        "workflowId": "str | None",
        "label": "str",
        "from": "str",
        "to": "str",
        "automatic": "bool",
        "reason": "str | None",
    },
)


class LabelRules(TypedDict):
    gate: NotRequired[LabelGate]
    """An experiment with this very content must have passed its gate."""
    secondPerson: NotRequired[SecondPerson]
    """A move, and a change of the rules, waits until another person has approved it."""


class LeaderboardComponent(TypedDict):
    component: int
    contenders: int
    votes: int


class LeaderboardEntry(TypedDict):
    contender: str
    """The lens or workflow that wrote the answers; for contenders without one, the lenser."""
    kind: Literal["lens", "workflow", "lenser"]
    displayName: str
    """The display name in the newest published battle."""
    component: int
    """Contenders that votes connect; 1 is the largest. Compare within a component only."""
    rank: int
    """The place in the component; equal strengths share it."""
    ranks: RankRange
    """The places that the 95 % intervals leave open."""
    strength: float
    """A contender that is stronger by d wins exp(d) times as often as it loses."""
    interval: RatingInterval
    """The 95 % interval of the strength."""
    elo: float
    """The strength on the scale of chess ratings."""
    eloInterval: RatingInterval
    votes: int
    """The votes that compare this contender with another."""
    wins: int
    """Other contenders that votes placed below this one, once for each vote."""
    ties: int
    losses: int


class LeaderboardFit(TypedDict):
    battleType: Literal["ai_vs_ai", "human_vs_human_ai_votes", "human_vs_human_open_votes", "human_vs_ai", "workflow_battle", "lenser_battle"]
    source: Literal["votes", "judges", "all"]
    covariates: Literal["none", "style"]
    fittedAt: str
    contenders: int
    fit: FitParameters
    effects: List[CovariateEffect]
    componentCount: int
    components: List[LeaderboardComponent]
    """The 100 largest."""
    fragility: LeaderboardFragility


class LeaderboardFitQuery(TypedDict):
    source: NotRequired[Literal["votes", "judges", "all"]]
    """votes: votes of lensers; judges: the ranking by judge score of each battle, as one vote; all: both."""
    covariates: NotRequired[Literal["none", "style"]]
    """style: fits length and format of the answers with the strengths, which then compare equal style."""


class LeaderboardFragility(TypedDict):
    first: List[str]
    """First place of the largest component; several contenders when they share it."""
    votes: int | None
    """Removing this many votes is enough to change first place; null when no such removal was found."""
    firstAfter: List[str]
    """First place after the removal."""
    removed: List[RemovedVotes]
    """The removed votes; at most 100 kinds of them."""
    statement: str
    """The meaning of these numbers."""


class LeaderboardQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    source: NotRequired[Literal["votes", "judges", "all"]]
    """votes: votes of lensers; judges: the ranking by judge score of each battle, as one vote; all: both."""
    covariates: NotRequired[Literal["none", "style"]]
    """style: fits length and format of the answers with the strengths, which then compare equal style."""


class LensBatchAccepted(TypedDict):
    batchId: str
    """The batch of the runs that this request started; runs of repeated items keep their earlier batch."""
    items: List[LensBatchItem]
    """The items, in the order of the request."""


class LensBatchFault(TypedDict):
    code: str
    message: str
    details: NotRequired[Dict[str, Any]]


class LensBatchItem(TypedDict):
    runId: NotRequired[str]
    status: NotRequired[Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]]
    error: NotRequired[LensBatchFault]
    """The fault of an item without a run."""


class LensBatchRequest(TypedDict):
    items: List[Dict[str, Any]]
    """Items like the body of an execution, each with its own idempotencyKey. A fault of one item does not affect the others."""


class LensCandidate(TypedDict):
    templateBody: NotRequired[str]
    """The template; or give messages."""
    messages: NotRequired[List[LensMessage]]
    settings: NotRequired[LensSettings | None]
    """The settings of the newest version when absent."""


class LensCandidateSaved(TypedDict):
    id: str
    semver: str
    isCandidate: bool
    """False for the content of the newest version, which is saved already."""


class LensCase(TypedDict):
    id: str
    name: str
    params: Dict[str, Any]
    reference: str | None
    updatedAt: str


class LensCaseRemoved(TypedDict):
    caseId: str
    removed: bool


class LensCaseRequest(TypedDict):
    name: str
    """A case with this name is replaced."""
    params: Dict[str, Any]
    """Values for the parameters of the lens by their labels; up to 100,000 characters of JSON."""
    reference: NotRequired[str | None]
    """An answer to compare others with."""


class LensDeleted(TypedDict):
    deleted: bool
    lensId: str


LensDiff = TypedDict(
    "LensDiff",
    {
        "lensId": "str",
        "from": "LensVersionRef",
        "to": "LensVersionRef",
        "params": "LensParamsDiff",
        "settings": "List[LensSettingChange]",
        "bump": "Literal[\"major\", \"minor\", \"patch\", \"none\"]",
        "lines": "List[LensDiffLine]",
    },
)


class LensDiffLine(TypedDict):
    kind: Literal["same", "added", "removed"]
    text: str


LensDiffQuery = TypedDict(
    "LensDiffQuery",
    {
        "from": "str",
        "to": "NotRequired[str]",
    },
)


class LensDraft(TypedDict):
    templateBody: str
    """The template as it is, also a short or a faulty one."""
    settings: LensSettings | None
    """All settings; null for none."""
    changelog: str
    """The changelog of the next version."""
    baseVersionId: str
    """The version that is changed."""
    updatedAt: str


class LensDraftQuery(TypedDict):
    continues: NotRequired[str]
    """updatedAt of the draft that was read before. Another one by then stays, and is the reply."""


class LensDraftReply(TypedDict):
    draft: LensDraft | None
    """null without a draft."""


class LensDraftRequest(TypedDict):
    templateBody: str
    """The template as it is, also a short or a faulty one."""
    settings: LensSettings | None
    """All settings; null for none."""
    changelog: NotRequired[str]
    """The changelog of the next version."""
    baseVersionId: str
    """The version that is changed."""
    continues: NotRequired[str | None]
    """updatedAt of the draft that was read before, or null if there was none. Another one by then answers 409; without it, none does."""


class LensExample(TypedDict):
    params: Dict[str, Any]
    """Values for the parameters of the lens by their labels."""
    answer: str
    """The answer to them as it should be."""


class LensExecuteRequest(TypedDict):
    concurrencyKey: NotRequired[str]
    """Of your runs of this lens or workflow with the same key, one executes at a time."""
    concurrencyStrategy: NotRequired[Literal["queue", "cancel-in-progress", "cancel-newest"]]
    """When another run with the key has not ended: queue (default) waits for it, cancel-in-progress cancels it and the waiting ones, cancel-newest cancels this run."""
    tags: NotRequired[List[str]]
    """Tags to find and follow runs by."""
    stickyKey: NotRequired[str]
    """Decides which arm of a label the run gets, for example the id of a user of yours: the same key always gets the same arm. Your account when absent."""
    metadata: NotRequired[Dict[str, Any]]
    """Your own notes, at most 8 KB as JSON."""
    priority: NotRequired[int]
    """The priority among the waiting runs of your account; each point counts as one minute of waiting. 0 when absent."""
    startAt: NotRequired[str]
    """The earliest start, at most 30 days ahead."""
    delaySeconds: NotRequired[int]
    """Seconds until the earliest start."""
    expiresInSeconds: NotRequired[int]
    """How long the run may wait for its start after it is due, before it ends as timed_out."""
    timeoutSeconds: NotRequired[int]
    """How long the run may execute before it ends as timed_out; at most the limit of the platform."""
    maxCredits: NotRequired[int]
    """The maximum cost in credits; the run is refused when its estimate is higher."""
    params: Dict[str, Any]
    """Inputs passed to the template of the lens."""
    modelOverride: NotRequired[str]
    """The model to use instead of the default."""
    providerOverride: NotRequired[str]
    """The provider to use instead of the default."""
    fundingSource: NotRequired[Literal["user_byok_cloud", "user_byok_local", "platform_credit", "sponsored"]]
    """The source of the credits or key that pays for the run."""
    byokKeyRefId: NotRequired[str]
    """Required when fundingSource is user_byok_cloud."""
    idempotencyKey: NotRequired[str]
    """A repeated request with the same key within 24 hours returns the same run."""
    version: NotRequired[str]
    """The id, number or label of a version; the newest when absent."""
    outputSchema: NotRequired[Dict[str, Any]]
    """A JSON Schema that the answer must match; for models with the capability json."""
    sampling: NotRequired[Sampling]


class LensFile(TypedDict):
    format: Literal["lensforge.lens"]
    formatVersion: int
    title: str
    description: NotRequired[str]
    visibility: NotRequired[Literal["public", "community", "private"]]
    status: NotRequired[Literal["draft", "published", "archived"]]
    tags: NotRequired[List[str]]
    versions: List[LensFileVersion]
    """The oldest first."""
    labels: NotRequired[List[LensFileLabel]]
    defaultLabel: NotRequired[str | None]
    """The label for callers that name no version."""


class LensFileInclude(TypedDict):
    tag: str
    """The tag in the text, such as > alice/tone@production."""
    semver: str
    """The version that it stood for when the text was saved."""
    text: str
    """The text of that version."""


class LensFileLabel(TypedDict):
    label: str
    semver: str


class LensFileVersion(TypedDict):
    semver: str
    templateBody: str
    params: List[LensParamInput]
    settings: NotRequired[LensSettings | None]
    includes: NotRequired[List[LensFileInclude] | None]
    changelog: NotRequired[str]
    createdAt: str


class LensForkRequest(TypedDict):
    title: NotRequired[str]
    """"Fork of" and the id of the source when absent."""
    templateBody: NotRequired[str]
    """The newest text of the source when absent."""
    visibility: NotRequired[Literal["public", "community", "private"]]
    """private, when absent: only the owner can see it."""


class LensInclude(TypedDict):
    tag: str
    """The tag in the text, such as > alice/tone@production."""
    semver: str
    """The version that it stood for when the text was saved."""
    text: str
    """The text of that version."""
    lensId: str | None
    """null in an imported lens."""
    versionId: str | None
    """null in an imported lens."""


class LensItem(TypedDict):
    id: str
    title: str
    description: str
    author: AuthorRef
    createdAt: str
    updatedAt: str
    visibility: Literal["public", "community", "private"]
    status: Literal["draft", "published", "archived"]
    headVersion: LensVersionRef
    """The newest version. In lists, and for others than the owner, the version of the default label."""
    params: List[LensParameter]
    tags: List[str]


class LensLabelMove(TypedDict):
    id: str
    label: str
    kind: Literal["set", "return", "remove"]
    """return: it went back to the version before."""
    arms: List[LabelArm] | None
    """The arms after the move."""
    armsBefore: List[LabelArm] | None
    """The arms before the move."""
    reason: str | None
    evidence: LabelEvidence | None
    """The experiment whose gate the version had passed."""
    overridden: bool
    """It moved against its rules."""
    approvedBy: str | None
    """The account of the second person who approved it."""
    credential: Literal["session", "mcp", "developer", "organisation", "service", "service_role"]
    """The kind of the credential that moved it."""
    movedAt: str
    version: LensVersionRef | None
    """null when the label was removed."""
    before: LensVersionRef | None
    """The version before the move; null for a new label."""


class LensLabelPlace(TypedDict):
    label: str
    versionId: str
    arms: List[LabelArm] | None
    """Versions that a part of the callers get instead; null without any."""
    protected: bool
    """Only a person who is signed in can move or remove it."""
    rules: LabelRules | None
    """The conditions of its moves."""
    bounds: LabelBounds | None
    """When it returns by itself; null: never."""
    returned: LabelReturned | None
    """The version that it returned from, until it is set again."""
    proposalId: str | None
    """The proposal for its next move, which waits for a second person."""
    updatedAt: str
    semver: str


class LensLabelRemoved(TypedDict):
    lensId: str
    label: str
    removed: bool


class LensLabelRequest(TypedDict):
    version: str
    """The id, the number or another label of the version to point at."""
    arms: NotRequired[List[WantedArm] | None]
    """Versions that a part of the callers get instead, chosen by the sticky key of a run. When absent they stay if the version does; null: none."""
    protected: NotRequired[bool]
    """Only a person who is signed in can move or remove a protected label. A new label is not protected; unchanged when absent."""
    reason: NotRequired[str]
    """Why it moves, for its history."""
    rules: NotRequired[LabelRules | None]
    """Conditions of its moves, which only a person who is signed in sets and removes; unchanged when absent. null: none."""
    bounds: NotRequired[LabelBounds | None]
    """When it returns by itself to the version before, by the runs of your account. For a label that is protected or has rules, a person who is signed in sets them; unchanged when absent. null: never."""
    experimentId: NotRequired[str]
    """The experiment whose gate the version has passed; the newest that fits when absent."""
    override: NotRequired[bool]
    """Moves it against its rules: for a person who is signed in, with a reason."""


class LensMessage(TypedDict):
    role: Literal["system", "user", "assistant"]
    text: str
    """A template; [[history]] alone stands for earlier messages that a request gives as params.history."""
    parts: NotRequired[List[LensMessagePart]]
    """Images of a message of the user, the same in each request."""


class LensMessagePart(TypedDict):
    image: MessageImage


class LensParamInput(TypedDict):
    label: str
    optional: bool


class LensParamType(TypedDict):
    label: str
    """The name of a parameter of the template."""
    type: Literal["text", "number", "boolean", "enum", "json", "list", "image"]
    description: NotRequired[str]
    """For those who fill it in."""
    default: NotRequired[Any]
    """The value of a request without one; the parameter is optional then."""
    example: NotRequired[Any]
    """A value as it could be."""
    values: NotRequired[List[str]]
    """The values of an enum."""
    min: NotRequired[float]
    """The least number, characters of a text or items of a list."""
    max: NotRequired[float]
    """The most of them."""


class LensParameter(TypedDict):
    id: str
    """The same in all versions that have a parameter with this label."""
    label: str
    optional: bool


class LensParamsDiff(TypedDict):
    added: List[LensParamInput]
    removed: List[LensParamInput]
    changed: List[LensParamInput]
    """Parameters that became optional or required."""


class LensPatch(TypedDict):
    title: NotRequired[str]
    description: NotRequired[str]
    templateBody: NotRequired[str]
    """A different text creates a new version."""
    messages: NotRequired[List[LensMessage]]
    """Instead of templateBody: the parts of a conversation, each with a role."""
    visibility: NotRequired[Literal["public", "community", "private"]]
    tags: NotRequired[List[str]]
    params: NotRequired[List[LensParamInput]]
    """Must match the template; optional."""
    settings: NotRequired[LensSettings | None]
    """All settings; different ones create a new version. null removes them."""
    changelog: NotRequired[str]
    """The changelog of the new version; a list of the changed parameters when absent."""
    baseVersionId: NotRequired[str]
    """The version on which the template was made. A newer version answers 409; without it, none does."""
    defaultLabel: NotRequired[str | None]
    """A label of the lens: callers that name no version get its version instead of the newest one. null ends that."""


class LensPublishedData(TypedDict):
    lensId: str
    version: str


class LensQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    q: NotRequired[str]
    """Full-text search in title, tags, description and newest text, by rank. Supports -word, "a phrase" and or. Ranks and counts the first 1,000 matches."""
    visibility: NotRequired[Literal["public", "community", "private"]]
    status: NotRequired[Literal["draft", "published", "archived"]]
    """Archived lenses are omitted when it is absent."""
    author: NotRequired[str]
    """Lenses of this account."""
    community: NotRequired[str]
    """Lenses of this community."""
    tag: NotRequired[str]
    """Lenses with this tag; ranks and counts the first 1,000."""
    sort: NotRequired[Literal["newest", "popular"]]
    """newest when absent, or by rank with q."""


class LensRecord(TypedDict):
    id: str
    title: str
    description: str
    author: AuthorRef
    createdAt: str
    updatedAt: str
    visibility: Literal["public", "community", "private"]
    status: Literal["draft", "published", "archived"]
    headVersion: LensVersionRef
    """The newest version. In lists, and for others than the owner, the version of the default label."""
    params: List[LensParameter]
    tags: List[str]
    templateBody: str
    """The value of the newest version."""
    changelog: str
    """The value of the newest version."""
    parentLensId: str | None
    """The lens that this one was forked from, if you can see it."""
    messages: List[LensMessage] | None
    """The parts of templateBody; null when it is one text."""
    settings: LensSettings | None
    """The model, its sampling and the schema of its answers; null when the lens leaves them to requests."""
    includes: List[LensInclude] | None
    """The lenses whose texts it includes; null without any."""
    labels: List[LensLabelPlace]
    defaultLabel: str | None
    """Callers that name no version get the one of this label; the newest when null."""
    servedVersion: LensVersionRef
    """The version that callers get that name none."""
    warnings: List[str]
    """Advice about the newest version, such as a parameter that keeps providers from caching."""


class LensSettingChange(TypedDict):
    name: str
    """The path of the setting, such as sampling.temperature."""
    before: Any
    """The value before; null when it was not set."""
    after: Any
    """The value after; null when it is no longer set."""


class LensSettings(TypedDict):
    models: NotRequired[List[str]]
    """Models as provider/key, in order: the first that can be used answers, and the next ones when it fails. With one model, its own fallbacks follow."""
    sampling: NotRequired[Sampling]
    outputSchema: NotRequired[Dict[str, Any]]
    """A JSON Schema that answers must match."""
    tools: NotRequired[List[LensTool]]
    """Tools of the model. A run that calls one with an inputSchema waits for POST /v1/runs/{runId}/tool-results; the platform performs the others."""
    toolsOf: NotRequired[str]
    """The handle of the AI lenser, of the owner of the lens, by whose grants and policy the platform performs tools. Only its owner can run the lens then."""
    providers: NotRequired[ProviderSettings]
    """Settings of single providers."""
    params: NotRequired[List[LensParamType]]
    """Types of parameters. A parameter without one takes any value."""
    examples: NotRequired[List[LensExample]]
    """Examples that models get before each request, as a message of the user and its answer."""
    mayOverride: NotRequired[List[Literal["model", "sampling", "outputSchema"]]]
    """The parts that a request may replace although the lens sets them. It may always give those that the lens does not set."""


class LensStateReply(TypedDict):
    lensId: str
    status: Literal["draft", "published", "archived"]


class LensTool(TypedDict):
    name: str
    """With inputSchema, a name of at most 64 letters, digits, - and _. Without it, a tool as it is granted to AI lensers: a name of the catalogue, mcp:<connector>/<tool>, mcp:<connector> for all of them, or agent:<handle>."""
    description: NotRequired[str]
    """Tells the model its effect and when to use it."""
    inputSchema: NotRequired[Dict[str, Any]]
    """A JSON Schema of the arguments, of the type object, for a tool of callers."""


class LensVersionItem(TypedDict):
    id: str
    semver: str
    changelog: str
    createdAt: str


class LensVersionRecord(TypedDict):
    id: str
    semver: str
    changelog: str
    createdAt: str
    lensId: str
    templateBody: str
    messages: List[LensMessage] | None
    """The parts of templateBody; null when it is one text."""
    params: List[LensParameter]
    settings: LensSettings | None
    """The model, its sampling and the schema of its answers; null when the lens leaves them to requests."""
    includes: List[LensInclude] | None
    """The lenses whose texts it includes; null without any."""


class LensVersionRef(TypedDict):
    id: str
    semver: str


class LensVersionsQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""


class LocalRun(TypedDict):
    runId: str
    lease: LocalRunLease
    sequence: int
    """The sequence number of the last event; send it as `after` with the next call."""
    prompt: str
    """The lens with its parameters filled in."""
    messages: List[RunMessage] | None
    """The parts of the prompt with their roles, for a lens with messages; null when the prompt is one text."""
    model: LocalRunModel
    """The requested model; a runner may use another one."""
    maxOutputTokens: int
    """The maximum length of the answer, in tokens."""
    sampling: Sampling
    """The requested choice of words; a runner uses the members that its server knows."""
    temperature: Any
    """The requested temperature, or null."""
    outputSchema: Any
    """The JSON Schema that the answer must match, or null."""
    msToDeadline: int
    """Milliseconds until the run times out."""


class LocalRunClaimRequest(TypedDict):
    runner: NotRequired[str]
    """The name of the runner."""
    waitSeconds: NotRequired[int]
    """Seconds to wait for a run when there is none."""


class LocalRunClaimed(TypedDict):
    run: LocalRun | None
    """null when no run is waiting."""


class LocalRunEventsRequest(TypedDict):
    leaseToken: int
    """The lease token of the claim."""
    after: int
    """The sequence number of the previous reply, so that a repeated call adds nothing."""
    deltas: NotRequired[List[str]]
    """Parts of the answer, in order. An empty list only extends the lease."""
    log: NotRequired[List[str]]
    """Log messages of the runner."""


class LocalRunFinishRequest(TypedDict):
    leaseToken: int
    """The lease token of the claim."""
    outcome: Literal["succeeded", "failed", "canceled"]
    """canceled is valid only after a reply with cancel true."""
    text: NotRequired[str]
    """The whole answer, for the outcome succeeded."""
    error: NotRequired[str]
    """The fault, for the outcome failed."""
    usage: NotRequired[LocalRunUsage]
    """The tokens of prompt and answer, if known."""


class LocalRunFinished(TypedDict):
    runId: str
    status: Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]


class LocalRunLease(TypedDict):
    token: int
    """The token to send with every call for the run; a later claim has another one."""
    ms: int
    """The run is queued again when the runner sends no call for this time."""


class LocalRunModel(TypedDict):
    provider: str
    key: str


class LocalRunProgress(TypedDict):
    cancelRequested: bool
    """true: stop, and finish the run with the outcome canceled."""
    sequence: int
    leaseMs: int


class LocalRunUsage(TypedDict):
    input: int
    output: int


class LogLine(TypedDict):
    level: Literal["debug", "info", "warn", "error"]
    message: str
    members: NotRequired[Dict[str, Any]]


class LoggedVote(TypedDict):
    battle: str
    contenders: List[str]
    ranking: List[List[str]]
    """The places from best to worst; ids that share a place are a tie. Contenders left out are below them."""
    at: str
    """The day of the vote, in UTC."""
    covariates: NotRequired[Dict[str, Any]]
    """With covariates=style: length and format of each contender."""


class LossRule(TypedDict):
    margin: NotRequired[float]
    """A loss up to this does not count; 0.02 when absent."""
    confidence: NotRequired[float]
    """How certain the answer must be; 0.95 when absent."""
    find: NotRequired[float]
    """The loss that the cases must be enough to find in 80 of 100 experiments; 0.1 when absent."""


class McpAuth(TypedDict):
    kind: Literal["none", "header", "oauth"]
    headerName: NotRequired[str]
    grantType: NotRequired[Literal["client_credentials", "refresh_token", "authorization_code"]]
    """authorization_code: the owner gave consent in a browser."""
    clientId: NotRequired[str]
    tokenUrl: NotRequired[str]
    scope: NotRequired[str]


class McpAuthRequest(TypedDict):
    kind: Literal["none", "header", "oauth"]
    """header: a header with each request, such as authorization; oauth: OAuth 2.1."""
    headerName: NotRequired[str]
    """For header: its name."""
    headerValue: NotRequired[str]
    """For header: its value, such as "Bearer …". It is sealed before it is stored, and never shown again."""
    grantType: NotRequired[Literal["client_credentials", "refresh_token"]]
    """For oauth: how access tokens are obtained."""
    clientId: NotRequired[str]
    """For oauth: the id of the client."""
    clientSecret: NotRequired[str]
    """For oauth: its secret. It is sealed before it is stored, and never shown again."""
    refreshToken: NotRequired[str]
    """For refresh_token: a token. It is sealed before it is stored, and never shown again."""
    tokenUrl: NotRequired[str]
    """For oauth: the token endpoint; found by the metadata of the server when absent."""
    scope: NotRequired[str]
    """For oauth: the scopes, with spaces between them."""


class McpAuthorization(TypedDict):
    status: Literal["preparing", "waiting", "exchanging", "authorized", "failed"]
    """preparing: a worker reads the metadata; waiting: open authorizationUrl; exchanging: a worker requests the tokens."""
    message: str | None
    """Why it failed, and what to do."""
    authorizationUrl: str | None
    """The address to open in a browser, while it waits for that."""
    expiresAt: str
    """When it fails unless it was finished."""


class McpAuthorizationAnswer(TypedDict):
    state: str
    """The state with which the browser returned."""
    code: str
    """The code with which the browser returned."""
    iss: NotRequired[str]
    """The iss with which the browser returned, if any (RFC 9207)."""


class McpAuthorizationServer(TypedDict):
    issuer: str
    """The issuer of its metadata."""
    tokenUrl: str
    """Its token endpoint."""
    changedTo: McpIssuer | None
    """The one that the server names now: it is suspended until its owner confirms one of both."""


class McpIssuer(TypedDict):
    issuer: str
    """The issuer of its metadata."""
    tokenUrl: str
    """Its token endpoint."""


class McpRefresh(TypedDict):
    status: Literal["pending", "succeeded", "failed"]
    """pending: no worker has read the list of tools yet."""
    message: str | None
    """The result of the last reading, or the cause of its failure."""
    refreshedAt: str | None
    """When the list was read last."""


class McpServer(TypedDict):
    id: str
    name: str
    url: str
    """The address of the server (streamable HTTP)."""
    auth: McpAuth
    allowedTools: List[str] | None
    """The tools that may be granted; all tools of the server when null."""
    enabled: bool
    toolCount: int
    """The number of tools in its list."""
    protocolVersion: str | None
    """The protocol revision of the last refresh."""
    refresh: McpRefresh | None
    """The last refresh of its list of tools."""
    authorization: McpAuthorization | None
    """The last authorization in a browser."""
    authorizationServer: McpAuthorizationServer | None
    """Found by the metadata of the server at its first token; null before, and when auth has a tokenUrl."""
    createdAt: str
    updatedAt: str


class McpServerPatch(TypedDict):
    auth: NotRequired[McpAuthRequest]
    """Replaces the credentials."""
    allowedTools: NotRequired[List[str] | None]
    """The tools that may be granted; all tools of the server when null."""
    enabled: NotRequired[bool]
    """False: no AI lenser can use its tools."""


class McpTool(TypedDict):
    toolId: str
    """The name for grants: mcp:<connector>/<tool>."""
    name: str
    title: str | None
    description: str
    inputSchema: Dict[str, Any]
    """The JSON Schema of its arguments."""
    annotations: Dict[str, Any]
    """The effects that the server declares, such as readOnlyHint."""
    idempotent: bool
    """True when the server says that a repeated call has no further effect."""
    allowed: bool
    """False when allowedTools of the server lacks it."""
    digest: str
    """SHA-256 of its description, schemas and annotations; a grant holds for this digest."""
    changedAt: str
    """When its digest last changed."""


class Me(TypedDict):
    userId: str | None
    """The person behind the credential, if any."""
    email: NotRequired[str]
    """The e-mail address of the person; for session tokens only."""
    account: AccountSummary | None
    """null until a handle is chosen."""
    credential: CredentialSummary
    budget: NotRequired[TokenBudget]
    """The budget of a token with a credit limit."""
    operator: NotRequired[bool]
    """true for operators of the installation; absent for others."""
    memberships: NotRequired[List[MembershipSummary]]
    """The newest 100, for credentials with community:read; /v1/communities lists all."""


class MePatch(TypedDict):
    displayName: NotRequired[str]
    description: NotRequired[str]


class MeanEstimate(TypedDict):
    mean: float
    low: float
    high: float


class MeanScore(TypedDict):
    mean: float
    low: float
    high: float


class Member(TypedDict):
    accountId: str
    handle: str
    displayName: str
    role: Literal["owner", "admin", "moderator", "member"]
    joinedAt: str


class MemberJoinedData(TypedDict):
    userId: str
    workspaceId: str


class MemberPatch(TypedDict):
    role: Literal["owner", "admin", "moderator", "member"]


class MembershipSummary(TypedDict):
    communityId: str
    handle: str
    displayName: str
    role: Literal["owner", "admin", "moderator", "member"]


class Message(TypedDict):
    id: str
    threadId: str
    position: int
    """The place in the thread, from 1 without gaps."""
    parentId: str | None
    """The message that this one replies to."""
    author: MessageAuthor
    status: Literal["visible", "hidden", "deleted"]
    text: str | None
    """Markdown as it was sent: untrusted input. Null when deleted, or hidden from the caller."""
    version: int
    """Counts the texts of the message."""
    mentions: List[MessageAuthor]
    """The lensers whose handles the text mentions."""
    createdAt: str
    editedAt: str | None


class MessageAnswer(TypedDict):
    agent: MessageAuthor
    """The AI lenser that was mentioned."""
    status: Literal["waiting", "running", "answered", "failed", "declined"]
    """declined: the AI lenser may not answer here, or the thread was closed meanwhile."""
    messageId: str | None
    """The message with the answer."""
    runId: str | None
    """The run, for the owner of the AI lenser."""
    reason: str | None
    """Why there is no answer, for the owner of the AI lenser."""


class MessageAuthor(TypedDict):
    id: str
    handle: str
    displayName: str
    kind: Literal["human", "ai", "community"]


class MessageChanged(TypedDict):
    message: Message
    """The message as it is when the event is sent; hidden and deleted texts are null for all readers."""


class MessageDetail(TypedDict):
    id: str
    threadId: str
    position: int
    """The place in the thread, from 1 without gaps."""
    parentId: str | None
    """The message that this one replies to."""
    author: MessageAuthor
    status: Literal["visible", "hidden", "deleted"]
    text: str | None
    """Markdown as it was sent: untrusted input. Null when deleted, or hidden from the caller."""
    version: int
    """Counts the texts of the message."""
    mentions: List[MessageAuthor]
    """The lensers whose handles the text mentions."""
    createdAt: str
    editedAt: str | None
    history: List[MessageVersion]
    """Earlier texts, the oldest first; empty when text is null."""
    answers: List[MessageAnswer]
    """The answers to mentions of AI lensers."""


class MessageImage(TypedDict):
    mediaType: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    url: str
    """An https address, from which the provider reads it."""


class MessageListQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    parentId: NotRequired[str]
    """Replies to this message."""
    order: NotRequired[Literal["oldest", "newest"]]
    """The message that comes first."""


class MessagePatch(TypedDict):
    text: str
    """Markdown, stored as it is sent. Clients render it safely."""
    version: NotRequired[int]
    """The version that the edit is made from; 409 when the message has another one by now."""


class MessageVersion(TypedDict):
    version: int
    text: str
    writtenAt: str


class ModelItem(TypedDict):
    id: str
    """The id for modelOverride, which also accepts key and provider/key."""
    key: str
    provider: str
    displayName: str
    contextTokens: int | None
    """Tokens of prompt and answer together; null when not known."""
    maxOutputTokens: int
    creditsPer1kInput: float
    """Credits; the cost of a run is rounded up."""
    creditsPer1kOutput: float
    creditsPer1kCachedInput: float | None
    """For input from the cache of the provider; null: as other input."""
    creditsPer1kCacheWrite: float | None
    """For input that the provider adds to its cache; null: as other input."""
    capabilities: List[Literal["stream", "images", "image_urls", "json", "tools", "sampling", "embeddings"]]
    fallbacks: List[str]
    """Models that are used instead when it fails, in order, as provider/key."""
    isDefault: bool
    """true for the model of requests that name none."""


class ModelQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    provider: NotRequired[str]
    """Models of this provider."""
    capability: NotRequired[Literal["stream", "images", "image_urls", "json", "tools", "sampling", "embeddings"]]
    """Models with this capability."""
    fundingSource: NotRequired[Literal["platform_credit", "user_byok_cloud"]]
    """user_byok_cloud: models that your own keys can use; otherwise the models of the platform."""


class Mute(TypedDict):
    account: MessageAuthor
    mutedBy: str
    """The account that muted it."""
    createdAt: str


class NewAiLenserRequest(TypedDict):
    handle: str
    """Unique among all accounts, also after archiving."""
    displayName: str
    bio: NotRequired[str]
    """Its public description."""
    aiModelKey: NotRequired[str]
    """The key, provider/key or id of the model that answers; the default model when absent."""
    instructions: NotRequired[str]
    """The system prompt of its answers; only its owner can read it."""
    policy: NotRequired[AiLenserPolicy]
    """Every action is denied when absent."""
    usableBy: NotRequired[Literal["nobody", "communities", "anyone"]]
    """The accounts besides its owner that may enter it in battles and mention it: nobody, members of a community of its owner, or anyone."""


class NewBattleRequest(TypedDict):
    title: str
    taskPrompt: str
    """The task of all contenders."""
    battleType: NotRequired[Literal["ai_vs_ai", "human_vs_human_ai_votes", "human_vs_human_open_votes", "human_vs_ai", "workflow_battle", "lenser_battle"]]
    judgingMode: NotRequired[Literal["community_vote", "ai_judge", "rubric_score", "auto_score"]]
    maxContenders: NotRequired[int]
    aiJudgeModelKey: NotRequired[str | None]
    """The key of the model that judges in the modes ai_judge and rubric_score. Without it the offline judge scores by measurable features."""
    rubric: NotRequired[List[RubricCriterion]]
    """The criteria of rubric_score; a default rubric when left out."""
    checks: NotRequired[List[BattleCheck]]
    """The checks of auto_score."""
    budgetCredits: NotRequired[int | None]
    """The most credits that all runs of the battle may cost together; no limit when null."""


class NewByokKeyRequest(TypedDict):
    provider: Literal["openai", "anthropic", "google", "openai-compatible"]
    """openai-compatible: your own endpoint with the chat completions API."""
    baseUrl: NotRequired[str]
    """For openai-compatible: the https:// URL of the endpoint, usually with /v1 at its end."""
    models: NotRequired[List[ByokModel]]
    """For openai-compatible: its models; runs that name none use the first."""
    label: str
    """A name for lists."""
    secret: str
    """The secret of the key. It is sealed before it is stored, and never shown again."""


class NewCommunityRequest(TypedDict):
    handle: str
    """Unique among all accounts."""
    displayName: str
    description: NotRequired[str]
    joinPolicy: NotRequired[Literal["open", "invite"]]
    """open: every account can join; invite: invited accounts only."""


class NewConnectorRequest(TypedDict):
    name: str
    """A name for lists."""
    scopes: str | List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]
    """A list, or a text with commas between the scopes; at most those of the creator."""
    ttl: NotRequired[int]
    """Days until its service token expires."""
    creditLimit: NotRequired[int]
    """The maximum credits that its runs may cost."""
    creditPeriod: NotRequired[Literal["month", "total"]]
    """month: the limit is for each calendar month (UTC); total: for all time."""
    communityId: NotRequired[str]
    """The community that it acts for; the account of the caller when absent."""


class NewContenderRequest(TypedDict):
    displayName: str
    contenderType: Literal["human", "ai_model", "ai_agent"]
    contenderRefId: str
    """The profile of a human contender; the AI lenser otherwise."""
    slot: NotRequired[str]
    """A to Z; the first free one when left out."""
    lensId: NotRequired[str]
    """The lens that writes the answer, with the parameter task_prompt."""
    workflowId: NotRequired[str]
    """The workflow that writes the answer, with the input task_prompt."""


class NewDeveloperTokenRequest(TypedDict):
    label: str
    """A name for lists."""
    scopes: NotRequired[str | List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]]
    """A list, or a text with commas between the scopes; every scope but community:write and tokens:write."""
    ttl: NotRequired[int]
    """Days until it expires."""
    creditLimit: NotRequired[int]
    """The maximum credits that runs started with the token may cost; when absent, only the balance of the account limits them."""
    creditPeriod: NotRequired[Literal["month", "total"]]
    """month: the limit is for each calendar month (UTC); total: for all time."""


class NewIncomingWebhookRequest(TypedDict):
    workflowId: str
    """The workflow that a call starts: your own, or one that you can see."""
    name: str
    """A name for lists."""


class NewInviteRequest(TypedDict):
    role: NotRequired[Literal["admin", "moderator", "member"]]
    """The role after joining; only an owner can invite admins."""
    ttl: NotRequired[int]
    """Days until it expires."""


class NewLensRequest(TypedDict):
    title: str
    description: NotRequired[str]
    """The purpose of the lens."""
    templateBody: NotRequired[str]
    """[[Name]] is a required parameter, [[Name!]] an optional one, \\[[ a literal [[."""
    messages: NotRequired[List[LensMessage]]
    """Instead of templateBody: the parts of a conversation, each with a role."""
    visibility: NotRequired[Literal["public", "community", "private"]]
    """private, when absent: only the owner can see it."""
    status: NotRequired[Literal["draft", "published"]]
    """Only the owner can see a draft."""
    tags: NotRequired[List[str]]
    params: NotRequired[List[LensParamInput]]
    """Must match the template; optional."""
    settings: NotRequired[LensSettings | None]
    """The settings of its calls of models."""


class NewMcpAuthorizationRequest(TypedDict):
    redirectUri: str
    """Where the browser returns to with code and state: your program, at a loopback http:// address or an https:// address."""
    clientId: NotRequired[str]
    """The id of a client that you registered; a worker registers one (RFC 7591) when absent."""
    clientSecret: NotRequired[str]
    """The secret of that client. It is sealed before it is stored, and never shown again."""
    scope: NotRequired[str]
    """The scopes, with spaces between them; those that the server asks for when absent."""


class NewMcpServerRequest(TypedDict):
    name: str
    """The connector in the ids of its tools, mcp:<connector>/<tool>. It never changes."""
    url: str
    """The address of the server (streamable HTTP)."""
    auth: NotRequired[McpAuthRequest]
    """none when absent."""
    allowedTools: NotRequired[List[str] | None]
    """The tools that may be granted; all tools of the server when null."""


class NewMessageRequest(TypedDict):
    text: str
    """Markdown, stored as it is sent. Clients render it safely."""
    parentId: NotRequired[str]
    """The message that this one replies to, which must not be a reply itself."""


class NewScheduleRequest(TypedDict):
    title: NotRequired[str]
    """The cron pattern when absent."""
    cron: str
    """minute hour day month weekday"""
    timeZone: NotRequired[str]
    """An IANA name, such as Europe/Berlin."""
    inputs: NotRequired[Dict[str, Any]]
    """The inputs of each run."""
    overlap: NotRequired[Literal["skip", "queue", "allow"]]
    """How a tick is handled while a run of an earlier tick has not ended."""
    missed: NotRequired[Literal["skip", "run_once"]]
    """How ticks are handled that were due while no scheduler was running."""
    enabled: NotRequired[bool]


class NewSubmissionRequest(TypedDict):
    contenderId: str
    contentText: str


class NewThreadRequest(TypedDict):
    title: str
    subjectType: NotRequired[Literal["lens", "workflow", "battle", "run", "community"]]
    """The kind of thing that the thread is about."""
    subjectId: NotRequired[str]
    """The thing that the thread is about; the caller must be able to see it."""
    visibility: NotRequired[Literal["subject", "private", "community", "public"]]
    """subject (as its subject, the default with one), private (the owner; the default without one), community (all accounts) or public. A thread with a subject is never visible to more callers than its subject."""


class NewTokenRequest(TypedDict):
    communityId: str
    """The community that the token acts for."""
    label: str
    """A name for lists."""
    scopes: NotRequired[str | List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]]
    """A list, or a text with commas between the scopes; at most those of the creator."""
    ttl: NotRequired[int]
    """Days until it expires."""
    creditLimit: NotRequired[int]
    """The maximum credits that runs started with the token may cost; when absent, only the balance of the account limits them."""
    creditPeriod: NotRequired[Literal["month", "total"]]
    """month: the limit is for each calendar month (UTC); total: for all time."""


class NewWebhookEndpointRequest(TypedDict):
    url: str
    """An https:// address without user name, password and fragment."""
    events: List[Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined"]]
    """The types of events to deliver."""
    description: NotRequired[str]
    """A description for lists."""


class NewWorkflowRequest(TypedDict):
    title: str
    description: NotRequired[str]
    """The purpose of the workflow."""
    visibility: NotRequired[Literal["public", "private", "unlisted"]]
    graph: NotRequired[Dict[str, Any]]
    """The graph of the first version, empty when absent: {nodes, edges, inputs?, outputs?}; see docs/workflows.md."""


class NextReview(TypedDict):
    item: ItemToReview | None
    """null when nothing waits for the caller."""
    waiting: int
    """The items that wait for the caller, with this one."""


class NextReviewQuery(TypedDict):
    after: NotRequired[str]
    """The item after this one, to pass over it."""


class NoWorseRule(TypedDict):
    margin: NotRequired[float]
    """A loss up to this does not count; 0.02 when absent."""
    confidence: NotRequired[float]
    """How certain the answer must be; 0.95 when absent."""


class NodeError(TypedDict):
    code: str
    message: str


class NodeFailed(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    errorCode: str
    errorMessage: str


class NodeOutputDelta(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    step: NotRequired[int]
    """The number of the answer of a lens with tools, which may say something before its calls."""
    text: str


class NodeRef(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""


class NodeRetrying(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    reason: str
    delayMs: int


class NodeStarted(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    attempt: int
    """The number of the attempt."""


class NodeSucceeded(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    output: NotRequired[Any]


class NodeWaiting(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    type: str
    """The type of the node, which says what it waits for."""
    until: NotRequired[str]
    """The time at which it stops waiting."""


class OpenAiSettings(TypedDict):
    textVerbosity: NotRequired[Literal["low", "medium", "high"]]
    """The length of answers."""


class OperatorRun(TypedDict):
    id: str
    accountId: str
    accountHandle: str | None
    kind: Literal["lens", "workflow", "prompt", "judging"]
    status: Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]
    errorCode: str | None
    worker: str | None
    """The name of the run-worker that executes it."""
    waitsFor: str | None
    """The reason why a queued run has no job yet, such as slot."""
    createdAt: str
    deadlineAt: str


class OperatorRuns(TypedDict):
    runs: List[OperatorRun]
    """At most 100."""


class OperatorRunsQuery(TypedDict):
    list: Literal["stuck", "lost", "failed", "oldest"]
    """stuck: a minute after their deadline or lease; lost and failed: those of the last hour; oldest: the queued runs with a job that have waited longest."""


class OperatorStatus(TypedDict):
    database: DatabaseStatus
    redis: RedisStatus | None
    """null while Redis cannot be reached."""
    queues: List[QueueStatus]
    """Empty while Redis cannot be reached."""
    outbox: OutboxStatus
    workers: List[WorkerStatus]
    """The run-workers that execute runs now, at most 200."""
    providerPauses: List[ProviderPause]
    """The pauses of the last seconds, at most 200. Empty while Redis cannot be reached."""
    runs: RunsStatus
    invariants: InvariantsStatus


class OutboxStatus(TypedDict):
    due: int
    oldestSeconds: float


class PageQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""


PartnerReply = Dict[str, Any]


PartnerRequest = Dict[str, Any]


class PayloadTooLargeDetails(TypedDict):
    limitBytes: int
    bodyBytes: NotRequired[int]
    """The size that Content-Length announced; absent for a chunked body."""


class PendingAgentApproval(TypedDict):
    id: str
    aiLenserId: str
    action: Literal["run_lens", "run_workflow", "submit_entry", "cast_vote", "join_battle", "create_battle"]
    metadata: Dict[str, Any]
    """The metadata of the action, or the arguments of the tool call."""
    runId: str | None
    """The workflow run in which the AI lenser wants to call a tool."""
    toolId: str | None
    """The tool of that call."""
    status: Literal["pending", "approved", "denied", "expired"]
    requestedAt: str
    expiresAt: str
    decidedAt: str | None
    result: Literal["success", "blocked_by_policy", "throttled", "failed"] | None
    """The result of an approved action."""
    reason: str | None
    output: Dict[str, Any] | None
    handle: str
    """The handle of the AI lenser."""


class PendingApproval(TypedDict):
    id: str
    runId: str
    nodeKey: str
    message: str
    """The question for the approver."""
    data: Any | None
    """The data to approve; after the approval, with the changes of the approver."""
    status: Literal["pending", "approved", "rejected", "expired"]
    comment: str | None
    answeredBy: str | None
    requestedAt: str
    expiresAt: str
    answeredAt: str | None
    workflowId: str
    workflowTitle: str | None
    """The title of the workflow; null after it was deleted."""


class PlatformExecutionAccepted(TypedDict):
    runId: str
    status: Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]
    workflowId: NotRequired[str | None]


class PlatformExecutionArtifact(TypedDict):
    id: str
    artifactKind: Literal["text", "image", "audio", "video", "json", "trace", "tool_log", "rubric_result"]
    contentText: NotRequired[str | None]
    contentJson: NotRequired[Any]
    isPrimaryOutput: bool
    visibility: str
    createdAt: str


class PlatformRunStatus(TypedDict):
    id: str
    kind: Literal["lens", "workflow", "prompt", "judging"]
    """prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle."""
    origin: Literal["caller", "schedule", "incoming_webhook", "node", "tracking", "battle", "experiment", "agent", "team", "thread"]
    """The cause of the run: a request, a schedule, a call of an incoming webhook, a node of another run, a battle, an experiment, an action of an AI lenser, a team run, or a mention in a thread. A tracking record is not executed: its caller reports its outcome."""
    lensId: str | None
    """The lens; for a tracking record, the lens of its prompt."""
    lensVersionId: str | None
    """The version of the lens."""
    workflowId: str | None
    workflowVersionId: NotRequired[str | None]
    """The version of the workflow."""
    label: NotRequired[str | None]
    """The label that decided about the version; null when the request named a version, or none without a default label."""
    arm: NotRequired[str | None]
    """The number of the version, when the label had arms; null when all its callers got the same version."""
    requestId: str
    status: Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]
    modelId: NotRequired[str | None]
    modelKey: NotRequired[str | None]
    providerKey: NotRequired[str | None]
    startedAt: NotRequired[str | None]
    completedAt: NotRequired[str | None]
    latencyMs: NotRequired[int | None]
    tokenInput: NotRequired[int | None]
    tokenOutput: NotRequired[int | None]
    tokenDetails: NotRequired[TokenDetails | None]
    """null when providers report none."""
    finishReason: NotRequired[Literal["stop", "length", "tool_calls", "other"] | None]
    """Why the model ended its answer: `length` when it was cut off. null for workflows, lenses with tools, and earlier runs."""
    creditCost: NotRequired[int | None]
    billingStatus: NotRequired[str | None]
    errorCode: NotRequired[str | None]
    errorMessage: NotRequired[str | None]
    requiredAction: NotRequired[RequiredAction | None]
    """The tool calls that wait for results of the caller."""
    artifacts: List[PlatformExecutionArtifact]
    tags: NotRequired[List[str]]
    metadata: NotRequired[Dict[str, Any] | None]
    """The metadata of its request."""
    batchId: NotRequired[str | None]
    """The batch that it belongs to."""
    parentRunId: NotRequired[str | None]
    """The run that this one retries, or that started it."""
    createdAt: str


class ProviderPause(TypedDict):
    provider: str
    model: str | None
    """A model that workers skip while it has alternatives. null: all calls with the key wait; also for BYOK keys, whose models are not named."""
    byok: bool
    """BYOK keys, rather than the key of the platform."""
    keys: int
    """The most keys in one worker."""
    workers: int
    """The workers that have it."""
    reason: Literal["limited", "unavailable", "unpaid"]
    """limited: the provider refused for its rate limit; unpaid: the account at the provider has no credit."""
    failures: int
    """The most failures in succession."""
    since: str
    """The first failure."""
    until: str
    """The last end; one that has passed lasts until the one call that probes the model ends."""
    waitingCalls: int
    """Calls of running runs that wait in workers."""
    waitingRuns: int
    """Queued runs of the model, or of the provider, that wait for another attempt; counted up to 100,000."""


class ProviderSettings(TypedDict):
    openai: NotRequired[OpenAiSettings]
    google: NotRequired[GoogleSettings]


class QueueStatus(TypedDict):
    queue: Literal["runs", "runs-isolated", "nodes", "run-operations", "byok-tests", "battles", "experiments", "scorer-calls", "agents", "mcp-servers", "threads", "platform-events"]
    waiting: int
    """Jobs that a worker could take."""
    active: int
    delayed: int
    failed: int
    """Jobs of the last hour that failed."""
    paused: bool
    """Workers take no more jobs of the queue."""
    oldestWaitingSeconds: float
    """0 when no job waits."""


class QueueSwitchRequest(TypedDict):
    paused: bool


class RankRange(TypedDict):
    best: int
    worst: int


class RateLimitedDetails(TypedDict):
    retryAfter: int
    """Seconds to wait, as in the Retry-After header."""
    limit: NotRequired[int]
    """The number that the caller may have or send."""
    reason: NotRequired[str]
    """The limit that was reached, when it is not that of requests per minute."""


class RatingInterval(TypedDict):
    low: float
    high: float


class Recording(TypedDict):
    id: str
    name: str
    calls: int
    """The number of recorded calls."""
    createdAt: str


class RecordingImport(TypedDict):
    name: str
    content: str
    """The file, as exportRecording gives it."""


class RecordingRemoved(TypedDict):
    recordingId: str
    removed: bool


class RedisStatus(TypedDict):
    version: str
    bytes: int
    connections: int


class ReleaseGroup(TypedDict):
    label: str | None
    """The label that decided about the version; null without one."""
    versionId: str | None
    version: str | None
    """The number of the version; null when grouped by label."""
    runs: int
    """The runs that have ended."""
    succeeded: int
    failed: int
    """The runs that failed or timed out."""
    canceled: int
    """They do not count as failures."""
    failures: MeanEstimate
    """The share of failures among the runs that were not canceled."""
    p50Ms: float | None
    p95Ms: float | None
    tokenInput: int
    tokenOutput: int
    credits: int
    creditsPerRun: MeanEstimate
    """The credits of a run."""
    comparison: GroupComparison | None
    """Its failures against those of the reference: the group of its label, or of all, with the most runs."""
    scores: List[GroupScore]


ReleaseStatistics = TypedDict(
    "ReleaseStatistics",
    {
        "from": "str",
        "to": "str",
        "by": "Literal[\"version\", \"label\", \"arm\"]",
        "truncated": "bool",
        "groups": "List[ReleaseGroup]",
    },
)


ReleaseStatisticsQuery = TypedDict(
    "ReleaseStatisticsQuery",
    {
        "lensId": "NotRequired[str]",
        "workflowId": "NotRequired[str]",
        "by": "NotRequired[Literal[\"version\", \"label\", \"arm\"]]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class RemovedVotes(TypedDict):
    ranking: List[List[str]]
    contenders: List[str]
    count: int


RequestIssue = TypedDict(
    "RequestIssue",
    {
        "in": "NotRequired[Literal[\"path\", \"query\", \"header\", \"body\"]]",
        "path": "str",
        "message": "str",
    },
)


class RequiredAction(TypedDict):
    type: Literal["tool_results"]
    calls: List[RequiredCall]


class RequiredCall(TypedDict):
    callId: str
    nodeKey: str
    """The node that asks: lens in the run of a lens."""
    name: str
    """The tool."""
    input: Any
    """Its arguments."""
    requestedAt: str
    expiresAt: str
    """The time until which its result is awaited."""


class RetryRefusal(TypedDict):
    code: str
    """The error code, such as INSUFFICIENT_CREDITS."""
    runs: int


class ReviewAgreement(TypedDict):
    items: int
    done: int
    tied: int
    """Items whose two reviews differ."""
    reviews: int
    alpha: float | None
    """Krippendorff's alpha of the reviews: 1 full agreement, 0 that of chance; null for too few reviews, or equal ones."""
    judge: JudgeAgreement | None
    """null without compareWith."""


class ReviewGiven(TypedDict):
    state: Literal["open", "tied", "done"]


class ReviewItem(TypedDict):
    id: str
    runId: str
    state: Literal["open", "tied", "done"]
    """tied: two reviews differ, and a third person decides."""
    reviews: int
    score: float | None
    """The mean of reviews that agree, or the middle of three."""
    corrected: str | None
    """The newest corrected answer."""
    comments: List[str]
    """The comments of the reviewers."""


class ReviewItemsAdded(TypedDict):
    added: int
    """Runs that were in the queue already, or have no answer, are left out."""


class ReviewItemsRequest(TypedDict):
    runIds: NotRequired[List[str]]
    """Runs of the caller."""
    filter: NotRequired[RunSelection]
    """Runs by a filter, when no runIds are given."""


class ReviewQueue(TypedDict):
    id: str
    name: str
    instructions: str | None
    scale: Literal["verdict", "marks"]
    perItem: int
    compareWith: str | None
    isOwn: bool
    """True for a queue of the caller; others are those that the caller reviews."""
    canReview: bool
    """True when the caller may review its answers."""
    items: int
    done: int
    """The items that have all their reviews."""
    waiting: int
    """The items that wait for a review of the caller."""
    createdAt: str


class ReviewQueueCreate(TypedDict):
    name: str
    """Letters, digits, dots, dashes and underscores; unique in the account. It names the scores."""
    instructions: NotRequired[str]
    """The question to the reviewers, in plain text."""
    scale: NotRequired[Literal["verdict", "marks"]]
    """verdict: good or bad. marks: from 1 to 5."""
    reviewers: NotRequired[List[str]]
    """The handles or ids of the people who review. When absent: you, or the owners and admins of the community."""
    perItem: NotRequired[int]
    """The reviews of an answer; 2 when absent. When two differ by half of the scale, a third person decides."""
    compareWith: NotRequired[str]
    """The name of a score of judges with which the people are compared."""


class ReviewQueueRemoved(TypedDict):
    queueId: str
    removed: bool


class ReviewRequest(TypedDict):
    thumb: NotRequired[Literal["up", "down"]]
    """For the scale verdict."""
    mark: NotRequired[int]
    """For the scale marks."""
    comment: NotRequired[str]
    corrected: NotRequired[str]
    """The answer that would be right; its owner can make a case of it."""


class RevokedTokens(TypedDict):
    revoked: int
    """The number of revoked tokens."""


class RotateByokKeyRequest(TypedDict):
    secret: str
    """The secret of the key. It is sealed before it is stored, and never shown again."""


class RotateConnectorRequest(TypedDict):
    ttl: NotRequired[int]
    """Days until the new token expires; the previous number when absent."""


class RotateIncomingWebhookRequest(TypedDict):
    overlapSeconds: NotRequired[int]
    """Seconds for which the old secret stays valid; 0 ends it at once."""


class RotateWebhookSecretRequest(TypedDict):
    overlapSeconds: NotRequired[int]
    """Seconds for which the old secret also signs the Standard Webhooks header; 0 ends it at once."""


class RubricCriterion(TypedDict):
    name: str
    """The name of the criterion, unique within the rubric."""
    weight: NotRequired[float]
    """The weight relative to the other criteria."""
    description: NotRequired[str]
    """The question that the judge answers about a text."""
    anchors: NotRequired[List[str]]
    """The meanings of the scores 1 to 5, in this order."""


class RuleResult(TypedDict):
    arm: str
    """The arm."""
    rule: GateRule
    """The rule as it was given."""
    result: Literal["passed", "failed", "inconclusive"]
    reason: str


class RuleScorer(TypedDict):
    id: str
    name: str
    version: int
    kind: Literal["check", "model", "pairwise", "http"]


class RunApproval(TypedDict):
    id: str
    runId: str
    nodeKey: str
    message: str
    """The question for the approver."""
    data: Any | None
    """The data to approve; after the approval, with the changes of the approver."""
    status: Literal["pending", "approved", "rejected", "expired"]
    comment: str | None
    answeredBy: str | None
    requestedAt: str
    expiresAt: str
    answeredAt: str | None


class RunBucket(TypedDict):
    at: str
    """The beginning of the bucket."""
    queued: int
    running: int
    succeeded: int
    failed: int
    canceled: int
    timedOut: int
    p50Ms: float | None
    """The median time from start to end, of the runs that have ended."""
    p95Ms: float | None
    """The time that 95 % of them stay below."""
    credits: int
    """The credits that they cost so far."""
    tokenInput: int
    tokenOutput: int
    tokenDetails: TokenDetails
    """The tokens by kind, as far as providers report them."""


class RunCanceled(TypedDict):
    runId: str
    status: Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]
    """canceled, or running until the worker has stopped."""


class RunCompletedData(TypedDict):
    runId: str
    workflowId: str | None
    status: str
    outputs: Any
    """The outputs: artifacts of the run by kind, the primary one first."""
    cost: int
    lensId: str | None
    """The lens; null for a run without one."""
    tags: List[str]
    """The tags of the run."""
    metadata: Dict[str, Any] | None
    """The metadata of the run, as its request gave it."""
    tokenInput: int | None
    tokenOutput: int | None
    tokenDetails: TokenDetails | None
    """null when providers report none."""


class RunEnded(TypedDict):
    reason: NotRequired[str]


class RunEvaluation(TypedDict):
    ruleId: str
    rule: str
    """The name of the rule."""
    state: Literal["evaluated", "skipped", "pending"]
    reason: str | None
    """Why the run was skipped or waits."""
    credits: int
    """The credits that judges have cost."""
    scores: List[RunScore]
    endedAt: str | None
    """When it was evaluated or skipped."""


class RunEventsQuery(TypedDict):
    token: NotRequired[str]
    """A token of POST /v1/runs/{runId}/read-token, instead of the Authorization header."""


class RunFailed(TypedDict):
    errorCode: str
    errorMessage: str


class RunFailedData(TypedDict):
    runId: str
    workflowId: str | None
    error: Dict[str, Any]
    """{code, message}"""
    lensId: str | None
    """The lens; null for a run without one."""
    tags: List[str]
    """The tags of the run."""
    metadata: Dict[str, Any] | None
    """The metadata of the run, as its request gave it."""


class RunFilter(TypedDict):
    status: NotRequired[List[Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]]]
    """Runs with one of these statuses."""
    kind: NotRequired[Literal["lens", "workflow", "prompt", "judging"]]
    """prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle."""
    lensId: NotRequired[str]
    """Runs of this lens."""
    workflowId: NotRequired[str]
    """Runs of this workflow."""
    tag: NotRequired[List[str]]
    """Runs that have all of these tags."""
    batchId: NotRequired[str]
    """Runs of this batch."""
    parentRunId: NotRequired[str]
    """Runs that retry this run, or that it started."""
    createdAfter: NotRequired[str]
    """Runs accepted at or after this time."""
    createdBefore: NotRequired[str]
    """Runs accepted before this time."""
    errorCode: NotRequired[str]
    """Runs that ended with this error code."""


class RunInput(TypedDict):
    runId: str
    params: Dict[str, Any] | None
    """The parameters of the lens, the inputs of the workflow, or the conversation of a request in the form of OpenAI; null for runs of other kinds."""
    messages: List[RunMessage] | None
    """The messages that the lens made of the parameters, without images; null for other runs, and when you may not read the lens."""
    workflowVersionId: str | None
    """The version of the workflow."""
    sampling: Dict[str, Any] | None
    """The settings of the model that differ from its defaults."""
    outputSchema: Dict[str, Any] | None
    """The JSON schema of the answer."""
    priority: int
    creditLimit: int | None
    """The most credits that the run may cost."""
    executionMs: int | None
    """The time limit of the execution."""
    fundingSource: Literal["user_byok_cloud", "user_byok_local", "platform_credit", "sponsored"] | None
    traceId: str | None
    """The id of the trace that the run belongs to, if its request was traced."""


class RunItem(TypedDict):
    id: str
    kind: Literal["lens", "workflow", "prompt", "judging"]
    """prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle."""
    status: Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]
    lensId: str | None
    workflowId: str | None
    title: str | None
    """The title of its lens or workflow, while you may read it."""
    version: str | None
    """The version of its lens, or the number of that of its workflow, with a suffix for a candidate."""
    input: NotRequired[str | None]
    """The first 200 characters of its parameters as JSON, on request."""
    origin: Literal["caller", "schedule", "incoming_webhook", "node", "tracking", "battle", "experiment", "agent", "team", "thread"]
    """The cause of the run: a request, a schedule, a call of an incoming webhook, a node of another run, a battle, an experiment, an action of an AI lenser, a team run, or a mention in a thread. A tracking record is not executed: its caller reports its outcome."""
    batchId: str | None
    tags: List[str]
    modelKey: str | None
    providerKey: str | None
    createdAt: str
    startedAt: str | None
    completedAt: str | None
    creditCost: int | None
    errorCode: str | None
    parentRunId: str | None
    """The run that this one retries, or that started it."""


class RunMessage(TypedDict):
    role: Literal["system", "user", "assistant"]
    text: str


class RunNodeItem(TypedDict):
    nodeId: str
    nodeKey: str
    """The id of the node, or its path in a map, such as each[3].summary."""
    type: str
    status: Literal["pending", "queued", "running", "waiting", "succeeded", "failed", "skipped", "canceled", "timed_out"]
    attempt: int
    """The number of claims by workers."""
    input: Any | None
    output: Any | None
    error: NodeError | None
    tokensUsed: int
    costCredits: int
    startedAt: str | None
    completedAt: str | None


class RunNodesQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    status: NotRequired[Literal["pending", "queued", "running", "waiting", "succeeded", "failed", "skipped", "canceled", "timed_out"]]


class RunOperationFault(TypedDict):
    code: str
    message: str


class RunOperationProgress(TypedDict):
    matched: int
    """The number of runs found so far; of all runs after the operation has succeeded."""
    done: int
    failed: int


RunOperationRequest = TypedDict(
    "RunOperationRequest",
    {
        "action": "Literal[\"cancel\", \"retry\"]",
        "filter": "RunFilter",
        "from": "NotRequired[Literal[\"start\", \"failed_nodes\"]]",
    },
)


class RunOperationState(TypedDict):
    id: str
    action: Literal["cancel", "retry"]
    status: Literal["queued", "running", "succeeded", "failed", "canceled"]
    filter: RunFilter
    progress: RunOperationProgress
    error: RunOperationFault | None
    """The fault of the operation, or of the last run that could not be changed."""
    createdAt: str
    startedAt: str | None
    completedAt: str | None


class RunProgress(TypedDict):
    percent: int
    message: NotRequired[str]


class RunQueued(TypedDict):
    kind: str
    """lens, workflow, prompt, judging"""
    generation: int
    """Always 0: a run that is queued again has the event run.retrying."""


class RunReadToken(TypedDict):
    runId: str
    token: str
    """The bearer token, or the value of the query parameter token, for the events of this run only. It is shown only now."""
    expiresAt: str
    eventsPath: str
    """The path of the events, relative to the URL of the API; with the token for an EventSource, unless the operator has switched that off."""


class RunReadTokenRequest(TypedDict):
    ttlSeconds: NotRequired[int]
    """Seconds for which the token is valid; the platform sets a maximum."""


class RunReportRequest(TypedDict):
    status: Literal["succeeded", "failed"]
    output: NotRequired[Any]
    """The result, which becomes the primary output: a text or JSON."""
    tokenInput: NotRequired[int]
    tokenOutput: NotRequired[int]
    error: NotRequired[str]
    """The fault; for the status failed only."""


class RunReported(TypedDict):
    runId: str
    status: Literal["succeeded", "failed"]


class RunRequiresAction(TypedDict):
    nodeId: str
    nodeKey: NotRequired[str]
    """The path of a node in a map, such as each[3].summary."""
    calls: List[CallOfTool]
    expiresAt: str
    """The time until which the results are awaited."""


RunRetryRequest = TypedDict(
    "RunRetryRequest",
    {
        "idempotencyKey": "NotRequired[str]",
        "from": "NotRequired[Literal[\"start\", \"failed_nodes\"]]",
        "version": "NotRequired[str]",
        "fromNode": "NotRequired[str]",
    },
)


class RunRetrying(TypedDict):
    reason: str
    delayMs: int


RunScore = TypedDict(
    "RunScore",
    {
        "id": "str",
        "runId": "str",
        "name": "str",
        "source": "Literal[\"end_user\", \"caller\", \"rule\", \"review\"]",
        "score": "float | None",
        "pass": "bool | None",
        "reason": "str | None",
        "error": "str | None",
        "judge": "ScoreJudge | None",
        "createdAt": "str",
    },
)


class RunScoreRequest(TypedDict):
    name: str
    """The name of the score; another one with this name replaces it."""
    score: NotRequired[float]
    """From 0 to 1; or give a thumb."""
    thumb: NotRequired[Literal["up", "down"]]
    """up counts as 1, down as 0; or give a score."""
    comment: NotRequired[str]


RunScoredData = TypedDict(
    "RunScoredData",
    {
        "runId": "str",
        "lensId": "str | None",
        "workflowId": "str | None",
        "label": "str | None",
        "scoreId": "str",
        "name": "str",
        "source": "str",
        "score": "float | None",
        "pass": "bool | None",
        "error": "str | None",
    },
)


RunSelection = TypedDict(
    "RunSelection",
    {
        "lensId": "NotRequired[str]",
        "workflowId": "NotRequired[str]",
        "experimentId": "NotRequired[str]",
        "label": "NotRequired[str]",
        "status": "NotRequired[Literal[\"succeeded\", \"failed\"]]",
        "score": "NotRequired[ScoreCondition]",
        "differ": "NotRequired[ScorerDifference]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "limit": "NotRequired[int]",
    },
)


class RunStarted(TypedDict):
    attempt: int
    """The number of the attempt."""


RunStatistics = TypedDict(
    "RunStatistics",
    {
        "from": "str",
        "to": "str",
        "interval": "str",
        "truncated": "bool",
        "buckets": "List[RunBucket]",
    },
)


RunStatisticsQuery = TypedDict(
    "RunStatisticsQuery",
    {
        "from": "str",
        "to": "NotRequired[str]",
        "interval": "NotRequired[Literal[\"minute\", \"hour\", \"day\"]]",
        "kind": "NotRequired[Literal[\"lens\", \"workflow\", \"prompt\", \"judging\"]]",
        "lensId": "NotRequired[str]",
        "workflowId": "NotRequired[str]",
        "tag": "NotRequired[List[str]]",
    },
)


class RunSucceeded(TypedDict):
    latencyMs: int
    tokenInput: int | None
    tokenOutput: int | None
    tokenDetails: NotRequired[TokenDetails]
    """Absent when providers report none."""
    creditCost: int


class RunWebhookDelivery(TypedDict):
    id: str
    endpointId: str
    eventId: str
    """The event id that the receiver gets: the same in every attempt, redelivery and replay."""
    event: Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined", "webhook.test"]
    cause: Literal["event", "test", "redelivery", "replay"]
    """The last cause of the delivery."""
    state: Literal["pending", "sending", "delivered", "exhausted", "canceled"]
    """exhausted: all attempts failed. canceled: the endpoint was disabled before."""
    tries: int
    """Attempts with a known outcome since the last redelivery."""
    lastStatus: int | None
    """The HTTP status of the last response."""
    lastError: str | None
    """The reason of the last failure, when it is not the HTTP status."""
    nextAttemptAt: str | None
    """The time of the next attempt."""
    createdAt: str
    endedAt: str | None
    endpointUrl: str
    """The address of the endpoint."""


class RunsQuery(TypedDict):
    status: NotRequired[List[Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]]]
    """Runs with one of these statuses."""
    kind: NotRequired[Literal["lens", "workflow", "prompt", "judging"]]
    """prompt: a text that a model answers, as an entry of a battle or in a thread; judging: the judgement of a battle."""
    lensId: NotRequired[str]
    """Runs of this lens."""
    workflowId: NotRequired[str]
    """Runs of this workflow."""
    tag: NotRequired[List[str]]
    """Runs that have all of these tags."""
    batchId: NotRequired[str]
    """Runs of this batch."""
    parentRunId: NotRequired[str]
    """Runs that retry this run, or that it started."""
    createdAfter: NotRequired[str]
    """Runs accepted at or after this time."""
    createdBefore: NotRequired[str]
    """Runs accepted before this time."""
    errorCode: NotRequired[str]
    """Runs that ended with this error code."""
    q: NotRequired[str]
    """Runs with this text in their parameters or in their output, in any case."""
    modelKey: NotRequired[str]
    """Runs of this model."""
    minCreditCost: NotRequired[int]
    """Runs that cost at least this many credits."""
    minDurationMs: NotRequired[int]
    """Runs that took at least this long from start to end."""
    scoreName: NotRequired[str]
    """Runs with a score of this name."""
    minScore: NotRequired[float]
    """Runs with a score of at least this, of any name or of scoreName."""
    maxScore: NotRequired[float]
    """Runs with a score of at most this, of any name or of scoreName."""
    withInput: NotRequired[bool]
    """Adds the beginning of the parameters to each run."""
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""


class RunsRequeued(TypedDict):
    requeued: int
    """Queued runs that got a new job."""


class RunsStatus(TypedDict):
    queued: int
    """Queued runs with a job; counted up to 100,000."""
    waiting: int
    """Queued runs that wait for a time, a key or a slot; counted up to 100,000."""
    running: int
    accepted: int
    """Runs that were accepted in the last ten minutes."""
    succeeded: int
    """Of these, those that succeeded."""
    failed: int
    """Of these, those that failed or timed out."""
    lost: int
    """Of these, those that failed since their workers were lost."""


SampleScore = TypedDict(
    "SampleScore",
    {
        "scorer": "str",
        "pass": "bool",
        "score": "float",
        "reason": "str",
        "error": "str | None",
        "assertions": "List[AssertionScore]",
        "judge": "ScoreJudge | None",
        "credits": "int",
    },
)


class Sampling(TypedDict):
    temperature: NotRequired[float]
    """0 for the most likely words; for models with the capability sampling."""
    maxOutputTokens: NotRequired[int]
    """The maximum length of the answer; each model has a maximum of its own."""
    topP: NotRequired[float]
    """Only the most likely words with this share together; for models with the capability sampling."""
    stop: NotRequired[List[str]]
    """Texts that end the answer before them."""
    seed: NotRequired[int]
    """The same seed gives similar answers at providers that know it."""
    reasoningEffort: NotRequired[Literal["low", "medium", "high"]]
    """For models that reason; others may refuse it."""


class ScheduleDeleted(TypedDict):
    deleted: bool
    scheduleId: str


class ScheduleItem(TypedDict):
    id: str
    workflowId: str
    title: str
    cron: str
    """minute hour day month weekday"""
    timeZone: str
    """An IANA name."""
    inputs: Dict[str, Any]
    """The inputs of each run."""
    overlap: Literal["skip", "queue", "allow"]
    """How a tick is handled while a run of an earlier tick has not ended."""
    missed: Literal["skip", "run_once"]
    """How ticks are handled that were due while no scheduler was running."""
    enabled: bool
    pausedReason: str | None
    """The reason of the pause."""
    authority: TriggerAuthority
    """The rights of the runs that it starts."""
    suspendedReason: Literal["creator_removed", "creator_demoted", "account_closed", "credential_revoked"] | None
    """The right that its creator lost. Nothing is started or sent until a take-over."""
    nextAt: str | None
    createdAt: str
    updatedAt: str
    workflowTitle: str
    lastTick: ScheduleTickItem | None
    """The newest tick."""


class SchedulePatch(TypedDict):
    title: NotRequired[str]
    cron: NotRequired[str]
    """minute hour day month weekday"""
    timeZone: NotRequired[str]
    """An IANA name, such as Europe/Berlin."""
    inputs: NotRequired[Dict[str, Any]]
    overlap: NotRequired[Literal["skip", "queue", "allow"]]
    """How a tick is handled while a run of an earlier tick has not ended."""
    missed: NotRequired[Literal["skip", "run_once"]]
    """How ticks are handled that were due while no scheduler was running."""
    enabled: NotRequired[bool]
    """false pauses it; true resumes it."""


class SchedulePreview(TypedDict):
    at: List[str]
    """The next ticks if the schedule is not paused."""


class ScheduleRecord(TypedDict):
    id: str
    workflowId: str
    title: str
    cron: str
    """minute hour day month weekday"""
    timeZone: str
    """An IANA name."""
    inputs: Dict[str, Any]
    """The inputs of each run."""
    overlap: Literal["skip", "queue", "allow"]
    """How a tick is handled while a run of an earlier tick has not ended."""
    missed: Literal["skip", "run_once"]
    """How ticks are handled that were due while no scheduler was running."""
    enabled: bool
    pausedReason: str | None
    """The reason of the pause."""
    authority: TriggerAuthority
    """The rights of the runs that it starts."""
    suspendedReason: Literal["creator_removed", "creator_demoted", "account_closed", "credential_revoked"] | None
    """The right that its creator lost. Nothing is started or sent until a take-over."""
    nextAt: str | None
    createdAt: str
    updatedAt: str


class ScheduleTickItem(TypedDict):
    tickAt: str
    outcome: Literal["waiting", "started", "skipped", "missed", "failed"]
    reason: str | None
    runId: str | None
    decidedAt: str


Score = TypedDict(
    "Score",
    {
        "scorer": "str",
        "pass": "bool",
        "score": "float",
        "reason": "str",
        "error": "str | None",
        "assertions": "List[AssertionScore]",
        "judge": "ScoreJudge | None",
    },
)


class ScoreBound(TypedDict):
    name: str
    """The name of a score, such as that of a scorer in a rule of evaluation, or feedback."""
    min: float
    """The mean of the scores must not be lower."""


class ScoreBucket(TypedDict):
    at: str
    """The beginning of the bucket."""
    scores: int
    mean: MeanEstimate


class ScoreComparison(TypedDict):
    difference: float
    low: float
    high: float
    result: Literal["higher", "lower", "alike", "too_few_scores"]
    """alike: within five points. too_few_scores: too few scores to say."""


class ScoreCondition(TypedDict):
    name: str
    """The name of a score."""
    min: NotRequired[float]
    """At least this score."""
    max: NotRequired[float]
    """At most this score."""


class ScoreDifference(TypedDict):
    mean: float
    """The mean over cases of this arm minus the baseline."""
    low: float
    high: float
    pValue: float
    """Of the sign test over cases, adjusted by Holm over the arms."""
    better: int
    """Cases with a higher score than the baseline."""
    worse: int
    equal: int
    casesNeeded: int | None
    """The cases with which a loss of 10 points is found in 80 of 100 experiments."""


class ScoreJudge(TypedDict):
    model: str
    """The model, or offline for measured features."""
    prompt: str | None
    """The version of the prompt of the judge."""
    promptHash: str | None
    """Its SHA-256."""
    runIds: List[str]
    """The runs of the judge."""


class ScoreSeries(TypedDict):
    name: str
    """The name of the score."""
    scores: int
    errors: int
    """Scores that could not be made; means leave them out."""
    mean: MeanEstimate
    drift: ScoreComparison
    """The last quarter of the range against the time before it."""
    buckets: List[ScoreBucket]
    """Buckets with scores, the oldest first."""


ScoreStatistics = TypedDict(
    "ScoreStatistics",
    {
        "from": "str",
        "to": "str",
        "interval": "Literal[\"minute\", \"hour\", \"day\"]",
        "truncated": "bool",
        "series": "List[ScoreSeries]",
    },
)


ScoreStatisticsQuery = TypedDict(
    "ScoreStatisticsQuery",
    {
        "lensId": "NotRequired[str]",
        "workflowId": "NotRequired[str]",
        "label": "NotRequired[str]",
        "name": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "interval": "NotRequired[Literal[\"minute\", \"hour\", \"day\"]]",
    },
)


class Scorer(TypedDict):
    kind: Literal["check", "model", "pairwise", "http"]
    """check: assertions about the output, computed without a model. model: a model judges the output. pairwise: a model compares the output with that of the baseline, in both orders; a win is 1, a tie 0.5. http: a program of yours scores the output; for stored scorers."""
    assertions: NotRequired[List[Dict[str, Any]]]
    """Of a check: assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant."""
    method: NotRequired[Literal["rubric", "factuality", "closedQuestion", "contextRelevance", "contextFaithfulness", "criteria", "goalSuccess", "similarity"]]
    """Of a model. rubric: how well the output meets a rubric. factuality: whether it contradicts the expected answer. closedQuestion: yes or no to a question about it. contextRelevance: how much of the context is about the input. contextFaithfulness: how much of the output follows from the context. criteria: the weighted mean of marks. goalSuccess: whether the calls of tools and the output reach a goal. similarity: the cosine of the embeddings of the output and the expected answer."""
    rubric: NotRequired[str]
    """Of rubric, closedQuestion and goalSuccess: the rubric, the question, or the goal; {{Name}} is a parameter of the case."""
    criteria: NotRequired[List[ScorerCriterion]]
    """Of criteria."""
    context: NotRequired[str]
    """Of contextRelevance and contextFaithfulness: the parameter or member of metadata that has the context; context when absent."""
    model: NotRequired[str]
    """Of model and pairwise: the model that judges, with the capability json, or embeddings for similarity. When absent, outputs are judged by measured features, without a model; similarity uses the default model for embeddings."""
    url: NotRequired[str]
    """Of http: the address that gets a signed POST for each output, and answers {score, pass?, reason?}."""
    threshold: NotRequired[float]
    """The score from which an output passes. When absent, all assertions of a check must pass, similarity must be 0.75, and 0.5 is enough for others."""
    name: str
    """Letters, digits, dots, dashes and underscores; unique in the experiment."""


class ScorerCreate(TypedDict):
    name: str
    """Letters, digits, dots, dashes and underscores; unique in the account."""
    rule: ScorerRule


class ScorerCreated(TypedDict):
    id: str
    name: str
    version: int
    """Each change makes a new version; earlier ones stay."""
    rule: ScorerRule
    createdAt: str
    updatedAt: str
    """When this version was made."""
    secret: str | None
    """Of http: the secret that its calls are signed with, which no other reply has."""


class ScorerCriterion(TypedDict):
    name: str
    description: str
    weight: NotRequired[float]
    """1 when absent."""
    anchors: NotRequired[List[str]]
    """The meaning of the marks 1 to 5; from not at all to fully when absent."""


class ScorerDifference(TypedDict):
    first: str
    """The name of a score."""
    second: str
    """The name of a score."""
    by: NotRequired[float]
    """The scores differ by at least this; 0.5 when absent."""


class ScorerReference(TypedDict):
    id: str
    version: NotRequired[int]
    """A version; the newest when absent."""


class ScorerRemoved(TypedDict):
    scorerId: str
    removed: bool


class ScorerResult(TypedDict):
    scorer: str
    score: MeanScore
    passRate: float
    """The share of the answers that pass."""
    passAtK: float
    """The share of cases of which at least one repetition passes."""
    passHatK: float
    """The share of cases of which every repetition passes."""
    errors: int
    """Scores that could not be made, which count as 0."""
    difference: ScoreDifference | None
    """null for the baseline, and without one."""


class ScorerRule(TypedDict):
    kind: Literal["check", "model", "pairwise", "http"]
    """check: assertions about the output, computed without a model. model: a model judges the output. pairwise: a model compares the output with that of the baseline, in both orders; a win is 1, a tie 0.5. http: a program of yours scores the output; for stored scorers."""
    assertions: NotRequired[List[Dict[str, Any]]]
    """Of a check: assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant."""
    method: NotRequired[Literal["rubric", "factuality", "closedQuestion", "contextRelevance", "contextFaithfulness", "criteria", "goalSuccess", "similarity"]]
    """Of a model. rubric: how well the output meets a rubric. factuality: whether it contradicts the expected answer. closedQuestion: yes or no to a question about it. contextRelevance: how much of the context is about the input. contextFaithfulness: how much of the output follows from the context. criteria: the weighted mean of marks. goalSuccess: whether the calls of tools and the output reach a goal. similarity: the cosine of the embeddings of the output and the expected answer."""
    rubric: NotRequired[str]
    """Of rubric, closedQuestion and goalSuccess: the rubric, the question, or the goal; {{Name}} is a parameter of the case."""
    criteria: NotRequired[List[ScorerCriterion]]
    """Of criteria."""
    context: NotRequired[str]
    """Of contextRelevance and contextFaithfulness: the parameter or member of metadata that has the context; context when absent."""
    model: NotRequired[str]
    """Of model and pairwise: the model that judges, with the capability json, or embeddings for similarity. When absent, outputs are judged by measured features, without a model; similarity uses the default model for embeddings."""
    url: NotRequired[str]
    """Of http: the address that gets a signed POST for each output, and answers {score, pass?, reason?}."""
    threshold: NotRequired[float]
    """The score from which an output passes. When absent, all assertions of a check must pass, similarity must be 0.75, and 0.5 is enough for others."""


class ScorerSample(TypedDict):
    output: str
    params: NotRequired[Dict[str, Any]]
    """Parameters as a case has them."""
    expected: NotRequired[Any | None]
    baseline: NotRequired[str]
    """Of pairwise: the output to compare with."""


class ScorerTest(TypedDict):
    samples: List[ScorerSample]
    version: NotRequired[int]
    """A version; the newest when absent."""


class ScorerTested(TypedDict):
    version: int
    scores: List[SampleScore]


class ScorerUpdate(TypedDict):
    rule: ScorerRule


class ScorerVersionQuery(TypedDict):
    version: NotRequired[int]
    """A version; the newest when absent."""


class SecondPerson(TypedDict):
    approvers: NotRequired[List[str]]
    """The handles or ids of the people who may approve; replies have ids. When absent the owners and admins of the community that owns it, so that the label of a person needs some."""


class ServiceTokenSummary(TypedDict):
    id: str
    prefix: str
    """The first characters of its value."""
    createdAt: str
    expiresAt: str
    lastUsedAt: str | None
    """Updated at most once a minute."""


class SessionItem(TypedDict):
    id: str
    kind: Literal["browser", "client"]
    """browser: on the sign-in pages; client: of a program, such as the command line."""
    clientName: str | None
    """The name of the program; null for a browser."""
    address: str | None
    """The IP address that opened it."""
    userAgent: str | None
    """The User-Agent that opened it, as the browser or program named itself."""
    current: bool
    """The session of this request."""
    createdAt: str
    lastUsedAt: str | None
    """Updated at most once a minute."""
    expiresAt: str
    """It ends at this time, and 30 days after its last use."""


class ShortListQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""


class SponsoredLens(TypedDict):
    lensId: str
    enabled: bool
    credits: int
    period: Literal["month", "total"]
    models: List[str] | None
    """The models that the pool pays for; null: every model whose run costs at most maxCreditsPerRun."""
    maxCreditsPerRun: int
    maxCreditsPerCallerPerDay: int
    """The maximum cost of the runs of one account in a day (UTC)."""
    held: int
    """Held for runs that have not ended."""
    spent: int
    """Spent in this month or in total, as period says."""
    updatedAt: str
    lensTitle: str
    """The title of the lens."""


class Sponsorship(TypedDict):
    lensId: str
    enabled: bool
    credits: int
    period: Literal["month", "total"]
    models: List[str] | None
    """The models that the pool pays for; null: every model whose run costs at most maxCreditsPerRun."""
    maxCreditsPerRun: int
    maxCreditsPerCallerPerDay: int
    """The maximum cost of the runs of one account in a day (UTC)."""
    held: int
    """Held for runs that have not ended."""
    spent: int
    """Spent in this month or in total, as period says."""
    updatedAt: str


class SponsorshipRequest(TypedDict):
    enabled: NotRequired[bool]
    """false: the pool pays for no runs."""
    credits: int
    """The maximum of your credits that runs of others may cost."""
    period: NotRequired[Literal["month", "total"]]
    """month: credits are for each calendar month (UTC); total: for all time."""
    models: NotRequired[List[str]]
    """The models that the pool pays for, as provider/key; when absent, every model whose run costs at most maxCreditsPerRun."""
    maxCreditsPerRun: NotRequired[int]
    """The maximum cost of a run."""
    maxCreditsPerCallerPerDay: NotRequired[int]
    """The maximum cost of the runs of one account in a day (UTC); runs that have not ended count with their holds."""


class StartedAnswer(TypedDict):
    contenderId: str
    runId: str


StatisticsRange = TypedDict(
    "StatisticsRange",
    {
        "from": "str",
        "to": "NotRequired[str]",
        "interval": "NotRequired[Literal[\"minute\", \"hour\", \"day\"]]",
    },
)


class StoredScorer(TypedDict):
    id: str
    name: str
    version: int
    """Each change makes a new version; earlier ones stay."""
    rule: ScorerRule
    createdAt: str
    updatedAt: str
    """When this version was made."""


class Submission(TypedDict):
    contenderId: str
    """The id of the contender, as in `contenders`."""
    contentText: str
    runId: str | None
    """The run that wrote the text."""
    submittedAt: str | None


class SubmissionReceived(TypedDict):
    received: int
    """The number of contenders who have submitted."""
    of: int
    """The number of contenders."""


class Submitted(TypedDict):
    battleId: str
    contenderId: str
    submitted: bool
    replaced: bool
    """True when the text replaced an earlier one."""
    status: Literal["draft", "open", "executing", "voting", "scoring", "closed", "published", "archived"]
    """The status after the submission."""


class TeamRun(TypedDict):
    id: str
    aiLenserId: str
    workflowId: str
    policy: Literal["auto", "manual"]
    status: Literal["queued", "running", "blocked", "completed", "failed", "cancelled"]
    createdAt: str
    approvedAt: str | None
    startedAt: str | None
    completedAt: str | None
    spentCredits: int


class TeamRunRequest(TypedDict):
    workflowId: str
    inputs: NotRequired[Dict[str, Any]]
    policy: Literal["auto", "manual"]
    """manual: the run waits for its owner, at most 24 hours."""


class TestWebhookRequest(TypedDict):
    event: NotRequired[Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined"]]
    """The type of the event, which has example data; webhook.test when absent."""


class Thread(TypedDict):
    id: str
    subjectType: Literal["lens", "workflow", "battle", "run", "community"] | None
    subjectId: str | None
    title: str
    visibility: Literal["subject", "private", "community", "public"]
    status: Literal["open", "closed"]
    owner: AuthorRef
    """The account that created the thread."""
    messageCount: int
    """The number of messages, with hidden and deleted ones."""
    createdAt: str
    lastMessageAt: str | None
    closedAt: str | None


class ThreadListQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    subjectType: NotRequired[Literal["lens", "workflow", "battle", "run", "community"]]
    """With subjectId. Threads without a subject when left out."""
    subjectId: NotRequired[str]
    """With subjectType."""
    status: NotRequired[Literal["open", "closed"]]


class ThreadPatch(TypedDict):
    title: NotRequired[str]
    status: NotRequired[Literal["open", "closed"]]
    """A closed thread takes no messages and no edits."""


class ThreadUpdated(TypedDict):
    title: str
    status: Literal["open", "closed"]


class TokenBudget(TypedDict):
    creditLimit: int
    """The maximum credits that runs started with the token may cost."""
    creditPeriod: Literal["month", "total"]
    """month: the limit is for each calendar month (UTC); total: for all time."""
    spent: int
    """Spent in this month or in total, as period says."""
    held: int
    """Held for runs that have not ended."""
    remaining: int
    """creditLimit minus spent and held; the balance of the account may be smaller."""


class TokenDetails(TypedDict):
    cachedInput: int
    """Input that providers read from their caches; part of tokenInput."""
    cacheWrite: int
    """Input that providers wrote to their caches; part of tokenInput."""
    reasoning: int
    """Output of reasoning; part of tokenOutput."""
    creditsSaved: int
    """The credits that caches saved; negative if writing cost more than reading saved."""


class TokenLimitRequest(TypedDict):
    creditLimit: int | None
    """The maximum credits that runs started with the token may cost; when absent, only the balance of the account limits them."""
    creditPeriod: NotRequired[Literal["month", "total"]]
    """month: the limit is for each calendar month (UTC); total: for all time."""


class TokenQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    kind: NotRequired[Literal["mcp", "developer", "organisation", "service"]]
    """Tokens of this kind only."""
    communityId: NotRequired[str]
    """Tokens of this community only."""


class TokenSummary(TypedDict):
    id: str
    kind: Literal["mcp", "developer", "organisation", "service"]
    accountId: str
    """The account that it acts for: a person or a community."""
    connectorId: str | None
    """The connector of a service token."""
    label: str
    scopes: List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]
    prefix: str
    """The first characters of its value."""
    creditLimit: int | None
    """The maximum credits that runs started with it may cost; null: the balance of the account."""
    creditPeriod: Literal["month", "total"]
    createdAt: str
    expiresAt: str | None
    lastUsedAt: str | None
    """Updated at most once a minute."""
    revokedAt: str | None


class TokensQuery(TypedDict):
    kind: Literal["mcp", "developer", "organisation", "service"]
    """Tokens of this kind."""
    communityId: NotRequired[str]
    """Tokens of this community instead of the caller's own."""


class ToolResult(TypedDict):
    callId: str
    """A call of requiredAction."""
    output: NotRequired[Any]
    """The result: any JSON, of at most 100,000 characters; this or error."""
    error: NotRequired[str]
    """The reason why there is no result; the model reads it."""


class ToolResults(TypedDict):
    results: List[ToolResult]


class ToolResultsAccepted(TypedDict):
    runId: str
    requiredAction: RequiredAction | None
    """The calls that still wait."""


class TriggerAuthority(TypedDict):
    accountId: str | None
    """The person who set it up or took it over; null when unknown."""
    handle: str | None
    """The handle of that person."""
    credentialKind: str | None
    """The kind of credential that was used, such as session or developer."""
    scopes: List[Literal["lenses:read", "lenses:write", "agents:read", "agents:write", "workflows:read", "workflows:write", "threads:read", "threads:write", "community:read", "community:write", "connectors:read", "connectors:write", "tokens:read", "tokens:write"]]
    """Runs and their agents have these scopes at most."""
    creditLimit: int | None
    """The credit limit of the token that was used; runs count against it."""


class Unmuted(TypedDict):
    threadId: str
    accountId: str
    muted: bool


class UnprocessableParamsDetails(TypedDict):
    missing: List[str]
    """Required members that are absent."""
    invalid: List[RequestIssue]
    """Members with an invalid value."""


class UpdateIncomingWebhookRequest(TypedDict):
    workflowId: NotRequired[str]
    """The workflow that later calls start."""
    name: NotRequired[str]
    enabled: NotRequired[bool]
    """false: calls get the same response as for an unknown webhook."""


class UsedScorer(TypedDict):
    kind: Literal["check", "model", "pairwise", "http"]
    """check: assertions about the output, computed without a model. model: a model judges the output. pairwise: a model compares the output with that of the baseline, in both orders; a win is 1, a tie 0.5. http: a program of yours scores the output; for stored scorers."""
    assertions: NotRequired[List[Dict[str, Any]]]
    """Of a check: assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant."""
    method: NotRequired[Literal["rubric", "factuality", "closedQuestion", "contextRelevance", "contextFaithfulness", "criteria", "goalSuccess", "similarity"]]
    """Of a model. rubric: how well the output meets a rubric. factuality: whether it contradicts the expected answer. closedQuestion: yes or no to a question about it. contextRelevance: how much of the context is about the input. contextFaithfulness: how much of the output follows from the context. criteria: the weighted mean of marks. goalSuccess: whether the calls of tools and the output reach a goal. similarity: the cosine of the embeddings of the output and the expected answer."""
    rubric: NotRequired[str]
    """Of rubric, closedQuestion and goalSuccess: the rubric, the question, or the goal; {{Name}} is a parameter of the case."""
    criteria: NotRequired[List[ScorerCriterion]]
    """Of criteria."""
    context: NotRequired[str]
    """Of contextRelevance and contextFaithfulness: the parameter or member of metadata that has the context; context when absent."""
    model: NotRequired[str]
    """Of model and pairwise: the model that judges, with the capability json, or embeddings for similarity. When absent, outputs are judged by measured features, without a model; similarity uses the default model for embeddings."""
    url: NotRequired[str]
    """Of http: the address that gets a signed POST for each output, and answers {score, pass?, reason?}."""
    threshold: NotRequired[float]
    """The score from which an output passes. When absent, all assertions of a check must pass, similarity must be 0.75, and 0.5 is enough for others."""
    name: str
    """Letters, digits, dots, dashes and underscores; unique in the experiment."""
    scorerId: str | None
    """The stored scorer that it is; null for one of the experiment alone."""
    version: int | None
    """The version of the stored scorer."""


class Verdict(TypedDict):
    contenderId: str
    verdict: str
    score: float
    reasoning: str
    createdAt: str


class Vote(TypedDict):
    battleId: str
    ranking: List[List[str]]
    """The places from best to worst; ids that share a place are in one list."""
    comment: str | None
    createdAt: str
    updatedAt: str


class VoteAggregate(TypedDict):
    contenderId: str
    voteCount: int
    """The number of votes that place the contender first alone."""
    voteScore: float
    """The mean Borda score."""


class VoteRequest(TypedDict):
    winner: NotRequired[str]
    """The best entry, by the id of the ballot."""
    ranking: NotRequired[List[str]]
    """The entries from best to worst. Entries that are left out share the remaining places."""
    tie: NotRequired[bool]
    """True when no entry is better than another."""
    comment: NotRequired[str]


class VotesCounted(TypedDict):
    votes: int
    """The number of accounts that have voted."""


class WaitAnswered(TypedDict):
    received: bool


class WaitUrl(TypedDict):
    url: str
    """A callback URL for one call. It is shown only now; a new one replaces it."""
    expiresAt: str


class WantedArm(TypedDict):
    version: str
    """The id, the number or another label of the version."""
    weight: float
    """The percentage of sticky keys that get it."""


class WebhookAttemptReply(TypedDict):
    number: int
    status: int | None
    """null: there was no response."""
    error: str | None
    """The reason of the failure, such as connect_failed, answer_timeout or redirected."""
    detail: str | None
    answer: str
    """The first 4 KB of the response, as text."""
    durationMs: int
    at: str
    """The time at which it ended."""


class WebhookDeliveryItem(TypedDict):
    id: str
    endpointId: str
    eventId: str
    """The event id that the receiver gets: the same in every attempt, redelivery and replay."""
    event: Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined", "webhook.test"]
    cause: Literal["event", "test", "redelivery", "replay"]
    """The last cause of the delivery."""
    state: Literal["pending", "sending", "delivered", "exhausted", "canceled"]
    """exhausted: all attempts failed. canceled: the endpoint was disabled before."""
    tries: int
    """Attempts with a known outcome since the last redelivery."""
    lastStatus: int | None
    """The HTTP status of the last response."""
    lastError: str | None
    """The reason of the last failure, when it is not the HTTP status."""
    nextAttemptAt: str | None
    """The time of the next attempt."""
    createdAt: str
    endedAt: str | None


WebhookDeliveryQuery = TypedDict(
    "WebhookDeliveryQuery",
    {
        "limit": "NotRequired[int]",
        "offset": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "state": "NotRequired[Literal[\"pending\", \"sending\", \"delivered\", \"exhausted\", \"canceled\"]]",
        "event": "NotRequired[Literal[\"run.completed\", \"run.failed\", \"run.scored\", \"battle.completed\", \"experiment.completed\", \"label.returned\", \"lens.published\", \"member.joined\", \"webhook.test\"]]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class WebhookDeliveryReply(TypedDict):
    id: str
    endpointId: str
    eventId: str
    """The event id that the receiver gets: the same in every attempt, redelivery and replay."""
    event: Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined", "webhook.test"]
    cause: Literal["event", "test", "redelivery", "replay"]
    """The last cause of the delivery."""
    state: Literal["pending", "sending", "delivered", "exhausted", "canceled"]
    """exhausted: all attempts failed. canceled: the endpoint was disabled before."""
    tries: int
    """Attempts with a known outcome since the last redelivery."""
    lastStatus: int | None
    """The HTTP status of the last response."""
    lastError: str | None
    """The reason of the last failure, when it is not the HTTP status."""
    nextAttemptAt: str | None
    """The time of the next attempt."""
    createdAt: str
    endedAt: str | None
    attempts: List[WebhookAttemptReply]
    """The oldest first."""
    request: WebhookRequestReply
    """The request that is sent to the endpoint."""


class WebhookEndpointChange(TypedDict):
    url: NotRequired[str]
    """An https:// address without user name, password and fragment."""
    events: NotRequired[List[Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined"]]]
    """The types of events to deliver."""
    description: NotRequired[str]
    """A description for lists."""


class WebhookEndpointReply(TypedDict):
    id: str
    url: str
    description: str
    events: List[Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined"]]
    enabled: bool
    disabledReason: Literal["gone", "failing", "owner"] | None
    """gone: it returned 410. failing: all deliveries failed for days. owner: it was disabled by request."""
    creatorId: str | None
    """The person who created it or took it over; null when unknown."""
    suspendedReason: Literal["creator_removed", "creator_demoted", "account_closed", "credential_revoked"] | None
    """The right that its creator lost. Nothing is started or sent until a take-over."""
    disabledAt: str | None
    failingSince: str | None
    """The first failure since the last success."""
    pausedUntil: str | None
    """After repeated failures, deliveries wait until this time."""
    previousSecretUntil: str | None
    """The time until which the previous secret also signs."""
    createdAt: str
    updatedAt: str


class WebhookEndpointWithSecret(TypedDict):
    id: str
    url: str
    description: str
    events: List[Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined"]]
    enabled: bool
    disabledReason: Literal["gone", "failing", "owner"] | None
    """gone: it returned 410. failing: all deliveries failed for days. owner: it was disabled by request."""
    creatorId: str | None
    """The person who created it or took it over; null when unknown."""
    suspendedReason: Literal["creator_removed", "creator_demoted", "account_closed", "credential_revoked"] | None
    """The right that its creator lost. Nothing is started or sent until a take-over."""
    disabledAt: str | None
    failingSince: str | None
    """The first failure since the last success."""
    pausedUntil: str | None
    """After repeated failures, deliveries wait until this time."""
    previousSecretUntil: str | None
    """The time until which the previous secret also signs."""
    createdAt: str
    updatedAt: str
    secret: str
    """The secret that signs deliveries. It is shown only now and stored sealed."""


WebhookEventQuery = TypedDict(
    "WebhookEventQuery",
    {
        "limit": "NotRequired[int]",
        "offset": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "event": "NotRequired[Literal[\"run.completed\", \"run.failed\", \"run.scored\", \"battle.completed\", \"experiment.completed\", \"label.returned\", \"lens.published\", \"member.joined\", \"webhook.test\"]]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


class WebhookEventReply(TypedDict):
    id: str
    event: Literal["run.completed", "run.failed", "run.scored", "battle.completed", "experiment.completed", "label.returned", "lens.published", "member.joined", "webhook.test"]
    occurredAt: str
    data: Any
    """The data of the event."""


class WebhookListening(TypedDict):
    until: str
    """Events are stored until then; a listener calls again before."""


WebhookReplayReply = TypedDict(
    "WebhookReplayReply",
    {
        "id": "str",
        "endpointId": "str",
        "from": "str",
        "to": "str",
        "what": "Literal[\"undelivered\", \"all\"]",
        "state": "Literal[\"running\", \"done\", \"canceled\"]",
        "looked": "int",
        "made": "int",
        "reachedAt": "str | None",
        "createdAt": "str",
        "endedAt": "str | None",
    },
)


WebhookReplayRequest = TypedDict(
    "WebhookReplayRequest",
    {
        "from": "str",
        "to": "NotRequired[str]",
        "what": "NotRequired[Literal[\"undelivered\", \"all\"]]",
    },
)


class WebhookRequestReply(TypedDict):
    headers: Dict[str, Any]
    """The headers that all attempts have. The signatures and the time of an attempt are not stored."""
    body: str
    """The JSON that all attempts have, without its last member signature."""


class WebhookTestReply(TypedDict):
    deliveryId: str
    """The delivery, to read its outcome."""
    eventId: str


class WorkerStatus(TypedDict):
    worker: str
    """The name of the run-worker."""
    runs: int
    """Runs that it executes."""
    leaseSeconds: float
    """Seconds until the first of its leases expires; negative when it has expired."""


class WorkflowCandidate(TypedDict):
    graph: Dict[str, Any]
    """{nodes, edges, inputs?, outputs?}; see docs/workflows.md."""


class WorkflowCandidateSaved(TypedDict):
    id: str
    number: int
    isCandidate: bool
    """False for the graph of the newest version, which is saved already."""


class WorkflowChange(TypedDict):
    path: str
    before: Any
    after: Any


class WorkflowDeleted(TypedDict):
    deleted: bool
    workflowId: str


WorkflowDiffQuery = TypedDict(
    "WorkflowDiffQuery",
    {
        "from": "str",
        "to": "NotRequired[str]",
    },
)


WorkflowDiffReply = TypedDict(
    "WorkflowDiffReply",
    {
        "workflowId": "str",
        "from": "WorkflowVersionRef",
        "to": "WorkflowVersionRef",
        "nodes": "WorkflowNodesDiff",
        "edges": "WorkflowEdgesDiff",
        "changes": "List[WorkflowChange]",
    },
)


class WorkflowDryRunNode(TypedDict):
    id: str
    type: str
    level: int
    """The level of the node; nodes of one level do not depend on each other."""
    verdict: Literal["runs", "skipped", "depends"]
    """depends: the result of an earlier node decides."""
    times: int | None
    """The number of times that a map runs, if its items are known; the cost includes its nodes."""
    estimatedCredits: int
    """The maximum cost, as far as it is known."""


class WorkflowDryRunReply(TypedDict):
    workflowId: str
    version: WorkflowVersionRef
    """The version that was checked; with a graph the newest one."""
    levels: List[List[str]]
    """The ids of nodes, by level."""
    nodes: List[WorkflowDryRunNode]
    estimatedCredits: int
    """The maximum cost of all nodes that run or may run."""


class WorkflowDryRunRequest(TypedDict):
    inputs: NotRequired[Dict[str, Any]]
    """Inputs to evaluate conditions with."""
    modelOverride: NotRequired[str]
    version: NotRequired[str]
    """The id, number or label of a version; when absent the newest, or that of the default label."""
    graph: NotRequired[Dict[str, Any]]
    """A graph that is not saved, to check in place of a version."""


WorkflowEdgeShape = TypedDict(
    "WorkflowEdgeShape",
    {
        "from": "str",
        "to": "str",
        "output": "NotRequired[str]",
        "input": "NotRequired[str]",
        "when": "NotRequired[str]",
    },
)


class WorkflowEdgesDiff(TypedDict):
    added: List[WorkflowEdgeShape]
    removed: List[WorkflowEdgeShape]


class WorkflowFile(TypedDict):
    format: Literal["lensforge.workflow"]
    formatVersion: int
    id: NotRequired[str]
    """The id of the workflow in its own graphs, for recursive calls."""
    title: str
    description: NotRequired[str]
    visibility: NotRequired[Literal["public", "private", "unlisted"]]
    versions: List[WorkflowFileVersion]
    """The oldest first."""
    lenses: NotRequired[List[WorkflowFileLens]]
    """The lenses of the graphs; those that the importer cannot use are created as private lenses."""
    schedules: NotRequired[List[WorkflowFileSchedule]]
    """Schedules, which are imported as paused."""


class WorkflowFileLens(TypedDict):
    id: str
    """The id of the lens in the graphs."""
    title: str
    description: NotRequired[str]
    templateBody: str
    settings: NotRequired[LensSettings | None]
    includes: NotRequired[List[LensFileInclude] | None]


class WorkflowFileSchedule(TypedDict):
    title: str
    cron: str
    timeZone: NotRequired[str]
    inputs: NotRequired[Dict[str, Any]]
    overlap: NotRequired[Literal["skip", "queue", "allow"]]
    missed: NotRequired[Literal["skip", "run_once"]]


class WorkflowFileVersion(TypedDict):
    graph: Dict[str, Any]
    """{nodes, edges, inputs?, outputs?}; see docs/workflows.md."""
    changelog: NotRequired[str]
    createdAt: str


class WorkflowGraphRequest(TypedDict):
    graph: NotRequired[Dict[str, Any]]
    """{nodes, edges, inputs?, outputs?}; see docs/workflows.md."""
    nodes: NotRequired[Any]
    """A member of the graph, when the body is the graph itself."""
    edges: NotRequired[Any]
    """A member of the graph, when the body is the graph itself."""
    inputs: NotRequired[Any]
    """A member of the graph, when the body is the graph itself."""
    outputs: NotRequired[Any]
    """A member of the graph, when the body is the graph itself."""
    changelog: NotRequired[str]
    baseVersionId: NotRequired[str]
    """The version on which the graph was made. A newer version answers 409; without it, none does."""


class WorkflowItem(TypedDict):
    id: str
    title: str
    description: str
    author: AuthorRef
    createdAt: str
    updatedAt: str
    visibility: Literal["public", "private", "unlisted"]
    headVersion: WorkflowVersionRef
    """The newest version, or that of the default label."""


class WorkflowLabelMove(TypedDict):
    id: str
    label: str
    kind: Literal["set", "return", "remove"]
    """return: it went back to the version before."""
    arms: List[LabelArm] | None
    """The arms after the move."""
    armsBefore: List[LabelArm] | None
    """The arms before the move."""
    reason: str | None
    evidence: LabelEvidence | None
    """The experiment whose gate the version had passed."""
    overridden: bool
    """It moved against its rules."""
    approvedBy: str | None
    """The account of the second person who approved it."""
    credential: Literal["session", "mcp", "developer", "organisation", "service", "service_role"]
    """The kind of the credential that moved it."""
    movedAt: str
    version: WorkflowVersionRef | None
    """null when the label was removed."""
    before: WorkflowVersionRef | None
    """The version before the move; null for a new label."""


class WorkflowLabelPlace(TypedDict):
    label: str
    versionId: str
    arms: List[LabelArm] | None
    """Versions that a part of the callers get instead; null without any."""
    protected: bool
    """Only a person who is signed in can move or remove it."""
    rules: LabelRules | None
    """The conditions of its moves."""
    bounds: LabelBounds | None
    """When it returns by itself; null: never."""
    returned: LabelReturned | None
    """The version that it returned from, until it is set again."""
    proposalId: str | None
    """The proposal for its next move, which waits for a second person."""
    updatedAt: str
    number: int


class WorkflowLabelRemoved(TypedDict):
    workflowId: str
    label: str
    removed: bool


class WorkflowLabelRequest(TypedDict):
    version: str
    """The id, the number or another label of the version to point at."""
    arms: NotRequired[List[WantedArm] | None]
    """Versions that a part of the callers get instead, chosen by the sticky key of a run. When absent they stay if the version does; null: none."""
    protected: NotRequired[bool]
    """Only a person who is signed in can move or remove a protected label. A new label is not protected; unchanged when absent."""
    reason: NotRequired[str]
    """Why it moves, for its history."""
    rules: NotRequired[LabelRules | None]
    """Conditions of its moves, which only a person who is signed in sets and removes; unchanged when absent. null: none."""
    bounds: NotRequired[LabelBounds | None]
    """When it returns by itself to the version before, by the runs of your account. For a label that is protected or has rules, a person who is signed in sets them; unchanged when absent. null: never."""
    experimentId: NotRequired[str]
    """The experiment whose gate the version has passed; the newest that fits when absent."""
    override: NotRequired[bool]
    """Moves it against its rules: for a person who is signed in, with a reason."""


class WorkflowNodeChanges(TypedDict):
    id: str
    changes: List[WorkflowChange]


class WorkflowNodesDiff(TypedDict):
    added: List[str]
    removed: List[str]
    changed: List[WorkflowNodeChanges]


class WorkflowOfLens(TypedDict):
    id: str
    title: str
    versions: List[str]
    """The versions that its nodes name: ids, numbers or labels; latest for nodes that name none."""
    createdAt: str


class WorkflowPatch(TypedDict):
    title: NotRequired[str]
    description: NotRequired[str]
    visibility: NotRequired[Literal["public", "private", "unlisted"]]
    defaultLabel: NotRequired[str | None]
    """A label: callers that name no version get its version instead of the newest one. null ends that."""


class WorkflowQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    visibility: NotRequired[Literal["public", "private", "unlisted"]]
    author: NotRequired[str]
    """Workflows of this account."""


class WorkflowRecord(TypedDict):
    id: str
    title: str
    description: str
    author: AuthorRef
    createdAt: str
    updatedAt: str
    visibility: Literal["public", "private", "unlisted"]
    headVersion: WorkflowVersionRecord
    """The newest version. For others than the owner, the version of the default label."""
    labels: List[WorkflowLabelPlace]
    defaultLabel: str | None
    """Callers that name no version get the one of this label; the newest when null."""
    servedVersion: WorkflowVersionRef
    """The version that callers get that name none."""
    schedules: List[ScheduleRecord]
    """For the owner only."""


class WorkflowRunRequest(TypedDict):
    concurrencyKey: NotRequired[str]
    """Of your runs of this lens or workflow with the same key, one executes at a time."""
    concurrencyStrategy: NotRequired[Literal["queue", "cancel-in-progress", "cancel-newest"]]
    """When another run with the key has not ended: queue (default) waits for it, cancel-in-progress cancels it and the waiting ones, cancel-newest cancels this run."""
    inputs: Dict[str, Any]
    """The inputs of the workflow."""
    modelOverride: NotRequired[str]
    """The model for all nodes that use one."""
    fundingSource: NotRequired[Literal["user_byok_cloud", "user_byok_local", "platform_credit", "sponsored"]]
    """The source that pays for all nodes; user_byok_local is for lenses only."""
    byokKeyRefId: NotRequired[str]
    """Required when fundingSource is user_byok_cloud."""
    idempotencyKey: NotRequired[str]
    """A repeated request with the same key within 24 hours returns the same run."""
    version: NotRequired[str]
    """The id, number or label of a version; when absent the newest, or that of the default label."""
    stickyKey: NotRequired[str]
    """Decides which arm of a label the run gets, for example the id of a user of yours: the same key always gets the same arm. Your account when absent."""
    budgetCredits: NotRequired[int]
    """The maximum cost of all nodes together."""
    tags: NotRequired[List[str]]
    """Tags to find the run by."""
    metadata: NotRequired[Dict[str, Any]]
    """Your own notes, stored with the run."""


class WorkflowRunsQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
    status: NotRequired[List[Literal["queued", "running", "succeeded", "failed", "canceled", "timed_out"]]]
    """Runs with one of these statuses."""


class WorkflowVersionItem(TypedDict):
    id: str
    number: int
    nodeCount: int
    """Including the nodes of maps."""
    changelog: str
    createdAt: str


class WorkflowVersionRecord(TypedDict):
    id: str
    number: int
    nodeCount: int
    """Including the nodes of maps."""
    changelog: str
    createdAt: str
    workflowId: str
    graph: Any
    """{nodes, edges, inputs?, outputs?}; see docs/workflows.md."""


class WorkflowVersionRef(TypedDict):
    id: str
    number: int


class WorkflowVersionsQuery(TypedDict):
    limit: NotRequired[int]
    """The maximum number of items."""
    offset: NotRequired[int]
    """The number of items to skip, after the cursor if there is one."""
    cursor: NotRequired[str]
    """meta.nextCursor of the previous page."""
