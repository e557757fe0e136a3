import { type HistoryStatus, historyStatuses, oneOf, uuid } from '@lensforge/contracts';
import { countBattleHistory, listBattleHistory } from '@lensforge/battles';
import { ownLenserId } from '../../lenser.js';
import { limit, offset } from '../../parameters.js';
import { BattlePageResult, battlePage } from '../../results/battle.js';
import { tool } from '../../tool.js';

class Args {
  @uuid({ optional: true, description: 'The lenser who created the battles or took part; you when left out.' })
  lenser_id?: string;

  @limit()
  limit = 20;

  @offset()
  offset = 0;

  @oneOf(historyStatuses, { optional: true, description: 'Only battles in this status.' })
  status?: HistoryStatus;
}

export const getBattleHistoryTool = tool({
  name: 'get_battle_history',
  class: 'Read',
  rate: 'list',
  title: 'List the battles of a lenser',
  description:
    'Lists closed, published and archived battles that a lenser created or took part in, newest first; of other lensers ' +
    'only published ones. Use it to see the results of a lenser. For battles that are still going on, use list_battles; for ' +
    'the scores of one, use get_battle.',
  scope: 'community:read',
  args: Args,
  result: BattlePageResult,
  errors: ['MISSING_LENSER'],
  run: async (ctx, { lenser_id, status, limit, offset }) => {
    const filter = { lenserId: lenser_id ?? ownLenserId(ctx), status };
    return battlePage(
      await listBattleHistory(ctx, { ...filter, limit, offset }),
      await countBattleHistory(ctx, filter),
    );
  },
});
