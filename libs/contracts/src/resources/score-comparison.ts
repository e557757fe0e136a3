import { decimal, oneOf } from '../schema/field.js';

/** How two means of scores compare. */
export const scoreComparisonResults = ['higher', 'lower', 'alike', 'too_few_scores'] as const;
export type ScoreComparisonResult = (typeof scoreComparisonResults)[number];

/** The difference of two means of scores with its 95 % interval. */
export class ScoreComparison {
  @decimal()
  difference!: number;

  @decimal()
  low!: number;

  @decimal()
  high!: number;

  @oneOf(scoreComparisonResults, { description: 'alike: within five points. too_few_scores: too few scores to say.' })
  result!: ScoreComparisonResult;
}
