import type { Context } from '@lensforge/core';
import { publishEvent, toJsonb } from '@lensforge/database';
import type { ReadableBattle } from './access.js';
import { cancelBattleRuns, judgingStatus } from './battle-runs.js';
import { moveBattle } from './move-battle.js';
import { computeStandings } from './results/standings.js';
import { listSubmissions } from './submissions.js';
import { discardVotes } from './votes/discard-votes.js';
import { type CountedVotes, countPlaces } from './votes/places.js';
import { StoredBattle } from './battle.entity.js';

/** Closes a locked battle: writes the results of all votes and of a complete judging, and raises `battle.completed`. */
export async function closeBattle(
  ctx: Context,
  { battle, contenders }: Pick<ReadableBattle, 'battle' | 'contenders'>,
): Promise<void> {
  const { id: battleId } = battle;
  const scores = await judgeScores(ctx, battle);
  const submissions = await listSubmissions(ctx, battleId, []);
  const times = new Map(submissions.map(({ contenderId, submittedAt }) => [contenderId, submittedAt]));
  if (battle.battleType === 'human_vs_human_ai_votes') await discardVotes(ctx, battleId);
  const counted = await ctx.db.query<CountedVotes[]>(
    'select ranking as places, count(*)::int as votes from battle_votes where battle_id = $1 group by ranking',
    [battleId],
  );
  const entered = contenders.filter(({ id }) => times.has(id)).map(({ id }) => id);
  const results = [...countPlaces(entered, counted)].map(([id, votes]) => ({
    id,
    ...votes,
    judgeScore: scores.get(id) ?? null,
    submittedAt: times.get(id) ?? '',
  }));
  const { ranked, winner } = computeStandings(results);
  await ctx.db.query(
    `update battle_contenders c
        set rank = r.rank, judge_score = r."judgeScore", vote_count = r."voteCount", vote_score = r."voteScore"
       from jsonb_to_recordset($2::jsonb) as r (id uuid, rank int, "judgeScore" float8, "voteCount" int, "voteScore" float8)
      where c.battle_id = $1 and c.id = r.id`,
    [battleId, toJsonb(ranked.map((result, index) => ({ ...result, rank: index + 1 })))],
  );
  await ctx.db.update(StoredBattle, { id: battleId }, { winnerContenderId: winner });
  await moveBattle(ctx, battle, 'closed');
  await publishEvent(ctx, battle.creatorAccountId, 'battle.completed', {
    battleId,
    winner,
    scores: Object.fromEntries(ranked.map(({ id, judgeScore, voteScore }) => [id, judgeScore ?? voteScore])),
  });
}

/** The scores of a complete judging, by contender. A judging that goes on is canceled, and a partial one does not count. */
async function judgeScores(ctx: Context, battle: ReadableBattle['battle']): Promise<Map<string, number>> {
  await cancelBattleRuns(ctx, [battle.judgingRunId]);
  const judging = await judgingStatus(ctx, battle);
  if (judging?.status !== 'succeeded') {
    await ctx.db.query('delete from battle_verdicts where battle_id = $1', [battle.id]);
    return new Map();
  }
  const verdicts = await ctx.db.query<{ id: string; score: number }[]>(
    'select contender_id as id, score from battle_verdicts where battle_id = $1',
    [battle.id],
  );
  return new Map(verdicts.map(({ id, score }) => [id, score]));
}
