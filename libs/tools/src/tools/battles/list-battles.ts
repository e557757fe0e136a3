import { type BattleStatus, type BattleType, uuid } from '@lensforge/contracts';
import { countBattles, listBattles } from '@lensforge/battles';
import { battleStatus, battleType, limit, offset } from '../../parameters.js';
import { BattlePageResult, battlePage } from '../../results/battle.js';
import { tool } from '../../tool.js';

class Args {
  @limit()
  limit = 20;

  @offset()
  offset = 0;

  @battleStatus({ optional: true, description: 'Only battles in this status.' })
  status?: BattleStatus;

  @battleType({ optional: true, description: 'Only battles of this type.' })
  battle_type?: BattleType;

  @uuid({ optional: true, description: 'Only battles that this lenser created.' })
  creator_lenser_id?: string;
}

export const listBattlesTool = tool({
  name: 'list_battles',
  class: 'Read',
  rate: 'list',
  title: 'List battles',
  description:
    'Lists the battles you can find, newest first: published ones, and in every status those that you created or take ' +
    'part in. Use it to find a battle; to see its task, contenders and texts, use get_battle. For the battles that a ' +
    'lenser has behind it, use get_battle_history.',
  scope: 'community:read',
  args: Args,
  result: BattlePageResult,
  names: { creatorId: 'creator_lenser_id' },
  run: async (ctx, { limit, offset, status, battle_type: battleType, creator_lenser_id: creatorId }) => {
    const filter = { status, battleType, creatorId };
    return battlePage(await listBattles(ctx, { ...filter, limit, offset }), await countBattles(ctx, filter));
  },
});
