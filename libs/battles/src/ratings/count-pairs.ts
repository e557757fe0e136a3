import { canonicalOrder, connect, type Component } from './order.js';

/** A vote of a person or a verdict of a judge. */
export type Vote = {
  /** Places, best first. Several contenders in one place are a tie. */
  readonly ranking: readonly (readonly string[])[];
  /** All contenders that took part. Unranked ones are below the ranked ones and imply no pair among themselves. */
  readonly contenders?: readonly string[];
  /** Values by contender and covariate, such as `{ ada: { length: 6.2 } }`. */
  readonly covariates?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The number of equal votes, 1 by default. */
  readonly count?: number;
};

/** Outcomes of a pair, as offsets into its three counts. */
export const FIRST_WINS = 0;
export const SECOND_WINS = 1;
export const TIE = 2;
export const OUTCOMES = 3;

/** Distinct votes with their number. A vote is the list of the pair outcomes that it implies. */
export type Ballots = {
  readonly count: Float64Array;
  /** The weight of each implied pair: 1 divided by their number. */
  readonly share: Float64Array;
  /** The implied outcomes of vote `v` are `outcomes[start[v]]` to `outcomes[start[v + 1] - 1]`. */
  readonly start: Uint32Array;
  /** Pair times three plus outcome. */
  readonly outcomes: Uint32Array;
};

/** Votes counted by pair of contenders (and by covariate difference), in an order that the order of votes does not change. */
export type CountedPairs = {
  /** Sorted ids; contenders are numbers below. */
  readonly contenders: readonly string[];
  readonly covariates: readonly string[];
  readonly votes: number;
  /** The number of votes that compare a contender. */
  readonly votesOf: Float64Array;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** For each pair and covariate, the value of the first contender minus that of the second. */
  readonly differences: Float64Array;
  /** For each pair, the weight of wins of the first, wins of the second, and ties. */
  readonly counts: Float64Array;
  readonly ballots: Ballots;
  /** Contenders that votes connect, the largest component first. */
  readonly components: readonly Component[];
  /** The index of each contender's component. */
  readonly componentOf: Uint32Array;
};

/** Counts votes by the pairs that they imply. A vote weighs 1, spread evenly over its pairs. */
export function countPairs(votes: Iterable<Vote>, options: { covariates?: readonly string[] } = {}): CountedPairs {
  const counter = new PairCounter(options.covariates);
  for (const vote of votes) counter.add(vote);
  return counter.result();
}

/**
 * Counts votes one by one, so that they need not be in memory together. Contenders and pairs have provisional numbers, in
 * order of appearance, until the last vote is counted.
 */
export class PairCounter {
  private readonly numbers = new Map<string, number>();
  private readonly ids: string[] = [];
  private readonly votesOf: number[] = [];
  private readonly lastVoteOf: number[] = [];
  /** For each contender, its pairs with contenders of higher numbers. */
  private readonly pairs: Map<number | string, number>[] = [];
  private readonly first: number[] = [];
  private readonly second: number[] = [];
  private readonly differences: number[][] = [];
  /** Votes that imply one pair, by outcome. */
  private readonly single: number[] = [];
  private readonly several = new Map<string, { outcomes: number[]; count: number }>();
  private votes = 0;
  /** The position of the vote that is being counted. */
  private position = 0;

  constructor(private readonly covariates: readonly string[] = []) {}

  add(vote: Vote): void {
    this.position += 1;
    const count = vote.count ?? 1;
    if (!Number.isSafeInteger(count) || count < 1) throw this.fault(`count must be a positive integer, not ${count}`);

    const members: number[] = [];
    const places: number[] = [];
    let place = 0;
    for (const ids of vote.ranking) {
      for (const id of ids) {
        const member = this.getNumber(id);
        if (this.lastVoteOf[member] === this.position) throw this.fault(`the ranking has ${id} twice`);
        this.lastVoteOf[member] = this.position;
        members.push(member);
        places.push(place);
      }
      place += 1;
    }
    for (const id of vote.contenders ?? []) {
      const member = this.getNumber(id);
      if (this.lastVoteOf[member] === this.position) continue;
      this.lastVoteOf[member] = this.position;
      members.push(member);
    }
    if (places.length === 0 || members.length < 2) return;

    const values = this.covariates.length === 0 ? undefined : this.collectValues(vote, members);
    const outcomes = this.countOutcomes(members, places, values);
    for (const member of members) this.votesOf[member] = (this.votesOf[member] as number) + count;
    this.votes += count;
    this.record(outcomes, count);
  }

