import type { BattleType, LeaderboardCovariates, LeaderboardSource, LoggedVote } from '@lensforge/contracts';
import { type Context, noAccountId } from '@lensforge/core';
import { type PublishedBattle, type RatedContender, publishedBattles } from './published-battles.js';

/** Names one of the leaderboards. */
export interface LeaderboardKey {
  battleType: BattleType;
  source: LeaderboardSource;
  covariates: LeaderboardCovariates;
}

/** The votes of published battles as lines of JSON, in parts. Reads on demand, and holds no connection between parts. */
export async function* voteLog(ctx: Context, key: LeaderboardKey): AsyncGenerator<string> {
  for await (const battles of publishedBattles(ctx, key.battleType)) {
    for await (const votes of readVotes(ctx, battles, key)) {
      if (votes.length > 0) yield votes.map((vote) => `${JSON.stringify(vote)}\n`).join('');
    }
  }
}

/**
 * The votes and verdicts of battles, in parts. The order is that of random keys. With `style`, battles without covariates are
 * left out.
 */
export async function* readVotes(
  ctx: Context,
  battles: readonly PublishedBattle[],
  { source, covariates }: Omit<LeaderboardKey, 'battleType'>,
): AsyncGenerator<LoggedVote[]> {
  const described = covariates === 'style';
  const subjects = battles
    .filter(({ contenders }) => contenders.length > 1 && (!described || contenders.every(hasStyle)))
    .map((battle) => toSubject(battle, described));
  if (source !== 'judges') yield* castVotes(ctx, subjects);
  if (source !== 'votes') yield subjects.flatMap((subject) => toLoggedVotes(subject));
}

const hasStyle = ({ length, format }: RatedContender): boolean => length !== null && format !== null;

interface Subject {
  battle: PublishedBattle;
  /** Ids of rated contenders, by ids of contenders. */
  rated: ReadonlyMap<string, string>;
  /** The members that all votes of the battle share. */
  members: Pick<LoggedVote, 'battle' | 'contenders' | 'covariates'>;
}

function toSubject(battle: PublishedBattle, described: boolean): Subject {
  const { id, contenders } = battle;
  const styles = contenders.map(({ rated, length, format }) => [rated, { length: length ?? 0, format: format ?? 0 }]);
  return {
    battle,
    rated: new Map(contenders.map((each) => [each.id, each.rated])),
    members: {
      battle: id,
      contenders: contenders.map(({ rated }) => rated),
      ...(described && { covariates: Object.fromEntries(styles) as Record<string, Record<string, number>> }),
    },
  };
}

const part = 2000;

const votesAfter = `
select v.battle_id as battle, v.log_key as key, v.ranking, to_char(v.updated_at at time zone 'UTC', 'YYYY-MM-DD') as day
  from unnest($1::uuid[]) with ordinality as b (id, n)
 cross join lateral (
   select * from battle_votes v where v.battle_id = b.id and v.log_key > case b.n when 1 then $2::uuid else $3 end
    order by v.log_key limit ${part}) v
 order by b.n, v.log_key limit ${part}`;

interface StoredVote {
  battle: string;
  key: string;
  ranking: string[][];
  day: string;
}

async function* castVotes(ctx: Context, subjects: readonly Subject[]): AsyncGenerator<LoggedVote[]> {
  const byBattle = new Map(subjects.map((subject) => [subject.battle.id, subject]));
  let left = [...byBattle.keys()];
  let after = noAccountId;
  while (left.length > 0) {
    const votes = await ctx.db.query<StoredVote[]>(votesAfter, [left, after, noAccountId]);
    yield votes.flatMap(({ battle, ranking, day }) => voteIn(byBattle.get(battle) as Subject, rankedIn(ranking), day));
    const last = votes.at(-1);
    if (!last || votes.length < part) return;
    left = left.slice(left.indexOf(last.battle));
    after = last.key;
  }
}

/**
 * The places that a voter assigned. A vote is stored with the contenders that it leaves out in a last place; only a vote for
 * a tie of all has several contenders in another one.
 */
const rankedIn = (places: string[][]): string[][] =>
  places.length > 1 && (places.at(-1)?.length ?? 0) > 1 ? places.slice(0, -1) : places;

/** The ranking of a battle by judge score, as one vote. */
function toLoggedVotes(subject: Subject): LoggedVote[] {
  const { contenders, day } = subject.battle;
  const places = new Map<number, string[]>();
  for (const { id, score } of contenders) {
    if (score !== null) places.set(score, [...(places.get(score) ?? []), id]);
  }
  const ranking = [...places].sort(([one], [other]) => other - one).map(([, ids]) => ids);
  return ranking.length > 0 ? voteIn(subject, ranking, day) : [];
}

function voteIn({ rated, members }: Subject, places: readonly (readonly string[])[], day: string): LoggedVote[] {
  const ranking = places.map((ids) => ids.flatMap((id) => rated.get(id) ?? []).sort()).filter((ids) => ids.length > 0);
  return ranking.length > 0 ? [{ ...members, ranking, at: `${day}T00:00:00.000Z` }] : [];
}
