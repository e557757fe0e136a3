import { addBallots, type CountedPairs, type Vote, decodeVote } from './count-pairs.js';
import {
  componentOfBallot,
  DEFAULT_RIDGE,
  EQUAL,
  type FitOptions,
  type FitSummary,
  summarizeFit,
} from './fit-ratings.js';
import { PairModel, type Parameters, type Solution } from './pair-model.js';

export type Fragility = {
  /** The contenders in first place of the largest component; several when they share it. */
  first: string[];
  /** An upper bound of the fewest votes whose removal changes `first`; null when the search found no such removal. */
  votes: number | null;
  /** First place after that removal. */
  firstAfter: string[];
  /** The votes to remove, `count` of each, without covariates. */
  removed: Vote[];
  /** The fit of all votes. */
  fit: FitSummary;
};

export type FragilityOptions = FitOptions & {
  /** The number of contenders that are tried as the next first place, 3 by default. */
  rivals?: number;
};

/** While at most this many votes are expected to go, they go one by one. */
const FEW = 8;
/** Up to this product of choices and distinct votes, each choice is tried by a fit. */
const SMALL = 4096;
/** Up to this many removed votes, the search tries to do without each of them. */
const FEW_REMOVED = 32;

/**
 * Looks for the fewest votes whose removal changes first place in the largest component. For each rival it removes the votes
 * that lower the leader's margin most, by the derivative of the margin, and fits again, until first place is another.
 * Each answer is checked by a fit without the removed votes, so it is never below the true minimum.
 */
export function measureFragility(
  pairs: CountedPairs,
  { ridge = DEFAULT_RIDGE, rivals = 3 }: FragilityOptions = {},
): Fragility {
  const search = new RemovalSearch(pairs, ridge);
  const best = search.run(rivals);
  const toIds = (contenders: readonly number[]): string[] =>
    contenders.map((contender) => pairs.contenders[contender] as string);
  return {
    first: toIds(search.first),
    votes: best?.votes ?? null,
    firstAfter: toIds(best?.first ?? []),
    removed: Array.from(best?.removed ?? []).flatMap((count, ballot) =>
      count > 0 ? [{ ...decodeVote(pairs, ballot), count }] : [],
    ),
    fit: summarizeFit(pairs, ridge, search.full),
  };
}

type Removal = { votes: number; removed: Float64Array; first: number[] };
type Choice = { ballot: number; gain: number };

class RemovalSearch {
  readonly first: number[];
  private readonly model: PairModel;
  readonly full: Solution;
  private readonly members: readonly number[];
  /** The distinct votes of the largest component. */
  private readonly candidates: number[] = [];
  private readonly counts: Float64Array;

  constructor(
    private readonly pairs: CountedPairs,
    ridge: number,
  ) {
    this.model = new PairModel(pairs, ridge);
    this.counts = new Float64Array(pairs.counts.length);
    this.full = this.model.solve(pairs.counts);
    this.members = pairs.components[0]?.contenders ?? [];
    this.first = this.firstAt(this.full.parameters);
    for (let ballot = 0; ballot < pairs.ballots.count.length; ballot += 1) {
      if (componentOfBallot(pairs, ballot) === 0) this.candidates.push(ballot);
    }
  }

  run(rivals: number): Removal | undefined {
    const [leader] = this.first;
    if (leader === undefined) return undefined;
    let best: Removal | undefined;
    const { parameters } = this.full;
    const nearest = this.members
      .filter((contender) => contender !== leader)
      .sort((a, b) => (parameters[b] as number) - (parameters[a] as number) || a - b);
    for (const rival of nearest.slice(0, rivals)) {
      best = this.against(leader, rival, best?.votes) ?? best;
      // A shared first place also changes when the rival falls behind.
      if (this.first.includes(rival)) best = this.against(rival, leader, best?.votes) ?? best;
    }
    return best;
  }

  /** Removes votes, fewer than `limit`, until first place changes. */
  private against(leader: number, rival: number, limit = Infinity): Removal | undefined {
    const margin = (parameters: Parameters): number => (parameters[leader] as number) - (parameters[rival] as number);
    const removed = new Float64Array(this.pairs.ballots.count.length);
    let votes = 0;
    let maxBatch = Infinity;
    let parameters = this.fitWithout(removed);
    while (votes + 1 < limit) {
      const choices = this.choices(parameters, leader, rival, removed);
      if (choices.length === 0) return undefined;
      const expected = this.take(choices, removed, { gain: margin(parameters) });
      // Far from the change many votes go at once, but only half of what the derivative asks for.
      const batch = Math.min(expected <= FEW ? 1 : Math.floor(expected / 2), maxBatch, limit - 1 - votes);
      const next = Float64Array.from(removed);
      if (batch === 1) this.removeOne(choices, next, margin);
      else this.take(choices, next, { votes: batch }, next);
      parameters = this.fitWithout(next);
      const first = this.firstAt(parameters);
      if (first.join() === this.first.join()) {
        removed.set(next);
        votes += batch;
      } else if (batch === 1) {
        return this.withoutSpare({ votes: votes + 1, removed: next, first });
      } else {
        maxBatch = Math.floor(batch / 2);
        parameters = this.fitWithout(removed);
      }
    }
    return undefined;
  }

