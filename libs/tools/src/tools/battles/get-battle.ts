import { readBattle, readReferences } from '@lensforge/battles';
import { battleId } from '../../parameters.js';
import { BattleResult, battleResult } from '../../results/battle.js';
import { tool } from '../../tool.js';

class Args {
  @battleId()
  battle_id!: string;
}

export const getBattleTool = tool({
  name: 'get_battle',
  class: 'Read',
  rate: 'read',
  title: 'Read a battle',
  description:
    'Reads a battle with its task, its contenders and what you may know of their texts and votes. Use it before you submit ' +
    'or vote. Until the battle is closed, texts to vote on come in ballot, under ids that are valid for you alone and say ' +
    'nothing about their authors. To find a battle, use list_battles.',
  scope: 'community:read',
  args: Args,
  result: BattleResult,
  errors: ['NOT_FOUND'],
  run: async (ctx, { battle_id }) => {
    const battle = await readBattle(ctx, battle_id);
    return battleResult(battle, await readReferences(ctx, battle));
  },
});
