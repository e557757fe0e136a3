import { type ContenderType, contenderTypes, oneOf, text, uuid } from '@lensforge/contracts';
import { addContender } from '@lensforge/battles';
import { battleId, displayName } from '../../parameters.js';
import { tool } from '../../tool.js';

class Args {
  @battleId()
  battle_id!: string;

  @displayName({ description: 'The name of the contender in this battle.' })
  display_name!: string;

  @oneOf(contenderTypes, { description: 'ai_model answers with its model alone, ai_agent with its instructions too.' })
  contender_type!: ContenderType;

  @uuid({ description: 'The profile id of a human; the id of the AI lenser otherwise.' })
  contender_ref_id!: string;

  @oneOf([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'], { optional: true, description: 'The first free one when left out.' })
  slot?: string;
}

class Result {
  @uuid()
  contender_id!: string;

  @text({ min: 1, max: 1 })
  slot_label!: string;

  @uuid()
  battle_id!: string;
}

export const addBattleContenderTool = tool({
  name: 'add_battle_contender',
  class: 'Write',
  rate: 'create',
  title: 'Add a contender',
  description:
    'Adds a contender to a battle in draft or open. Use it for any lenser in a battle of yours, and for yourself or your own ' +
    'AI lensers in an open battle of another lenser. Its type must fit the type of the battle, which get_battle tells. For the ' +
    'text of a contender, use submit_battle_run.',
  scope: 'community:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'SLOTS_FULL', 'CONFLICT', 'INVALID_TRANSITION', 'BAD_INPUT'],
  run: async (ctx, { battle_id, slot, ...args }) => {
    const { id, slotLabel } = await addContender(ctx, {
      battleId: battle_id,
      displayName: args.display_name,
      contenderType: args.contender_type,
      contenderRefId: args.contender_ref_id,
      ...(slot !== undefined && { slot }),
    });
    return { contender_id: id, slot_label: slotLabel ?? '', battle_id };
  },
});
