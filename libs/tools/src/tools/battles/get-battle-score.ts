import { readBattleScore } from '@lensforge/battles';
import { dateTime, decimal, integer, list, nested, nestedKind, text, uuid } from '@lensforge/contracts';
import { battleId } from '../../parameters.js';
import { VoteAggregateResult, voteAggregate } from '../../results/battle.js';
import { toResult } from '../../results/to-result.js';
import { tool } from '../../tool.js';

class Args {
  @battleId()
  battle_id!: string;
}

class VerdictResult {
  @uuid()
  contender_id!: string;

  @text()
  verdict!: string;

  @decimal({ min: 0, max: 1 })
  score!: number;

  @text()
  reasoning!: string;

  @dateTime()
  created_at!: string;
}

class JudgingResult {
  @text({ nullable: true, description: 'The status of the run that judges, such as running or succeeded.' })
  status!: string | null;

  @integer({ min: 0 })
  judged!: number;

  @integer({ min: 0 })
  total!: number;
}

class Result {
  @uuid()
  battle_id!: string;

  @list(nestedKind(() => VoteAggregateResult), { description: 'Empty until the battle is closed.' })
  vote_aggregates!: VoteAggregateResult[];

  @list(nestedKind(() => VerdictResult), { description: 'Until then only those of texts whose author you may know.' })
  ai_judge_verdicts!: VerdictResult[];

  @nested(() => JudgingResult, { nullable: true, description: 'The progress of the judging; null before it starts.' })
  judging!: JudgingResult | null;

  @uuid({
    nullable: true,
    description: 'The contender; null until the battle is closed, and when first place is shared.',
  })
  winner!: string | null;
}

export const getBattleScoreTool = tool({
  name: 'get_battle_score',
  class: 'Read',
  rate: 'read',
  title: 'Read the scores of a battle',
  description:
    'Reads the votes by contender, the verdicts of the judge with their reasons, and the winner of a battle. Use it after ' +
    'the battle is closed: before that, votes are withheld from all, and verdicts on the texts of others. Before you close a ' +
    'battle, wait until the status of its judging is succeeded. For the task, the contenders and the texts, use get_battle.',
  scope: 'community:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, { battle_id }) => {
    const score = await readBattleScore(ctx, battle_id);
    return toResult(Result, score, {
      vote_aggregates: score.voteAggregates.map(voteAggregate),
      ai_judge_verdicts: score.aiJudgeVerdicts.map((verdict) => toResult(VerdictResult, verdict)),
    });
  },
});
