import type { Choice, Mark } from '@lensforge/judges';

/** A comparison to judge; each pair has two, one for each order. */
export interface PairItem {
  /** Unique within the battle. */
  key: string;
  round: number;
  first: string;
  second: string;
}

export interface PairJudgement {
  first: string;
  second: string;
  choice: Choice | 'abstained';
  reasoning: string;
}

/** A text to judge by one criterion, alone. */
export interface RubricItem {
  /** Unique within the battle. */
  key: string;
  contenderId: string;
  /** The index of the criterion in the rubric. */
  criterion: number;
}

export interface RubricJudgement {
  contenderId: string;
  criterion: number;
  /** Unpaid: there were no credits left to ask the judge. */
  mark: Mark | 'abstained' | 'unpaid';
  reasoning: string;
}

/** A text to check by one check. */
export interface CheckItem {
  /** Unique within the battle. */
  key: string;
  contenderId: string;
  /** The index of the check in the list of checks. */
  check: number;
}

export interface CheckJudgement {
  contenderId: string;
  check: number;
  /** From 0 to 1. */
  score: number;
  reasoning: string;
}

/** The result of judging one contender. */
export interface Verdict {
  contenderId: string;
  /** A summary such as "2 wins, 1 tie, 0 losses". */
  verdict: string;
  /** From 0 to 1. */
  score: number;
  reasoning: string;
}

const maxReasoning = 8000;

/** Joins the paragraphs of a reasoning up to its length limit. */
export function joinReasoning(paragraphs: readonly string[]): string {
  const text = paragraphs.filter((each) => each !== '').join('\n\n');
  return text.length > maxReasoning ? `${text.slice(0, maxReasoning - 1).toWellFormed()}…` : text;
}
