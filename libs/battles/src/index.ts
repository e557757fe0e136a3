export { bootstrapRatings } from './ratings/bootstrap-ratings.js';
export type { BootstrapOptions, Interval, IntervalEffect, IntervalRating } from './ratings/bootstrap-ratings.js';
export { PairCounter, countPairs } from './ratings/count-pairs.js';
export type { CountedPairs, Vote } from './ratings/count-pairs.js';
export { fitRatings } from './ratings/fit-ratings.js';
export type { ComponentSummary, Effect, FitOptions, FitSummary, Rating, Ratings } from './ratings/fit-ratings.js';
export { measureFragility } from './ratings/fragility.js';
export type { Fragility, FragilityOptions } from './ratings/fragility.js';
export { rankContenders } from './ratings/leaderboard.js';
export type { Leaderboard, LeaderboardRating } from './ratings/leaderboard.js';
export { TEXT_COVARIATES, textCovariates } from './ratings/text-covariates.js';
export { readSystemPrompt } from './answer-prompt.js';
export { toCheck } from './judging/battle-checks.js';
export { checkItems, checkLimits, checkTypes, checkVerdicts, verdictsWithoutChecks } from './judging/checks.js';
export type { Check, CheckResult } from './judging/checks.js';
export { creatorVerdicts } from './judging/visible-verdicts.js';
export { budgetFault } from './budget-fault.js';
export { creditsLeft } from './credits-left.js';
export { faultsInChecks, runCheck } from './judging/judging-in-sandbox.js';
export type {
  CheckItem,
  CheckJudgement,
  PairItem,
  PairJudgement,
  RubricItem,
  RubricJudgement,
  Verdict,
} from './judging/judgements.js';
export { getChecks, countJudgements, getCriteria } from './judging/judging-settings.js';
export { loadJudging, loadJudgings } from './judging/load-judging.js';
export type { Judgement, LoadedJudging, StoredJudgement } from './judging/load-judging.js';
export { judgedPairs, pairVerdicts } from './judging/pair-outcome.js';
export type { JudgedPair } from './judging/pair-outcome.js';
export { nextPairItems } from './judging/pairings.js';
export { reasonWithoutModel } from './judging/plan-judging.js';
export { recordJudgement, recordJudgements } from './judging/record-judgement.js';
export type { HeldJudging, JudgementRecord, NewJudgement } from './judging/record-judgement.js';
export { reportJudging } from './judging/report-judging.js';
export { defaultRubric, faultsInRubric, rubricItems, rubricLimits, rubricVerdicts } from './judging/rubric.js';
export type { Criterion } from './judging/rubric.js';
export { startJudging } from './judging/start-judging.js';
export { getLeaderboardFit } from './leaderboards/get-leaderboard-fit.js';
export { getNextBattle } from './leaderboards/get-next-battle.js';
export { leaderboardOfLog } from './leaderboards/leaderboard-of-log.js';
export { listLeaderboard } from './leaderboards/list-leaderboard.js';
export { markRatingsDue } from './leaderboards/mark-ratings-due.js';
export { RatingRefits } from './leaderboards/rating-refits.js';
export type { RefitOptions } from './leaderboards/rating-refits.js';
export { voteLog } from './leaderboards/vote-log.js';
export type { LeaderboardKey } from './leaderboards/vote-log.js';
export { writeVerdicts } from './judging/write-verdicts.js';
export type { JudgingSums, VerdictRecord } from './judging/write-verdicts.js';
export { addContender } from './add-contender.js';
export { advanceBattle } from './advance-battle.js';
export { appendBattleEvents } from './events/append-battle-events.js';
export { readBattleEvents, readBattlePositions, readableBattleLog } from './events/read-battle-events.js';
export type { BattleLog } from './events/read-battle-events.js';
export { executeBattle } from './execute-battle.js';
export type { ExecutionOrder } from './execute-battle.js';
export { readBattleScore } from './read-battle-score.js';
export { setBattleStatus } from './set-battle-status.js';
export type { StatusOrder } from './set-battle-status.js';
export { submitEntry } from './submit-entry.js';
export type { EntryOrder } from './submit-entry.js';
export { castVote } from './votes/cast-vote.js';
export type { VoteOrder } from './votes/cast-vote.js';
export { countVotes } from './votes/count-votes.js';
export { createBattle } from './create-battle.js';
export { countBattleHistory, listBattleHistory } from './list-battle-history.js';
export { countBattles, listBattles } from './list-battles.js';
export { readBattle } from './read-battle.js';
export { readBattleSubject } from './read-battle-subject.js';
export type { BattleSubject } from './read-battle-subject.js';
export { readReferences } from './read-references.js';
export type { References } from './read-references.js';
export { updateBattle } from './update-battle.js';
export { withdrawContender } from './withdraw-contender.js';

export { listOwnVotes } from './list-own-votes.js';
