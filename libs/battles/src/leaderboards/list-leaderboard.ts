import type { LeaderboardEntry } from '@lensforge/contracts';
import { type Context, type CountedPage, type PagePosition, countedPage } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { toElo } from '../ratings/fit-ratings.js';
import type { LeaderboardKey } from './vote-log.js';

const entriesAt = preparedStatement(`
select l.contenders as total, e.contender, e.kind, e.display_name as "displayName", e.component, e.rank, e.best_rank as best,
       e.worst_rank as worst, e.strength, e.low, e.high, e.votes::float8 as votes, e.wins::float8 as wins,
       e.ties::float8 as ties, e.losses::float8 as losses
  from leaderboards l
  left join leaderboard_entries e on e.battle_type = l.battle_type and e.source = l.source and e.covariates = l.covariates
                                 and e.position > $4::bigint and e.position <= $4::bigint + $5::bigint
 where l.battle_type = $1 and l.source = $2 and l.covariates = $3
 order by e.position`);

type EntryRow = Omit<LeaderboardEntry, 'ranks' | 'interval' | 'elo' | 'eloInterval'> & {
  best: number;
  worst: number;
  low: number;
  high: number;
};

/** A page of a leaderboard. It is empty until the first battle of the type is published and its votes are fitted. */
export async function listLeaderboard(
  ctx: Context,
  { battleType, source, covariates, limit, offset = 0 }: LeaderboardKey & PagePosition,
): Promise<CountedPage<LeaderboardEntry>> {
  const rows = await ctx.db.query<(EntryRow & { total: number })[]>(entriesAt, [
    battleType,
    source,
    covariates,
    offset,
    limit,
  ]);
  // A page behind the last entry has one row without an entry.
  const items = rows.filter(({ contender }) => (contender as string | null) !== null).map(toEntry);
  return countedPage(items, { limit, offset, total: rows[0]?.total ?? 0 });
}

function toEntry({ total: _, best, worst, low, high, ...row }: EntryRow & { total: number }): LeaderboardEntry {
  return {
    ...row,
    ranks: { best, worst },
    interval: { low, high },
    elo: toElo(row.strength),
    eloInterval: { low: toElo(low), high: toElo(high) },
  };
}
