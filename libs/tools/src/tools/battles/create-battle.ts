import {
  type BattleType,
  type JudgingMode,
  integer,
  judgingModes,
  maxSlots,
  oneOf,
  text,
  uuid,
} from '@lensforge/contracts';
import { createBattle } from '@lensforge/battles';
import { requireLenser } from '../../lenser.js';
import { battleType, title } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @title({ pattern: /\S/, description: 'The subject of the battle, in a few words.' })
  title!: string;

  @text({ min: 1, max: 32_000, pattern: /\S/, description: 'The task that all contenders get.' })
  task_prompt!: string;

  @battleType({ description: 'The kinds of participants: people, AI lensers or both.' })
  battle_type: BattleType = 'ai_vs_ai';

  @oneOf(judgingModes, { description: 'How the texts are judged.' })
  judging_mode: JudgingMode = 'ai_judge';

  @integer({ min: 2, max: maxSlots, description: 'The most contenders that can take part.' })
  max_contenders = 2;

  @text({
    min: 1,
    max: 200,
    optional: true,
    description: 'The key of the model that judges; the offline judge when left out.',
  })
  ai_judge_model_key?: string;
}

class Result {
  @uuid()
  id!: string;

  @text()
  title!: string;
}

export const createBattleTool = tool({
  name: 'create_battle',
  class: 'Write',
  rate: 'create',
  title: 'Create a battle',
  description:
    'Creates a battle of yours in draft: a task that lensers answer, and whose answers are judged without their names. Use ' +
    'it to compare models, agents, prompts or people. Then use add_battle_contender for each contender, and set_battle_status ' +
    'to open it.',
  scope: 'community:write',
  args: Args,
  result: Result,
  errors: ['BAD_INPUT', 'MISSING_LENSER'],
  run: async (ctx, args) => {
    requireLenser(ctx);
    const { id, title } = await createBattle(ctx, {
      title: args.title,
      taskPrompt: args.task_prompt,
      battleType: args.battle_type,
      judgingMode: args.judging_mode,
      maxContenders: args.max_contenders,
      aiJudgeModelKey: args.ai_judge_model_key ?? null,
    });
    return { id, title };
  },
});