  /** The outcomes that a vote implies. The members that have a place come first. */
  private countOutcomes(members: number[], places: number[], values: number[][] | undefined): number[] {
    const outcomes: number[] = [];
    for (let a = 0; a < places.length; a += 1) {
      for (let b = a + 1; b < members.length; b += 1) {
        const x = members[a] as number;
        const y = members[b] as number;
        const pair =
          x < y ? this.getPair(x, y, values?.[a], values?.[b]) : this.getPair(y, x, values?.[b], values?.[a]);
        const outcome = places[a] === places[b] ? TIE : x < y ? FIRST_WINS : SECOND_WINS;
        outcomes.push(pair * OUTCOMES + outcome);
      }
    }
    return outcomes;
  }

  private record(outcomes: number[], count: number): void {
    if (outcomes.length === 1) {
      const only = outcomes[0] as number;
      this.single[only] = (this.single[only] as number) + count;
      return;
    }
    const key = outcomes.sort((a, b) => a - b).join();
    const known = this.several.get(key);
    if (known) known.count += count;
    else this.several.set(key, { outcomes, count });
  }

  private getNumber(id: string): number {
    const known = this.numbers.get(id);
    if (known !== undefined) return known;
    const number = this.ids.length;
    this.numbers.set(id, number);
    this.ids.push(id);
    this.votesOf.push(0);
    this.lastVoteOf.push(0);
    this.pairs.push(new Map());
    return number;
  }

  /** The covariates of each member. */
  private collectValues(vote: Vote, members: number[]): number[][] {
    return members.map((member) => {
      const id = this.ids[member] as string;
      return this.covariates.map((name) => {
        const value = vote.covariates?.[id]?.[name];
        if (!Number.isFinite(value)) throw this.fault(`contender ${id} has no value of the covariate ${name}`);
        return value as number;
      });
    });
  }

  private getPair(low: number, high: number, lowValues?: number[], highValues?: number[]): number {
    const differences = lowValues?.map((value, index) => value - (highValues?.[index] as number));
    const key = differences === undefined ? high : `${high},${differences.join()}`;
    const pairs = this.pairs[low] as Map<number | string, number>;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const pair = this.first.length;
    pairs.set(key, pair);
    this.first.push(low);
    this.second.push(high);
    if (differences) this.differences.push(differences);
    this.single.push(0, 0, 0);
    return pair;
  }

  private fault(message: string): RangeError {
    return new RangeError(`Vote ${this.position}: ${message}.`);
  }

  result(): CountedPairs {
    const contenders = this.ids.toSorted();
    const sorted = new Map(contenders.map((id, index) => [id, index]));
    const indexOf = Uint32Array.from(this.ids, (id) => sorted.get(id) as number);
    const votesOf = new Float64Array(contenders.length);
    for (const [number, votes] of this.votesOf.entries()) votesOf[indexOf[number] as number] = votes;

    const { order, flipped } = canonicalOrder(this.first, this.second, this.differences, indexOf);
    const pairs = order.length;
    const width = this.covariates.length;
    const first = new Uint32Array(pairs);
    const second = new Uint32Array(pairs);
    const differences = new Float64Array(pairs * width);
    const pairIndexOf = new Uint32Array(pairs);
    for (let pair = 0; pair < pairs; pair += 1) {
      const number = order[pair] as number;
      const flip = flipped[number] === 1;
      const low = indexOf[this.first[number] as number] as number;
      const high = indexOf[this.second[number] as number] as number;
      pairIndexOf[number] = pair;
      first[pair] = flip ? high : low;
      second[pair] = flip ? low : high;
      for (let index = 0; index < width; index += 1) {
        const difference = (this.differences[number] as number[])[index] as number;
        differences[pair * width + index] = flip ? 0 - difference : difference;
      }
    }
    const decodeOutcome = (code: number): number => {
      const number = Math.floor(code / OUTCOMES);
      const outcome = code % OUTCOMES;
      const swapped = flipped[number] === 1 && outcome !== TIE ? 1 - outcome : outcome;
      return (pairIndexOf[number] as number) * OUTCOMES + swapped;
    };
    const ballots = this.toBallots(decodeOutcome);
    const counts = new Float64Array(pairs * OUTCOMES);
    addBallots(counts, ballots, ballots.count);
    const { components, componentOf } = connect(contenders.length, first, second);
    return {
      contenders,
      covariates: this.covariates,
      votes: this.votes,
      votesOf,
      first,
      second,
      differences,
      counts,
      ballots,
      components,
      componentOf,
    };
  }

