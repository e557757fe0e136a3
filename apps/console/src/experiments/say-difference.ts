import type { shapes } from '@lensforge/sdk';
import { experimentsTexts } from '../view-texts/experiments';

/** Says in a sentence how certain a difference is. */
export function sayDifference({
  low,
  high,
  casesNeeded,
}: Pick<shapes.ScoreDifference, 'low' | 'high' | 'casesNeeded'>): string {
  if (low > 0) return experimentsTexts.surelyBetter;
  if (high < 0) return experimentsTexts.surelyWorse;
  return casesNeeded === null ? experimentsTexts.unsure : experimentsTexts.unsureUntil(casesNeeded);
}
