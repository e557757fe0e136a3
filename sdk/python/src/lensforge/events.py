"""Events of streams and of webhooks: `eventType` or `event` decides about the others. Written by `npm run generate` from the endpoint table of libs/contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from . import shapes


class _Log(TypedDict):
    id: str
    """The id after which a stream resumes."""
    occurredAt: str
    sequence: int
    """The number of the event in its log; 1 for the first."""


class _RunLog(_Log):
    runId: str


class RunRunQueued(_RunLog):
    eventType: Literal["run.queued"]
    payload: shapes.RunQueued


class RunRunStarted(_RunLog):
    eventType: Literal["run.started"]
    payload: shapes.RunStarted


class RunRunProgress(_RunLog):
    eventType: Literal["run.progress"]
    payload: shapes.RunProgress


class RunRunRetrying(_RunLog):
    eventType: Literal["run.retrying"]
    payload: shapes.RunRetrying


class RunRunRequiresAction(_RunLog):
    eventType: Literal["run.requires_action"]
    payload: shapes.RunRequiresAction


class RunRunSucceeded(_RunLog):
    eventType: Literal["run.succeeded"]
    payload: shapes.RunSucceeded


class RunRunFailed(_RunLog):
    eventType: Literal["run.failed"]
    payload: shapes.RunFailed


class RunRunCanceled(_RunLog):
    eventType: Literal["run.canceled"]
    payload: shapes.RunEnded


class RunRunTimedOut(_RunLog):
    eventType: Literal["run.timed_out"]
    payload: shapes.RunEnded


class RunNodeQueued(_RunLog):
    eventType: Literal["node.queued"]
    payload: shapes.NodeRef


class RunNodeWaiting(_RunLog):
    eventType: Literal["node.waiting"]
    payload: shapes.NodeWaiting


class RunNodeStarted(_RunLog):
    eventType: Literal["node.started"]
    payload: shapes.NodeStarted


class RunNodeOutputDelta(_RunLog):
    eventType: Literal["node.output.delta"]
    payload: shapes.NodeOutputDelta


class RunNodeRetrying(_RunLog):
    eventType: Literal["node.retrying"]
    payload: shapes.NodeRetrying


class RunNodeSucceeded(_RunLog):
    eventType: Literal["node.succeeded"]
    payload: shapes.NodeSucceeded


class RunNodeFailed(_RunLog):
    eventType: Literal["node.failed"]
    payload: shapes.NodeFailed


class RunNodeSkipped(_RunLog):
    eventType: Literal["node.skipped"]
    payload: shapes.NodeRef


class RunNodeCanceled(_RunLog):
    eventType: Literal["node.canceled"]
    payload: shapes.NodeRef


class RunNodeTimedOut(_RunLog):
    eventType: Literal["node.timed_out"]
    payload: shapes.NodeFailed


class RunArtifactCreated(_RunLog):
    eventType: Literal["artifact.created"]
    payload: shapes.ArtifactCreated


class RunCreditsReserved(_RunLog):
    eventType: Literal["credits.reserved"]
    payload: shapes.CreditsMoved


class RunCreditsCharged(_RunLog):
    eventType: Literal["credits.charged"]
    payload: shapes.CreditsMoved


class RunCreditsReleased(_RunLog):
    eventType: Literal["credits.released"]
    payload: shapes.CreditsMoved


class RunApprovalRequested(_RunLog):
    eventType: Literal["approval.requested"]
    payload: shapes.ApprovalRequested


class RunApprovalResolved(_RunLog):
    eventType: Literal["approval.resolved"]
    payload: shapes.ApprovalResolved


class RunJudgingProgress(_RunLog):
    eventType: Literal["judging.progress"]
    payload: shapes.JudgingProgress


class RunAgentThought(_RunLog):
    eventType: Literal["agent.thought"]
    payload: shapes.AgentThought


class RunAgentStep(_RunLog):
    eventType: Literal["agent.step"]
    payload: shapes.AgentStepDone


class RunAgentToolInputDelta(_RunLog):
    eventType: Literal["agent.tool_input.delta"]
    payload: shapes.AgentToolInputDelta


class RunAgentToolCall(_RunLog):
    eventType: Literal["agent.tool_call"]
    payload: shapes.AgentToolCall


class RunAgentToolResult(_RunLog):
    eventType: Literal["agent.tool_result"]
    payload: shapes.AgentToolResult


class RunAgentContextReduced(_RunLog):
    eventType: Literal["agent.context_reduced"]
    payload: shapes.AgentContextReduced


class RunLog(_RunLog):
    eventType: Literal["log"]
    payload: shapes.LogLine


RunEvent = Union[
    RunRunQueued,
    RunRunStarted,
    RunRunProgress,
    RunRunRetrying,
    RunRunRequiresAction,
    RunRunSucceeded,
    RunRunFailed,
    RunRunCanceled,
    RunRunTimedOut,
    RunNodeQueued,
    RunNodeWaiting,
    RunNodeStarted,
    RunNodeOutputDelta,
    RunNodeRetrying,
    RunNodeSucceeded,
    RunNodeFailed,
    RunNodeSkipped,
    RunNodeCanceled,
    RunNodeTimedOut,
    RunArtifactCreated,
    RunCreditsReserved,
    RunCreditsCharged,
    RunCreditsReleased,
    RunApprovalRequested,
    RunApprovalResolved,
    RunJudgingProgress,
    RunAgentThought,
    RunAgentStep,
    RunAgentToolInputDelta,
    RunAgentToolCall,
    RunAgentToolResult,
    RunAgentContextReduced,
    RunLog,
]


class _BattleLog(_Log):
    battleId: str


class BattleContenderAdded(_BattleLog):
    eventType: Literal["contender.added"]
    payload: shapes.ContendersChanged


class BattleContenderWithdrawn(_BattleLog):
    eventType: Literal["contender.withdrawn"]
    payload: shapes.ContendersChanged


class BattleSubmissionReceived(_BattleLog):
    eventType: Literal["submission.received"]
    payload: shapes.SubmissionReceived


class BattleVotesCounted(_BattleLog):
    eventType: Literal["votes.counted"]
    payload: shapes.VotesCounted


class BattleJudgingProgress(_BattleLog):
    eventType: Literal["judging.progress"]
    payload: shapes.BattleJudgingProgress


class BattleStatusChanged(_BattleLog):
    eventType: Literal["status.changed"]
    payload: shapes.BattleStatusChanged


BattleEvent = Union[
    BattleContenderAdded,
    BattleContenderWithdrawn,
    BattleSubmissionReceived,
    BattleVotesCounted,
    BattleJudgingProgress,
    BattleStatusChanged,
]


class _ExperimentLog(_Log):
    experimentId: str


class ExperimentCellsScored(_ExperimentLog):
    eventType: Literal["cells.scored"]
    payload: shapes.ExperimentProgress


class ExperimentStatusChanged(_ExperimentLog):
    eventType: Literal["status.changed"]
    payload: shapes.ExperimentStatusChanged


ExperimentEvent = Union[
    ExperimentCellsScored,
    ExperimentStatusChanged,
]


class _AgentLog(_Log):
    aiLenserId: str
    runId: NotRequired[str | None]


class AgentToolAssigned(_AgentLog):
    eventType: Literal["tool.assigned"]
    payload: shapes.AgentToolAssigned


class AgentToolRevoked(_AgentLog):
    eventType: Literal["tool.revoked"]
    payload: shapes.AgentToolRevoked


class AgentToolSuspended(_AgentLog):
    eventType: Literal["tool.suspended"]
    payload: shapes.AgentToolSuspended


class AgentToolDecided(_AgentLog):
    eventType: Literal["tool.decided"]
    payload: shapes.AgentToolDecided


class AgentActionDecided(_AgentLog):
    eventType: Literal["action.decided"]
    payload: shapes.AgentActionDecided


class AgentApprovalRequested(_AgentLog):
    eventType: Literal["approval.requested"]
    payload: shapes.AgentApprovalRequested


class AgentApprovalDecided(_AgentLog):
    eventType: Literal["approval.decided"]
    payload: shapes.AgentApprovalDecided


class AgentRunStarted(_AgentLog):
    eventType: Literal["run.started"]
    payload: shapes.AgentRunStarted


class AgentRunApproved(_AgentLog):
    eventType: Literal["run.approved"]
    payload: shapes.AgentRunApproved


class AgentRunEnded(_AgentLog):
    eventType: Literal["run.ended"]
    payload: shapes.AgentRunEnded


class AgentAgentArchived(_AgentLog):
    eventType: Literal["agent.archived"]
    payload: shapes.AgentArchived


AgentEvent = Union[
    AgentToolAssigned,
    AgentToolRevoked,
    AgentToolSuspended,
    AgentToolDecided,
    AgentActionDecided,
    AgentApprovalRequested,
    AgentApprovalDecided,
    AgentRunStarted,
    AgentRunApproved,
    AgentRunEnded,
    AgentAgentArchived,
]


class _ThreadLog(_Log):
    threadId: str


class ThreadMessagePosted(_ThreadLog):
    eventType: Literal["message.posted"]
    payload: shapes.MessageChanged


class ThreadMessageEdited(_ThreadLog):
    eventType: Literal["message.edited"]
    payload: shapes.MessageChanged


class ThreadMessageDeleted(_ThreadLog):
    eventType: Literal["message.deleted"]
    payload: shapes.MessageChanged


class ThreadMessageHidden(_ThreadLog):
    eventType: Literal["message.hidden"]
    payload: shapes.MessageChanged


class ThreadMessageShown(_ThreadLog):
    eventType: Literal["message.shown"]
    payload: shapes.MessageChanged


class ThreadThreadUpdated(_ThreadLog):
    eventType: Literal["thread.updated"]
    payload: shapes.ThreadUpdated


class ThreadAnswerChanged(_ThreadLog):
    eventType: Literal["answer.changed"]
    payload: shapes.AnswerChanged


ThreadEvent = Union[
    ThreadMessagePosted,
    ThreadMessageEdited,
    ThreadMessageDeleted,
    ThreadMessageHidden,
    ThreadMessageShown,
    ThreadThreadUpdated,
    ThreadAnswerChanged,
]


class _Delivery(TypedDict):
    id: str
    timestamp: str
    signature: str


class WebhookTest(_Delivery):
    event: Literal["webhook.test"]
    data: Dict[str, Any]


class WebhookRunCompleted(_Delivery):
    event: Literal["run.completed"]
    data: shapes.RunCompletedData


class WebhookRunFailed(_Delivery):
    event: Literal["run.failed"]
    data: shapes.RunFailedData


class WebhookRunScored(_Delivery):
    event: Literal["run.scored"]
    data: shapes.RunScoredData


class WebhookBattleCompleted(_Delivery):
    event: Literal["battle.completed"]
    data: shapes.BattleCompletedData


class WebhookExperimentCompleted(_Delivery):
    event: Literal["experiment.completed"]
    data: shapes.ExperimentCompletedData


class WebhookLabelReturned(_Delivery):
    event: Literal["label.returned"]
    data: shapes.LabelReturnedData


class WebhookLensPublished(_Delivery):
    event: Literal["lens.published"]
    data: shapes.LensPublishedData


class WebhookMemberJoined(_Delivery):
    event: Literal["member.joined"]
    data: shapes.MemberJoinedData


WebhookEvent = Union[
    WebhookTest,
    WebhookRunCompleted,
    WebhookRunFailed,
    WebhookRunScored,
    WebhookBattleCompleted,
    WebhookExperimentCompleted,
    WebhookLabelReturned,
    WebhookLensPublished,
    WebhookMemberJoined,
]
