import type { VoteResult } from '../votes/places.js';

/** The result of a contender who has submitted. */
export interface Result extends VoteResult {
  id: string;
  /** null without a judging. */
  judgeScore: number | null;
  submittedAt: string;
}

export interface Standings {
  /** From best to worst. */
  ranked: Result[];
  /** null when first place is shared in scores and votes. */
  winner: string | null;
}

/** Ranks by judge score, mean Borda score, number of first places and earliest submission, in this order. */
export function computeStandings(results: readonly Result[]): Standings {
  const ranked = results.toSorted(
    (one, other) => compare(one, other) || (one.submittedAt + one.id < other.submittedAt + other.id ? -1 : 1),
  );
  const [first, second] = ranked;
  const isShared = first !== undefined && second !== undefined && compare(first, second) === 0;
  return { ranked, winner: first && !isShared ? first.id : null };
}

const compare = (one: Result, other: Result): number =>
  (other.judgeScore ?? 0) - (one.judgeScore ?? 0) || other.voteScore - one.voteScore || other.voteCount - one.voteCount;
