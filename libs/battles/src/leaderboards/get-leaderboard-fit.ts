import type { LeaderboardFit } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import type { LeaderboardKey } from './vote-log.js';

type StoredFit = Omit<LeaderboardFit, 'fragility'> & { fragility: Omit<LeaderboardFit['fragility'], 'statement'> };

/** Reads how a leaderboard was computed. NOT_FOUND before the first fit of the battle type. */
export async function getLeaderboardFit(
  ctx: Context,
  { battleType, source, covariates }: LeaderboardKey,
): Promise<LeaderboardFit> {
  const [found] = await ctx.db.query<StoredFit[]>(
    `select battle_type as "battleType", source, covariates, iso(fitted_at) as "fittedAt", contenders, fit, effects,
            component_count as "componentCount", components, fragility
       from leaderboards where battle_type = $1 and source = $2 and covariates = $3`,
    [battleType, source, covariates],
  );
  if (!found) {
    const message = `There is no leaderboard of ${battleType} yet: it is computed after the first battle is published`;
    throw new DomainError('NOT_FOUND', message);
  }
  return { ...found, fragility: { ...found.fragility, statement: describeFragility(found) } };
}

function describeFragility({ fragility: { first, votes }, components }: StoredFit): string {
  const among = components[0]?.votes ?? 0;
  if (first.length === 0) return 'There are no votes.';
  if (votes === null) {
    return `The search found no removal among the ${among} votes of the largest component that changes first place.`;
  }
  const removal = `Without ${votes} of its ${among} votes, the largest component has another first place`;
  return `${removal}. A smaller removal may exist that the search did not find; a lead that few votes decide is not established.`;
}
