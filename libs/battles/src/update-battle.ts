import type { Battle, BattlePatch } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableBattle } from './access.js';
import { requireStatus } from './battle-states.js';
import { checkSettings } from './check-settings.js';
import { refuseOwnFamily } from './judge-family.js';
import { readBattle } from './read-battle.js';
import { updateRow } from './write-battle.js';

export interface BattleChange extends BattlePatch {
  battleId: string;
}

/** Changes a battle of the caller in draft. */
export async function updateBattle(ctx: Context, { battleId, ...patch }: BattleChange): Promise<Battle> {
  const { rubric = null, checks = null, aiJudgeModelKey = null } = patch;
  await checkSettings(ctx, { rubric, checks, aiJudgeModelKey });
  return inTransaction(ctx, async (ctx) => {
    const { battle, contenders } = await writableBattle(ctx, battleId);
    requireStatus(battle, ['draft'], 'changed');
    const given = Object.fromEntries(Object.entries<unknown>(patch).filter(([, value]) => value !== undefined));
    const changed = { ...battle, ...given };
    if (changed.maxContenders < contenders.length) {
      throw badInput('maxContenders', `must be at least ${contenders.length}, the number of contenders so far`);
    }
    await refuseOwnFamily(ctx, changed, { contenders, path: 'aiJudgeModelKey' });
    await updateRow(ctx, changed);
    return readBattle(ctx, battleId);
  });
}
