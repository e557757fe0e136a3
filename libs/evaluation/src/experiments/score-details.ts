import type { Score } from '@lensforge/contracts';

/** The parts of a score that a cell keeps beside the number and the verdict. Members are absent in scores of checks. */
export type ScoreDetails = Pick<Score, 'reason' | 'assertions'> & Partial<Pick<Score, 'error' | 'judge'>>;
