import type { LoggedVote } from '@lensforge/contracts';
import type { BootstrapOptions } from '../ratings/bootstrap-ratings.js';
import { PairCounter } from '../ratings/count-pairs.js';
import { type Leaderboard, rankContenders } from '../ratings/leaderboard.js';
import { listCovariates } from './refit-leaderboards.js';

/** Computes a leaderboard from the lines of a vote log. Covariates are fitted when its first line has them. */
export async function leaderboardOfLog(
  lines: AsyncIterable<string>,
  options: BootstrapOptions = {},
): Promise<Leaderboard> {
  let counter: PairCounter | undefined;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const vote = JSON.parse(line) as LoggedVote;
    counter ??= new PairCounter(listCovariates(vote.covariates ? 'style' : 'none'));
    counter.add(vote);
  }
  return rankContenders((counter ?? new PairCounter()).result(), options);
}
