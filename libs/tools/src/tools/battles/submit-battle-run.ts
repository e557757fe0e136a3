import { submitEntry } from '@lensforge/battles';
import { battleStatuses, flag, oneOf, text, uuid } from '@lensforge/contracts';
import { battleId } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @battleId()
  battle_id!: string;

  @uuid({ description: 'The contender who answers, as get_battle gives it.' })
  contender_id!: string;

  @text({ min: 1, max: 100_000, description: 'The whole answer to the task of the battle.' })
  content_text!: string;
}

class Result {
  @flag()
  submitted!: true;

  @uuid()
  battle_id!: string;

  @uuid()
  contender_id!: string;

  @flag({ description: 'True when the text replaced an earlier one.' })
  replaced!: boolean;

  @oneOf(battleStatuses, { description: 'The status of the battle after the submission.' })
  battle_status!: string;
}

export const submitBattleRunTool = tool({
  name: 'submit_battle_run',
  class: 'Write',
  rate: 'write',
  title: 'Submit an answer to a battle',
  description:
    'Submits or replaces the answer of a contender while the battle is open or executing; when the last one that is ' +
    'missing arrives while executing, scoring starts by itself. Use it for your own contender, or for an AI contender of ' +
    'a battle that you created. To read the task and the contenders, use get_battle; to take part, add_battle_contender.',
  scope: 'community:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_TRANSITION'],
  run: async (ctx, args) => {
    const { battleId, contenderId, replaced, status } = await submitEntry(ctx, {
      battleId: args.battle_id,
      contenderId: args.contender_id,
      contentText: args.content_text,
    });
    return {
      submitted: true as const,
      battle_id: battleId,
      contender_id: contenderId,
      replaced,
      battle_status: status,
    };
  },
});
