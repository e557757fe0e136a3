import type { BattleScore, Verdict } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readableBattle } from './access.js';
import { isBlind } from './battle-states.js';
import { voteAggregates } from './battle-view.js';
import { visibleVerdicts } from './judging/visible-verdicts.js';
import { readJudging } from './read-battle.js';

/** Reads votes and verdicts: before the closing only verdicts on texts that the caller may attribute. */
export async function readBattleScore(ctx: Context, battleId: string): Promise<BattleScore> {
  const found = await readableBattle(ctx, battleId);
  const { battle } = found;
  const verdicts = await ctx.db.query<Verdict[]>(
    `select v.contender_id as "contenderId", v.verdict, v.score, v.reasoning, iso(v.created_at) as "createdAt"
       from battle_verdicts v join battle_contenders c on c.id = v.contender_id
      where v.battle_id = $1 order by c.slot_label`,
    [battle.id],
  );
  return {
    battleId: battle.id,
    voteAggregates: voteAggregates(found),
    aiJudgeVerdicts: visibleVerdicts(found, verdicts),
    judging: await readJudging(ctx, found),
    winner: isBlind(battle) ? null : battle.winnerContenderId,
  };
}
