import type { ScoreDifference, ScorerResult } from '@lensforge/contracts';
import { bootstrapMeans } from './bootstrap.js';
import { average, estimateMean, quantile, variance } from './intervals.js';
import { casesToFindLoss } from './power.js';
import { repeated } from './repetitions.js';
import { holm, signTest } from './tests.js';

/** The scores of one scorer for one arm: a list for each case, with one score for each repetition. */
export interface ScoreTable {
  scores: readonly (readonly number[])[];
  passes: readonly (readonly boolean[])[];
  /** Scores that could not be made; they are 0 in the lists. */
  errors: number;
}

export interface Comparison {
  /** By case: the mean score of the arm minus that of the baseline. */
  differences: number[];
  /** Sorted means of bootstrap samples of the differences. */
  means: Float64Array;
}

export interface Analysed {
  result: ScorerResult;
  comparison: Comparison | null;
}

/** The question that `casesNeeded` answers. */
export const usualQuestion = { loss: 0.1, margin: 0.02, confidence: 0.95, power: 0.8 } as const;

/** The results of one scorer for all arms. The unit is the case: its repetitions are averaged first. */
export function analyseScorer(
  scorer: string,
  arms: readonly ScoreTable[],
  { baseline, seed }: { baseline: number | null; seed: number },
): Analysed[] {
  const caseMeans = arms.map(({ scores }) => scores.map(average));
  const comparisons = caseMeans.map((means, arm) => {
    if (baseline === null || arm === baseline) return null;
    const differences = means.map((mean, index) => mean - (caseMeans[baseline]?.[index] ?? 0));
    return { differences, means: bootstrapMeans(differences, seed) };
  });
  const compared = comparisons.flatMap((each, arm) => (each === null ? [] : [{ arm, p: signTest(each.differences) }]));
  const adjusted = holm(compared.map(({ p }) => p));
  const pValues = new Map(compared.map(({ arm }, index) => [arm, adjusted[index] ?? 1]));
  return arms.map(({ passes, errors }, arm) => {
    const comparison = comparisons[arm] ?? null;
    const difference = comparison && describeDifference(comparison, pValues.get(arm) ?? 1);
    const chances = passes.map((each) => repeated(each.filter(Boolean).length, each.length, each.length));
    return {
      comparison,
      result: {
        scorer,
        score: estimateMean(caseMeans[arm] ?? []),
        passRate: average(passes.flat().map(Number)),
        passAtK: average(chances.map(({ passAtK }) => passAtK)),
        passHatK: average(chances.map(({ passHatK }) => passHatK)),
        errors,
        difference,
      },
    };
  });
}

function describeDifference({ differences, means }: Comparison, pValue: number): ScoreDifference {
  const count = (is: (difference: number) => boolean): number => differences.filter(is).length;
  const needed = casesToFindLoss(variance(differences), usualQuestion);
  return {
    mean: average(differences),
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
    pValue,
    better: count((each) => each > 0),
    worse: count((each) => each < 0),
    equal: count((each) => each === 0),
    casesNeeded: Number.isFinite(needed) ? needed : null,
  };
}
