import { type BattleStatus, type RunStatus, isTerminal } from '@lensforge/contracts';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';

export interface BattleState {
  battle: Pick<StoredBattle, 'status' | 'judgingMode' | 'winnerContenderId'>;
  contenders: readonly Pick<StoredContender, 'id' | 'answerError'>[];
  /** The contenders who have submitted. */
  submitted: ReadonlySet<string>;
  /** The status of the run that judges; null without one. */
  judging: RunStatus | null;
}

type Warning = (state: BattleState) => string | false;

const unwritten: Warning = ({ contenders, submitted }) => {
  const failed = contenders.filter(({ id, answerError }) => answerError !== null && !submitted.has(id)).length;
  if (failed === 0) return false;
  const answers = failed === 1 ? 'one answer' : `${failed} answers`;
  return `The platform could not write ${answers}: submit the text, or retry the run of the contender.`;
};

const unscored: Warning = ({ contenders, submitted, battle: { judgingMode } }) =>
  judgingMode !== 'community_vote' &&
  contenders.length > 0 &&
  contenders.every(({ id }) => submitted.has(id)) &&
  'All answers are in, but the judging could not be started, for example for lack of credits: move the battle to voting and then to scoring to start it.';

const unjudged: Warning = ({ battle: { judgingMode }, judging }) => {
  if (judgingMode === 'community_vote' || judging === 'succeeded') return false;
  if (judging === null) return 'The battle has no judging: votes alone would decide.';
  return (
    isTerminal(judging) &&
    `The judging ended as ${judging}: retry its run, or close the battle and let votes alone decide.`
  );
};

const undecided: Warning = ({ battle: { winnerContenderId }, submitted }) =>
  winnerContenderId === null && submitted.size > 0 && 'First place is shared, so that there is no winner.';

const byStatus: Readonly<Partial<Record<BattleStatus, readonly Warning[]>>> = {
  executing: [unwritten, unscored],
  scoring: [unjudged],
  closed: [undecided],
  published: [undecided],
};

/** Warnings about the answers, the judging and the result of a battle in its present status. */
export const statusWarnings = (state: BattleState): string[] =>
  (byStatus[state.battle.status] ?? []).map((warning) => warning(state)).filter((text) => text !== false);
