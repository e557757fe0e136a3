import { createHash } from 'node:crypto';
import type { PairItem, PairJudgement } from './judgements.js';
import { judgedPairs, getPoints } from './pair-outcome.js';

/** Up to this many contenders, every pair is compared; more play a Swiss draw. */
export const allPairsLimit = 6;
export const swissRounds = 5;

interface Battle {
  battleId: string;
  contenderIds: readonly string[];
  /** The judgements so far, in any order. */
  judgements: readonly PairJudgement[];
}

/**
 * The comparisons to judge next; none when judging is finished. A round of the Swiss draw depends on the judgements of earlier
 * rounds and the battle id only, so a repeated call continues the same draw.
 */
export function nextPairItems({ battleId, contenderIds, judgements }: Battle): PairItem[] {
  const seeded = [...new Set(contenderIds)].sort((a, b) => compare(hashSeed(battleId, a), hashSeed(battleId, b)));
  const judged = new Set(judgements.map(({ first, second }) => toPairKey(first, second)));
  const missing = (pairs: readonly Pair[], round: number): PairItem[] =>
    pairs
      .flatMap(([a, b]) => [toPairItem(a, b, round), toPairItem(b, a, round)])
      .filter(({ first, second }) => !judged.has(toPairKey(first, second)));
  if (seeded.length <= allPairsLimit) return missing(allPairs(seeded), 1);
  const drawn = new Map<string, Pair>();
  for (let round = 1; round <= swissRounds; round += 1) {
    const ranked = rankedBy(seeded, [...drawn.values()], judgements);
    const pairs = drawRound(ranked, new Set(drawn.keys()));
    const items = missing(pairs.filter(isPair), round);
    if (items.length > 0) return items;
    for (const [a, b] of pairs) drawn.set(unordered(a, b), [a, b]);
  }
  return [];
}

type Pair = readonly [string, string];

/** The opponent of the contender that has no comparison in a round of an odd number. */
const bye = '';

const isPair = ([a, b]: Pair): boolean => a !== bye && b !== bye;

const toPairKey = (first: string, second: string): string => `pair:${first}:${second}`;

const toPairItem = (first: string, second: string, round: number): PairItem => ({
  key: toPairKey(first, second),
  round,
  first,
  second,
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const hashSeed = (battleId: string, contenderId: string): string =>
  createHash('sha256').update(`${battleId}:${contenderId}`).digest('hex');

const unordered = (a: string, b: string): string => (a < b ? toPairKey(a, b) : toPairKey(b, a));

const allPairs = (ids: readonly string[]): Pair[] =>
  ids.flatMap((a, index) => ids.slice(index + 1).map((b): Pair => [a, b]));

/** The contenders by their share won so far, then by seed; an odd number is filled up with the bye, which is last. */
function rankedBy(seeded: readonly string[], drawn: readonly Pair[], judgements: readonly PairJudgement[]): string[] {
  const pairs = new Set(drawn.map(([a, b]) => unordered(a, b)));
  const played = judgedPairs(judgements).filter(({ first, second }) => pairs.has(unordered(first, second)));
  const shares = new Map(seeded.map((id) => [id, computeShare(id, played)]));
  const ranked = [...seeded].sort((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0));
  return ranked.length % 2 === 0 ? ranked : [...ranked, bye];
}

function computeShare(id: string, played: ReturnType<typeof judgedPairs>): number {
  const points = played.flatMap((pair) => getPoints(pair, id) ?? []);
  return points.length === 0 ? 0.5 : points.reduce((sum, each) => sum + each, 0) / points.length;
}

/**
 * Pairs each contender with the nearest one in the ranking that it has not met. In 5 rounds of 7 or more contenders such a draw
 * always exists; each has met at most 4 others, so the search goes back among the last ten contenders only.
 */
function drawRound(ranked: readonly string[], met: ReadonlySet<string>): Pair[] {
  const draw = (left: readonly string[]): Pair[] | undefined => {
    const [a, ...others] = left;
    if (a === undefined) return [];
    for (const b of others) {
      if (met.has(unordered(a, b))) continue;
      const rest = draw(others.filter((each) => each !== b));
      if (rest) return [[a, b], ...rest];
    }
    return undefined;
  };
  const pairs = draw(ranked);
  if (!pairs) throw new Error('there is no draw without a rematch');
  return pairs;
}
