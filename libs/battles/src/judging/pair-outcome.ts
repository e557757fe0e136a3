import { type Choice, pairOutcome } from '@lensforge/judges';
import { type PairJudgement, type Verdict, joinReasoning } from './judgements.js';

/** A pair whose comparisons in both orders are judged. */
export interface JudgedPair {
  first: string;
  second: string;
  outcome: Choice | 'abstained';
  /** The judgement of `first` before `second`, and that of the swapped order. */
  judgements: readonly [PairJudgement, PairJudgement];
}

/** The pairs with judgements of both orders, sorted by ids, in any order of the judgements. */
export function judgedPairs(judgements: readonly PairJudgement[]): JudgedPair[] {
  const byOrder = new Map(judgements.map((each) => [`${each.first} ${each.second}`, each]));
  return [...byOrder.keys()]
    .sort()
    .map((order) => byOrder.get(order) as PairJudgement)
    .filter(({ first, second }) => first < second)
    .flatMap((judgement): JudgedPair[] => {
      const { first, second } = judgement;
      const swapped = byOrder.get(`${second} ${first}`);
      if (!swapped) return [];
      return [
        { first, second, outcome: pairOutcome(judgement.choice, swapped.choice), judgements: [judgement, swapped] },
      ];
    });
}

/**
 * The points of a contender in a pair: 1, ½ or 0; undefined if the pair is of others. An abstention gives ½ to both. If it did
 * not count, a text that makes the judge fail could avoid its losses.
 */
export function getPoints({ first, second, outcome }: JudgedPair, id: string): number | undefined {
  if (id !== first && id !== second) return undefined;
  if (outcome === 'tie' || outcome === 'abstained') return 0.5;
  return (outcome === 'first') === (id === first) ? 1 : 0;
}

/** A verdict for each contender, with the share of its pairs that it won as score. A single contender wins by default. */
export function pairVerdicts(contenderIds: readonly string[], judgements: readonly PairJudgement[]): Verdict[] {
  if (contenderIds.length === 1) return contenderIds.map(byDefault);
  const pairs = judgedPairs(judgements);
  return contenderIds.map((contenderId) => {
    const own = pairs.flatMap((pair) => {
      const points = getPoints(pair, contenderId);
      return points === undefined ? [] : [{ pair, points }];
    });
    const count = (points: number): number => own.filter((each) => each.points === points).length;
    const abstained = own.filter(({ pair }) => pair.outcome === 'abstained').length;
    return {
      contenderId,
      verdict: [
        counted(count(1), 'win', 'wins'),
        counted(count(0.5) - abstained, 'tie', 'ties'),
        counted(count(0), 'loss', 'losses'),
        ...(abstained > 0 ? [counted(abstained, 'abstention', 'abstentions')] : []),
      ].join(', '),
      score: own.length === 0 ? 0 : own.reduce((sum, { points }) => sum + points, 0) / own.length,
      reasoning: joinReasoning(
        own.map(({ pair, points }, index) => describePair(pair, { contenderId, points, index })),
      ),
    };
  });
}

const byDefault = (contenderId: string): Verdict => ({
  contenderId,
  verdict: 'the only text',
  score: 1,
  reasoning: 'There is no other text to compare this one with, so that it wins by default.',
});

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The judgements of a pair from the view of one contender; the other one is not named. */
function describePair(
  { outcome, judgements }: JudgedPair,
  { contenderId, points, index }: { contenderId: string; points: number; index: number },
): string {
  const results: Record<number, string> = { 1: 'win', 0.5: outcome === 'abstained' ? 'abstention' : 'tie', 0: 'loss' };
  const lines = judgements.map(({ first, choice, reasoning }) => {
    const place = first === contenderId ? 'first' : 'second';
    const result = choice === 'tie' || choice === 'abstained' ? choice : choice === place ? 'better' : 'worse';
    return `As the ${place} text (${result}): ${reasoning}`;
  });
  return [`Comparison ${index + 1}: ${results[points] ?? ''}.`, ...lines].join('\n');
}
