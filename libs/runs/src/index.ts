export { acceptFreeJudgingRuns, acceptJudgingRun } from './accept/accept-judging-run.js';
export type { FreeJudgingOrder, JudgingRunOrder } from './accept/accept-judging-run.js';
export { acceptLensRun } from './accept/accept-lens-run.js';
export type { LensRunOrder } from './accept/accept-lens-run.js';
export { acceptLensRuns } from './accept/accept-lens-runs.js';
export { acceptPromptRun } from './accept/accept-prompt-run.js';
export type { PromptRunOrder } from './accept/accept-prompt-run.js';
export { acceptWorkflowRun, getAgentScopes, getCreditLimit } from './accept/accept-workflow-run.js';
export type { WorkflowRunOrder } from './accept/accept-workflow-run.js';
export type { CountRun } from './accept/count-run.js';
export { dryRunWorkflow } from './accept/dry-run-workflow.js';
export { decideFunding, byokKeyChoice, restrictModels } from './accept/funding.js';
export type { Funding } from './accept/funding.js';
export { listOwnSponsorships } from './accept/list-own-sponsorships.js';
export { readSponsorship } from './accept/read-sponsorship.js';
export { retryRun } from './accept/retry-run.js';
export { setRunCause } from './accept/set-run-cause.js';
export { limitRuns } from './accept/batching/acceptance.js';
export { sponsorFor, sponsorLens, sponsoredModels } from './accept/sponsor.js';
export type { AcceptedRun } from './accept/write-run.js';
export { getExecutionMs } from './run-limits.js';
export type { StepRef } from './step-ref.js';
export { asReadable, readableRun } from './access.js';
export type { RunHead } from './access.js';
export { admitRuns, admitWaiting } from './admit/admit-runs.js';
export { releaseRun } from './admit/release-run.js';
export { passClaims } from './admit/concurrency-keys.js';
export { startDueRuns } from './admit/start-due-runs.js';
export { accountsWithWaitingRuns, countWaiting, dropStaleClaims, unclaimedKeys } from './admit/waiting-runs.js';
export type { WaitingKey } from './admit/waiting-runs.js';
export { cancelRun } from './end/cancel-run.js';
export { endRun } from './end/end-run.js';
export type { RunEnding } from './end/end-run.js';
export type { NewArtifact } from './end/end-runs.js';
export { finishRuns, finishWithSettlement } from './end/finish-runs.js';
export type { Finish } from './end/finish-runs.js';
export { runFaults } from './end/run-faults.js';
export { appendEvents } from './execute/append-events.js';
export type { Progress } from './execute/append-events.js';
export type { NewRunEvent } from './new-run-events.js';
export { claimRuns } from './execute/claim-runs.js';
export type { Claim, ClaimedRun } from './execute/claim-runs.js';
export { expireLease, extendLeases, readLeases } from './execute/run-leases.js';
export { toFenceKey } from './fence.js';
export type { Fence } from './fence.js';
export type { HeldRun } from './execute/run-leases.js';
export { reconcileLimits, reconcileRuns } from './execute/reconcile-runs.js';
export { releaseRuns } from './execute/release-runs.js';
export { requeueRun } from './execute/requeue-run.js';
export { spendOnRuns } from './execute/spend-on-runs.sql.js';
export { countQueuedRuns, queuedRuns, restoreJobs } from './execute/restore-jobs.js';
export type { QueuedRun } from './execute/restore-jobs.js';
export { claimLocalRun } from './local/claim-local-run.js';
export type { ClaimedLocalRun } from './local/claim-local-run.js';
export { finishLocalRun } from './local/finish-local-run.js';
export { reportLocalRun } from './local/report-local-run.js';
export type {
  NewToolCall,
  StepUsage,
  StoredStep,
  StoredToolCall,
  ToolCallRef,
  ToolCallState,
} from './agent-steps/agent-step.js';
export { lockHeldNode } from './agent-steps/lock-held-node.js';
export type { LockedNode } from './agent-steps/lock-held-node.js';
export { moveToolCall } from './agent-steps/move-tool-call.js';
export type { ToolCallMove } from './agent-steps/move-tool-call.js';
export { readSteps } from './agent-steps/read-steps.js';
export { reserveForStep } from './agent-steps/reserve-for-step.js';
export type { StepHold } from './agent-steps/reserve-for-step.js';
export { storeStep } from './agent-steps/store-step.js';
export type { StepResult } from './agent-steps/store-step.js';
export { appendNodeText } from './nodes/append-node-text.js';
export { answerApproval, listApprovals, listPendingApprovals, wakeNode } from './nodes/approvals.js';
export { failedChild, copyNodeResults } from './nodes/copy-node-results.js';
export { listRunNodes } from './nodes/list-run-nodes.js';
export { moveWithSettlement } from './nodes/move-with-settlement.js';
export { moveNodes } from './nodes/move-nodes.js';
export type { NewNodeJob, NewWait, NodeMove, RunMove } from './nodes/move-nodes.js';
export { expireNodeLease, extendNodeLeases, readNodeLeases } from './nodes/node-leases.js';
export type { HeldNode } from './nodes/node-leases.js';
export { reserveForNode } from './nodes/reserve-for-node.js';
export type { NodeHold, Reservation } from './nodes/reserve-for-node.js';
export type { Delivered, HoldTerms } from './end/delivered-text.js';
export { promptCost } from './accept/prompt-cost.js';
export { toHoldTerms } from './end/delivered-text.js';
export { nodeRef } from './node-ref.js';
export { lockRun, readNodeValues, readSnapshots } from './nodes/run-snapshots.js';
export type { NodeState, RunSnapshot } from './nodes/run-snapshots.js';
export { recordWake } from './nodes/record-wake.js';
export { overdueNodes, lostNodes, requeueNodes } from './nodes/overdue-nodes.js';
export { readWait } from './nodes/read-wait.js';
export type { WaitState } from './nodes/read-wait.js';
export { answerWait, openWait } from './nodes/waits.js';
export { parseNodeCause } from './end/wake-parent.js';
export { cancelRunOperation } from './operations/cancel-run-operation.js';
export { carryOutRunOperation, restoreRunOperations } from './operations/carry-out-run-operation.js';
export type { OperationParts } from './operations/carry-out-run-operation.js';
export { readRunOperation } from './operations/read-run-operation.js';
export { countFailedRuns, listFailedRuns, retryForAccounts } from './operations/retry-failed-runs.js';
export type { FailedRun, RetryParts } from './operations/retry-failed-runs.js';
export { startRunOperation } from './operations/start-run-operation.js';
export type { RunOperationOrder } from './operations/start-run-operation.js';
export { listArtifacts, readArtifact } from './read/list-artifacts.js';
export { listRuns } from './read/list-runs.js';
export { readRunWithEvents } from './read/read-run-with-events.js';
export type { RunWithEvents } from './read/read-run-with-events.js';
export { readEvents, readRunPositions } from './read/read-events.js';
export { evaluateExpression } from './read/evaluate-expression.js';
export { countFruitlessRetries } from './read/count-fruitless-retries.js';
export { readOutputText } from './read/read-output-text.js';
export { hasOpenRuns } from './read/has-open-runs.js';
export { requeueRuns } from './execute/requeue-runs.js';
export { readOwnParams } from './read/read-own-params.js';
export { readRun } from './read/read-run.js';
export { readRunInput } from './read/read-run-input.js';
export { listRunsForOperators, waitingRunsByModel } from './read/runs-for-operators.js';
export type { WaitingRuns } from './read/runs-for-operators.js';
export { readAllRunStatistics, readRunStatistics } from './read/run-statistics.js';
export { readTries } from './read/read-tries.js';
export type { RunTry } from './read/read-tries.js';
export { countNodeResults, listNodeResults, readWorkflowRun } from './read/read-workflow-run.js';
export type { WorkflowRunDetail } from './read/read-workflow-run.js';
export { toolNodeStatus, toolNodeStatuses, toolRunStatus, toolRunStatuses } from './read/tool-status.js';
export { deleteExpiredKeys } from './retention/delete-expired-keys.js';
export { eraseClosedAccounts } from './retention/erase-closed-accounts.js';
export { deleteExpiredRunRecords } from './retention/delete-expired-run-records.js';
export { maintainRunPartitions } from './retention/maintain-run-partitions.js';
export { startScheduledRuns } from './schedules/start-scheduled-runs.js';
export type { ScheduledRunsInput } from './schedules/start-scheduled-runs.js';
export { advanceRunStream } from './streams/advance-run-stream.js';
export type { StreamPosition } from './streams/advance-run-stream.js';
export { createReadToken, findReader } from './streams/create-read-token.js';
export { openRunStream } from './streams/open-run-stream.js';
export type { RunStream } from './streams/open-run-stream.js';
export { firstPositionOfRunStream, countEndedRunsOfStream, readRunStream } from './streams/read-run-stream.js';
export type { StreamedEvent } from './streams/read-run-stream.js';
export { recordLensRun } from './tracking/record-lens-run.js';
export { reportRun } from './tracking/report-run.js';

import { NodeResult } from './nodes/node-result.entity.js';
import { NodeWait } from './nodes/node-wait.entity.js';
import { RunArtifact } from './run-artifact.entity.js';
import { Run } from './run.entity.js';
import { StoredRunEvent } from './run-event.entity.js';
import { RunKey } from './accept/run-key.entity.js';
import { RunOperation } from './operations/run-operation.entity.js';
import { ConcurrencyClaim } from './admit/concurrency-claim.entity.js';
export const runEntities = [
  Run,
  StoredRunEvent,
  RunArtifact,
  RunKey,
  NodeResult,
  NodeWait,
  RunOperation,
  ConcurrencyClaim,
] as const;
