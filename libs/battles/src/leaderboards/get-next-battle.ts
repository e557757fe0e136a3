import type { Battle } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { readBattle } from '../read-battle.js';
import { type KnownRating, voteValue } from './vote-value.js';

/** The newest battles that are compared. */
const maxCandidates = 100;

const candidatesOf = `
with open as materialized (
  select b.id, b.battle_type, b.vote_count from battles b
   where b.status = 'voting' and (b.battle_type = 'human_vs_human_ai_votes') = $3
     and (select 1 from battle_votes v where v.battle_id = b.id and v.account_id = $1 limit 1) is null
     and (select 1 from battle_contenders c
           where c.battle_id = b.id and ($1 in (c.lenser_account_id, c.owner_account_id) or c.owner_account_id = $2) limit 1) is null
   order by b.id desc limit ${maxCandidates})
select o.id, o.vote_count as votes, c.ratings
  from open o
 cross join lateral (
   select json_agg(case when e.contender is not null then json_build_object('strength', e.strength, 'low', e.low, 'high', e.high) end) as ratings
     from battle_contenders c
     join battle_submissions s on s.contender_id = c.id
     left join leaderboard_entries e on e.battle_type = o.battle_type and e.source = 'votes' and e.covariates = 'none'
                                    and e.contender = coalesce(c.lens_id, c.workflow_id, c.lenser_account_id)
    where c.battle_id = o.id) c`;

interface Candidate {
  id: string;
  votes: number;
  /** Ratings of the contenders with a submission; null when there is none. */
  ratings: (KnownRating | null)[] | null;
}

/**
 * Reads the battle in which a vote of the caller would add most to the ratings, among the newest that the caller may and did
 * not yet vote in. NOT_FOUND when there is none.
 */
export async function getNextBattle(ctx: Context): Promise<Battle> {
  const [next] = (await candidates(ctx))
    .map(({ id, ratings, votes }) => ({ id, value: voteValue(ratings ?? [], votes) }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value || (one.id < other.id ? 1 : -1));
  if (!next) throw new DomainError('NOT_FOUND', 'There is no battle that you may vote in and have not voted in');
  return readBattle(ctx, next.id);
}

async function candidates(ctx: Context): Promise<Candidate[]> {
  const { accountId } = ctx.actor;
  const [voter] = await ctx.db.query<{ kind: string; ownerId: string | null }[]>(
    `select kind, owner_account_id as "ownerId" from accounts where id = $1 and disabled_at is null`,
    [accountId],
  );
  if (voter?.kind !== 'person' && voter?.kind !== 'agent') return [];
  return ctx.db.query<Candidate[]>(candidatesOf, [accountId, voter.ownerId, voter.kind === 'agent']);
}