  private toBallots(outcomeOf: (code: number) => number): Ballots {
    const single = new Float64Array(this.single.length);
    let singles = 0;
    for (let code = 0; code < single.length; code += 1) {
      const count = this.single[code] as number;
      if (count === 0) continue;
      single[outcomeOf(code)] = count;
      singles += 1;
    }
    const several = Array.from(this.several.values(), ({ outcomes, count }) => ({
      outcomes: outcomes.map(outcomeOf).sort((a, b) => a - b),
      count,
    })).sort((a, b) => compareLists(a.outcomes, b.outcomes));

    const size = singles + several.length;
    const count = new Float64Array(size);
    const share = new Float64Array(size);
    const start = new Uint32Array(size + 1);
    const outcomes = new Uint32Array(singles + several.reduce((sum, vote) => sum + vote.outcomes.length, 0));
    share.fill(1, 0, singles);
    let ballot = 0;
    for (let code = 0; code < single.length; code += 1) {
      if (single[code] === 0) continue;
      count[ballot] = single[code] as number;
      outcomes[ballot] = code;
      ballot += 1;
      start[ballot] = ballot;
    }
    for (const vote of several) {
      count[ballot] = vote.count;
      share[ballot] = 1 / vote.outcomes.length;
      const from = start[ballot] as number;
      outcomes.set(vote.outcomes, from);
      ballot += 1;
      start[ballot] = from + vote.outcomes.length;
    }
    return { count, share, start, outcomes };
  }
}

/** Adds votes, as often as `times` says, to the counts of pairs. */
export function addBallots(counts: Float64Array, { share, start, outcomes }: Ballots, times: Float64Array): void {
  let from = 0;
  for (let ballot = 0; ballot < times.length; ballot += 1) {
    const to = start[ballot + 1] as number;
    const weight = (times[ballot] as number) * (share[ballot] as number);
    if (weight !== 0) {
      for (let at = from; at < to; at += 1) {
        const outcome = outcomes[at] as number;
        counts[outcome] = (counts[outcome] as number) + weight;
      }
    }
    from = to;
  }
}

/** A vote that implies the pairs of a counted one. */
export function decodeVote({ contenders, ballots, first, second }: CountedPairs, ballot: number): Vote {
  const losses = new Map<string, number>();
  const tied = new Set<string>();
  for (let at = ballots.start[ballot] as number; at < (ballots.start[ballot + 1] as number); at += 1) {
    const code = ballots.outcomes[at] as number;
    const pair = Math.floor(code / OUTCOMES);
    const ids = [contenders[first[pair] as number] as string, contenders[second[pair] as number] as string] as const;
    const outcome = code % OUTCOMES;
    for (const [side, id] of ids.entries()) {
      const lost = outcome === (side === 0 ? SECOND_WINS : FIRST_WINS);
      losses.set(id, (losses.get(id) ?? 0) + (lost ? 1 : 0));
      if (outcome === TIE) tied.add(id);
    }
  }
  const ids = [...losses.keys()].sort(
    (a, b) => (losses.get(a) as number) - (losses.get(b) as number) || (a < b ? -1 : 1),
  );
  const ranking: string[][] = [];
  for (const [position, id] of ids.entries()) {
    const before = ids[position - 1];
    const place = ranking.at(-1);
    if (place && before !== undefined && losses.get(before) === losses.get(id)) place.push(id);
    else ranking.push([id]);
  }
  // Contenders that lost equally often without a tie are the unranked ones.
  const last = ranking.at(-1) ?? [];
  if (last.length > 1 && !last.some((id) => tied.has(id))) ranking.pop();
  return { ranking, contenders: ids.toSorted() };
}

/** Compares two sorted lists of numbers. */
function compareLists(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [index, value] of a.entries()) {
    if (value !== b[index]) return value - (b[index] as number);
  }
  return 0;
}
