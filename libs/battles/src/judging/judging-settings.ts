import type { JudgingMode } from '@lensforge/contracts';
import { defaultAnchors } from '@lensforge/judges';
import type { StoredBattle } from '../battle.entity.js';
import { toCheck } from './battle-checks.js';
import type { Check } from './checks.js';
import { allPairsLimit, swissRounds } from './pairings.js';
import { type Criterion, defaultRubric } from './rubric.js';

/** The criteria of a battle, with defaults for what its rubric leaves open. */
export function getCriteria({ rubric }: Pick<StoredBattle, 'rubric'>): readonly Criterion[] {
  if (rubric === null || rubric.length === 0) return defaultRubric;
  return rubric.map(({ anchors, ...criterion }) => ({
    ...criterion,
    anchors: anchors ? (anchors as unknown as Criterion['anchors']) : defaultAnchors,
  }));
}

/** The checks of a battle; their values were validated when it was written. */
export const getChecks = ({ checks }: Pick<StoredBattle, 'checks'>): Check[] => (checks ?? []).map(toCheck);

type Judged = Pick<StoredBattle, 'judgingMode' | 'rubric' | 'checks'>;

const counts: Readonly<Record<JudgingMode, (battle: Judged, texts: number) => number>> = {
  community_vote: () => 0,
  ai_judge: (_, texts) => (texts <= allPairsLimit ? texts * texts - texts : 2 * swissRounds * Math.floor(texts / 2)),
  rubric_score: (battle, texts) => texts * getCriteria(battle).length,
  auto_score: (battle, texts) => texts * getChecks(battle).length,
};

/** The number of judgements of a battle with so many texts. */
export const countJudgements = (battle: Judged, texts: number): number => counts[battle.judgingMode](battle, texts);