  private fitWithout(removed: Float64Array): Parameters {
    const { counts, pairs } = this;
    counts.fill(0);
    addBallots(
      counts,
      pairs.ballots,
      pairs.ballots.count.map((count, ballot) => count - (removed[ballot] as number)),
    );
    return this.model.solve(counts, { start: this.full.parameters }).parameters;
  }

  private firstAt(parameters: Parameters): number[] {
    const top = this.members.reduce((most, contender) => Math.max(most, parameters[contender] as number), -Infinity);
    return this.members.filter((contender) => top - (parameters[contender] as number) <= EQUAL);
  }

  /** The votes whose removal lowers the leader's margin, those that lower it most first. */
  private choices(parameters: Parameters, leader: number, rival: number, removed: Float64Array): Choice[] {
    const { start, outcomes, share, count } = this.pairs.ballots;
    const derivatives = this.model.marginDerivatives(parameters, leader, rival);
    const choices: Choice[] = [];
    let largest = 0;
    for (const ballot of this.candidates) {
      if (count[ballot] === removed[ballot]) continue;
      let gain = 0;
      for (let at = start[ballot] as number; at < (start[ballot + 1] as number); at += 1) {
        gain += derivatives[outcomes[at] as number] as number;
      }
      gain *= share[ballot] as number;
      // Small gains are left out while there are large ones: sorting is what takes time here.
      if (gain <= Math.max(1e-12, largest / 20)) continue;
      largest = Math.max(largest, gain);
      choices.push({ ballot, gain });
    }
    return choices.filter(({ gain }) => gain > largest / 20).sort((a, b) => b.gain - a.gain || a.ballot - b.ballot);
  }

  /** Takes votes in the order of `choices` up to a total gain or number; returns how many, and adds them to `into`. */
  private take(
    choices: readonly Choice[],
    removed: Float64Array,
    limit: { gain?: number; votes?: number },
    into?: Float64Array,
  ): number {
    let { gain: gainLeft = Infinity, votes: votesLeft = Infinity } = limit;
    let taken = 0;
    for (const { ballot, gain } of choices) {
      const available = (this.pairs.ballots.count[ballot] as number) - (removed[ballot] as number);
      const some = Math.min(available, votesLeft, Math.max(1, Math.ceil(gainLeft / gain)));
      taken += some;
      votesLeft -= some;
      gainLeft -= some * gain;
      if (into) into[ballot] = (into[ballot] as number) + some;
      if (votesLeft <= 0 || gainLeft <= 0) break;
    }
    return taken;
  }

  /** Removes the vote after whose removal the margin is lowest. */
  private removeOne(
    choices: readonly Choice[],
    removed: Float64Array,
    margin: (parameters: Parameters) => number,
  ): void {
    let best = (choices[0] as Choice).ballot;
    if (choices.length * removed.length <= SMALL) {
      let lowest = Infinity;
      for (const { ballot } of choices) {
        const rest = margin(this.fitWithout(changed(removed, ballot, 1)));
        if (rest < lowest - EQUAL) {
          lowest = rest;
          best = ballot;
        }
      }
    }
    removed[best] = (removed[best] as number) + 1;
  }

  /** Puts votes back whose removal is not needed. */
  private withoutSpare(removal: Removal): Removal {
    let { votes, removed, first } = removal;
    if (votes > FEW_REMOVED) return removal;
    for (const ballot of this.candidates) {
      while ((removed[ballot] as number) > 0) {
        const fewer = changed(removed, ballot, -1);
        const after = this.firstAt(this.fitWithout(fewer));
        if (after.join() === this.first.join()) break;
        removed = fewer;
        first = after;
        votes -= 1;
      }
    }
    return { votes, removed, first };
  }
}

function changed(counts: Float64Array, at: number, change: number): Float64Array<ArrayBuffer> {
  const copy = Float64Array.from(counts);
  copy[at] = (copy[at] as number) + change;
  return copy;
}
