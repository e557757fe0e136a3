import type { RatedKind } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import type { Leaderboard } from '../ratings/leaderboard.js';
import type { LeaderboardKey } from './vote-log.js';

/** The name of a rated contender, from the newest battle. */
export interface RatedName {
  kind: RatedKind;
  displayName: string;
  publishedAt: string;
}

type Timings = Partial<Record<'reading' | 'bootstraps' | 'fragility', number>>;

export interface ComputedLeaderboard {
  key: LeaderboardKey;
  leaderboard: Leaderboard;
  names: ReadonlyMap<string, RatedName>;
  /** Milliseconds of processor time by step. */
  timings: Timings;
}

/** Rows in one statement. */
const part = 5000;
/** Components, and kinds of removed votes, that are stored with the fit. */
const mostListed = 100;

const columns = `
  position integer, contender uuid, kind text, display_name text, component integer, rank integer, best_rank integer,
  worst_rank integer, strength double precision, low double precision, high double precision, votes bigint, wins bigint,
  ties bigint, losses bigint`;

/** Replaces a stored leaderboard; call it in a transaction. */
export async function storeLeaderboard(ctx: Context, computed: ComputedLeaderboard): Promise<void> {
  const { leaderboard, timings } = computed;
  const { battleType, source, covariates } = computed.key;
  const key = [battleType, source, covariates];
  const { components, effects, fit, fragility, ratings } = leaderboard;
  await ctx.db.query('delete from leaderboard_entries where battle_type = $1 and source = $2 and covariates = $3', key);
  const rows = toRatingRows(computed);
  for (let from = 0; from < rows.length; from += part) {
    await ctx.db.query(
      `insert into leaderboard_entries (battle_type, source, covariates, position, contender, kind, display_name, component,
                                        rank, best_rank, worst_rank, strength, low, high, votes, wins, ties, losses)
       select $1, $2, $3, e.* from jsonb_to_recordset($4) as e (${columns})`,
      [...key, toJsonb(rows.slice(from, from + part))],
    );
  }
  await ctx.db.query(
    `insert into leaderboards (battle_type, source, covariates, fitted_at, contenders, fit, effects, component_count,
                               components, fragility, timings)
     values ($1, $2, $3, clock_timestamp(), $4, $5, $6, $7, $8, $9, $10)
     on conflict (battle_type, source, covariates) do update
       set fitted_at = excluded.fitted_at, contenders = excluded.contenders, fit = excluded.fit, effects = excluded.effects,
           component_count = excluded.component_count, components = excluded.components, fragility = excluded.fragility,
           timings = excluded.timings`,
    [
      ...key,
      ratings.length,
      toJsonb(fit),
      toJsonb(effects),
      components.length,
      toJsonb(components.slice(0, mostListed)),
      toJsonb({ ...fragility, removed: fragility.removed.slice(0, mostListed) }),
      toJsonb(timings),
    ],
  );
}

function toRatingRows({ leaderboard: { ratings }, names }: ComputedLeaderboard): object[] {
  return ratings.map((rating, index) => {
    const { contender, component, rank, ranks, strength, interval, votes, wins, ties, losses } = rating;
    const { kind, displayName } = names.get(contender) ?? { kind: 'lenser', displayName: '' };
    return {
      position: index + 1,
      contender,
      kind,
      display_name: displayName,
      component,
      rank,
      best_rank: ranks.best,
      worst_rank: ranks.worst,
      strength,
      ...interval,
      votes,
      wins,
      ties,
      losses,
    };
  });
}
