import { type CountedPairs } from './count-pairs.js';
import { PairModel, type Parameters, type Solution } from './pair-model.js';

export type FitOptions = {
  /** The weight of the prior on strengths and effects: 1 / ridge is its variance. */
  ridge?: number;
};

export type Rating = {
  contender: string;
  /** 1 is the largest component. Ranks and strengths compare contenders of one component only. */
  component: number;
  /** The place in the component; equal strengths share it. */
  rank: number;
  /** Two contenders that differ by d win in the ratio exp(d) : 1. The mean of a component is 0. */
  strength: number;
  /** 1500 + 400 / ln 10 · strength. */
  elo: number;
  /** The number of votes that compare this contender. */
  votes: number;
};

/** The change of log odds for one unit of a covariate. */
export type Effect = { covariate: string; effect: number };

export type ComponentSummary = { component: number; contenders: number; votes: number };

export type FitSummary = {
  ridge: number;
  /** Davidson's tie parameter v; null when all votes are ties, because it is infinite then. */
  tie: number | null;
  iterations: number;
  converged: boolean;
  votes: number;
  bootstraps: number;
  /** The seed of the bootstraps; null without bootstraps. */
  seed: number | null;
};

export type Ratings<R extends Rating = Rating, E extends Effect = Effect> = {
  /** By component, rank and id. */
  ratings: R[];
  effects: E[];
  components: ComponentSummary[];
  fit: FitSummary;
};

export const DEFAULT_RIDGE = 0.25;
/** Strengths that differ by less are equal. */
export const EQUAL = 1e-9;

/** Fits strengths, the tie parameter and effects of covariates to counted votes. */
export function fitRatings(pairs: CountedPairs, { ridge = DEFAULT_RIDGE }: FitOptions = {}): Ratings {
  const solution = new PairModel(pairs, ridge).solve(pairs.counts);
  return { ...computeRatings(pairs, solution.parameters), fit: summarizeFit(pairs, ridge, solution) };
}

export function summarizeFit(pairs: CountedPairs, ridge: number, solution: Solution): FitSummary {
  const tie = Math.exp(solution.parameters[pairs.contenders.length] as number);
  return {
    ridge,
    tie: Number.isFinite(tie) ? tie : null,
    iterations: solution.iterations,
    converged: solution.converged,
    votes: pairs.votes,
    bootstraps: 0,
    seed: null,
  };
}

/** The readable form of parameters. */
export function computeRatings(pairs: CountedPairs, parameters: Parameters): Omit<Ratings, 'fit'> {
  const strengths = centred(pairs, parameters);
  const ratings = pairs.components.flatMap(({ contenders }, component) => {
    const sorted = contenders.toSorted((a, b) => (strengths[b] as number) - (strengths[a] as number) || a - b);
    let rank = 1;
    const ranked = sorted.map((contender, position): Rating => {
      const strength = strengths[contender] as number;
      const above = strengths[sorted[position - 1] ?? contender] as number;
      if (above - strength > EQUAL) rank = position + 1;
      return {
        contender: pairs.contenders[contender] as string,
        component: component + 1,
        rank,
        strength,
        elo: toElo(strength),
        votes: pairs.votesOf[contender] as number,
      };
    });
    return ranked.sort((a, b) => a.rank - b.rank || (a.contender < b.contender ? -1 : 1));
  });
  return {
    ratings,
    effects: pairs.covariates.map((covariate, index) => ({
      covariate,
      effect: parameters[pairs.contenders.length + 1 + index] as number,
    })),
    components: summarizeComponents(pairs),
  };
}

/** Strengths with mean 0 in each component. */
export function centred({ components }: CountedPairs, parameters: Parameters): Float64Array {
  const strengths = new Float64Array(components.reduce((sum, { contenders }) => sum + contenders.length, 0));
  for (const { contenders } of components) {
    let sum = 0;
    for (const contender of contenders) sum += parameters[contender] as number;
    const mean = sum / contenders.length;
    for (const contender of contenders) strengths[contender] = (parameters[contender] as number) - mean;
  }
  return strengths;
}

/** A strength on the scale of chess ratings: 400 points are odds of 10 : 1. */
export function toElo(strength: number): number {
  return 1500 + (400 / Math.LN10) * strength;
}

function summarizeComponents({ components, componentOf, ballots, first }: CountedPairs): ComponentSummary[] {
  const votes = new Float64Array(components.length);
  for (const [ballot, count] of ballots.count.entries()) {
    const component = componentOfBallot({ componentOf, ballots, first }, ballot);
    votes[component] = (votes[component] as number) + count;
  }
  return components.map(({ contenders }, index) => ({
    component: index + 1,
    contenders: contenders.length,
    votes: votes[index] as number,
  }));
}

/** The component of a vote; the contenders of a vote that implies pairs are connected. */
export function componentOfBallot(
  { componentOf, ballots, first }: Pick<CountedPairs, 'componentOf' | 'ballots' | 'first'>,
  ballot: number,
): number {
  const outcome = ballots.outcomes[ballots.start[ballot] as number] as number;
  return componentOf[first[Math.floor(outcome / 3)] as number] as number;
}
