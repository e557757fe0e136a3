export { watchLabels } from './releases/watch-labels.js';
export { decideLabelProposal, listLabelProposals, readLabelProposal } from './releases/label-proposals.js';
export { readReleaseStatistics } from './releases/release-statistics.js';
export { StoredDataset } from './dataset.entity.js';
export { addCasesFromRuns } from './cases-from-runs.js';
export { changeCases } from './change-cases.js';
export type { CasesChange } from './change-cases.js';
export { readDatasetFile } from './dataset-file.js';
export {
  createDataset,
  eraseDatasets,
  listDatasets,
  listRevisions,
  readDataset,
  removeDataset,
  updateDataset,
} from './datasets.js';
export { exportDataset } from './export-dataset.js';
export { diffRevisions, everyCase, listCases } from './list-cases.js';
export { BatchCall, ModelBatch } from './batches/batch.entity.js';
export { readBatchCall, waitForBatch } from './batches/batch-calls.js';
export type { NewBatchCall } from './batches/batch-calls.js';
export {
  collectBatches,
  endBatch,
  holdBatch,
  moveBatch,
  readCallsOfBatch,
  recordOutcomes,
  takeBatch,
} from './batches/model-batches.js';
export type { CallOutcome, HeldBatch } from './batches/model-batches.js';
export { type Pause, advanceExperiment } from './experiments/advance-experiment.js';
export {
  cancelExperiment,
  eraseExperiments,
  removeExperiment,
  resumeExperiment,
} from './experiments/change-experiment.js';
export { findEvidence } from './experiments/find-evidence.js';
export { createExperiment } from './experiments/create-experiment.js';
export { StoredExperiment } from './experiments/experiment.entity.js';
export { exportExperiment } from './experiments/export-experiment.js';
export { everyCell, listCells } from './experiments/list-cells.js';
export { listExperiments, readExperiment } from './experiments/read-experiment.js';
export { restoreExperiments, wakeExperiment } from './experiments/wake-experiment.js';
export { cloneExperiment } from './experiments/clone-experiment.js';
export { ScorerCall, ScorerRow, ScorerVersion } from './scorers/scorer.entity.js';
export {
  createScorer,
  eraseScorers,
  listScorers,
  readScorer,
  removeScorer,
  updateScorer,
} from './scorers/stored-scorers.js';
export { advanceEvaluationRules, readEvaluationLag } from './online/advance-rules.js';
export { backfillEvaluationRule } from './online/choose-runs.js';
export { EvaluationRuleRow, RunEvaluationRow } from './online/evaluation-rule.entity.js';
export {
  createEvaluationRule,
  eraseEvaluationRules,
  listEvaluationRules,
  readEvaluationRule,
  removeEvaluationRule,
  takeOverEvaluationRule,
  updateEvaluationRule,
} from './online/evaluation-rules.js';
export { listRunEvaluations } from './online/list-run-evaluations.js';
export { giveReview, readNextReview } from './reviews/give-review.js';
export { readReviewAgreement } from './reviews/review-agreement.js';
export { addCasesFromReviews, addReviewItems, listReviewItems } from './reviews/review-items.js';
export { ReviewItemRow, ReviewQueueRow, ReviewRow } from './reviews/review-queue.entity.js';
export {
  createReviewQueue,
  eraseReviews,
  listOwnReviews,
  listReviewQueues,
  readReviewQueue,
  removeReviewQueue,
} from './reviews/review-queues.js';
export { createFeedbackKey, deleteExpiredFeedbackKeys, giveFeedback } from './scores/feedback.js';
export { FeedbackKeyRow, RunScoreRow } from './scores/run-score.entity.js';
export { listRunScores, setRunScore } from './scores/run-scores.js';
export { readScoreStatistics } from './scores/score-statistics.js';
export { openScorerSecret } from './scorers/scorer-secret.js';
export { answerScorerCall, deleteOldScorerCalls, readScorerCall } from './scorers/scorer-calls.js';
export type { Judgement } from './scorers/judge-questions.js';
export { testScorer } from './scorers/test-scorer.js';
export {
  readExperimentEvents,
  readExperimentPositions,
  readableExperimentLog,
} from './experiments/experiment-events.js';
export { explainMiss, recallCall, recordCall } from './recordings/recall.js';
export type { CallOrder, Recalled, Receipt } from './recordings/recall.js';
export { withoutSecretsInUrl } from './recordings/outside-call.js';
export {
  deleteExpiredAnswers,
  eraseRecordings,
  everyCall,
  exportRecording,
  importRecording,
  listRecordings,
  readRecording,
  removeRecording,
} from './recordings/recordings.js';
