import { type Vote } from './count-pairs.js';
import type { Random } from '@lensforge/core';

export type Simulation = {
  random: Random;
  strengths: Readonly<Record<string, number>>;
  votes: number;
  /** Davidson's tie parameter. */
  tie?: number;
  /** Adds covariates to a vote; `shift` is their effect on the log odds of its first contender. */
  covariatesOf?: (a: string, b: string) => { covariates: NonNullable<Vote['covariates']>; shift: number };
};

/** Votes on random pairs, drawn from the model. */
export function simulateVotes({ random, strengths, votes, tie = 0, covariatesOf }: Simulation): Vote[] {
  const ids = Object.keys(strengths);
  const pairs = ids.flatMap((a, index) => ids.slice(index + 1).map((b) => [a, b] as const));
  return Array.from({ length: votes }, (): Vote => {
    const contenders = pairs[Math.floor(random.uniform() * pairs.length)] as readonly [string, string];
    const [a, b] = contenders;
    const { covariates, shift = 0 } = covariatesOf?.(a, b) ?? {};
    const odds = Math.exp(((strengths[a] as number) - (strengths[b] as number) + shift) / 2);
    const drawn = random.uniform() * (odds + 1 / odds + tie);
    const ranking = drawn < odds ? [[a]] : drawn < odds + 1 / odds ? [[b]] : [contenders];
    return { contenders, ranking, ...(covariates && { covariates }) };
  });
}
