import { type CountedPairs, FIRST_WINS, OUTCOMES, TIE } from './count-pairs.js';

/** How often votes placed a contender above, level with and below another. A vote on several contenders counts for each pair. */
export type Comparisons = { wins: number; ties: number; losses: number };

export function groupComparisons({ contenders, first, second, ballots }: CountedPairs): Map<string, Comparisons> {
  const all = contenders.map((): Comparisons => ({ wins: 0, ties: 0, losses: 0 }));
  for (const [ballot, count] of ballots.count.entries()) {
    for (let at = ballots.start[ballot] as number; at < (ballots.start[ballot + 1] as number); at += 1) {
      const code = ballots.outcomes[at] as number;
      const pair = Math.floor(code / OUTCOMES);
      const a = all[first[pair] as number] as Comparisons;
      const b = all[second[pair] as number] as Comparisons;
      if (code % OUTCOMES === TIE) {
        a.ties += count;
        b.ties += count;
      } else {
        const [winner, loser] = code % OUTCOMES === FIRST_WINS ? [a, b] : [b, a];
        winner.wins += count;
        loser.losses += count;
      }
    }
  }
  return new Map(contenders.map((id, index) => [id, all[index] as Comparisons]));
}
