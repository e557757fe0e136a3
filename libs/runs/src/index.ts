export * from './accept-lens-run.js';
export * from './accept-lens-runs.js';
export * from './accept-workflow-run.js';
export * from './access.js';
export * from './admit-runs.js';
export { passTurns } from './concurrency-keys.js';
export * from './announce-providers.js';
export * from './advance-run-stream.js';
export * from './append-events.js';
export * from './asked-of-model.js';
export * from './cancel-run.js';
export * from './cancel-run-operation.js';
export * from './carry-out-run-operation.js';
export * from './claim-runs.js';
export * from './dry-run-workflow.js';
export type { CountRun, RunRate, UsedUpRate } from './count-run.js';
export * from './create-read-token.js';
export * from './end-run.js';
export * from './finish-runs.js';
export * from './fits-schema.js';
export * from './forget-keys.js';
export * from './forget-run-traces.js';
export * from './funding.js';
export * from './heartbeat.js';
export { leaveToRelay } from './leave-to-relay.js';
export { lensShelf } from './lens-shelf.js';
export * from './import-models.js';
export * from './list-models.js';
export * from './list-artifacts.js';
export * from './list-runs.js';
export * from './local/claim-local-run.js';
export * from './local/finish-local-run.js';
export * from './local/report-local-run.js';
export { costOf, estimateCost, outputTokensOf } from './estimate-cost.js';
export * from './models.js';
export * from './output-schema.js';
export * from './prompt-images.js';
export * from './open-run-stream.js';
export * from './read-beginning.js';
export * from './read-events.js';
export * from './read-run.js';
export * from './read-workflow-run.js';
export * from './read-sponsorship.js';
export * from './read-run-operation.js';
export * from './read-run-stream.js';
export * from './reconcile-runs.js';
export * from './release-runs.js';
export * from './requeue-run.js';
export * from './retry-run.js';
export { sponsorFor, sponsorLens, sponsoredModels } from './sponsor.js';
export * from './start-due-runs.js';
export * from './start-run-operation.js';
export * from './tend-run-partitions.js';
export * from './restore-jobs.js';
export * from './run-faults.js';
export * from './run-limits.js';
export * from './run-states.js';
export * from './tool-status.js';
export { recordLensRun } from './tracking/record-lens-run.js';
export { reportRun } from './tracking/report-run.js';
export * from './nodes/index.js';
export * from './waiting-runs.js';
export { Model } from './model.entity.js';
export { NodeResult } from './nodes/node-result.entity.js';
export { NodeWait } from './nodes/node-wait.entity.js';
export { Run } from './run.entity.js';
export type { RunKind } from './run.entity.js';

import { Model } from './model.entity.js';
import { NodeResult } from './nodes/node-result.entity.js';
import { NodeWait } from './nodes/node-wait.entity.js';
import { AnnouncedProvider } from './provider.entity.js';
import { RunArtifact } from './run-artifact.entity.js';
import { Run } from './run.entity.js';
import { StoredRunEvent } from './run-event.entity.js';
import { RunKey } from './run-key.entity.js';
import { RunOperation } from './run-operation.entity.js';
import { RunTurn } from './run-turn.entity.js';

export const runEntities = [
  Run,
  StoredRunEvent,
  RunArtifact,
  RunKey,
  Model,
  AnnouncedProvider,
  NodeResult,
  NodeWait,
  RunOperation,
  RunTurn,
] as const;
