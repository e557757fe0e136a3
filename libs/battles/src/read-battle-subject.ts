import type { Context } from '@lensforge/core';
import { readableBattle } from './access.js';
import { isBlind } from './battle-states.js';

/** The parts of a battle that a conversation about it depends on. */
export interface BattleSubject {
  creatorId: string;
  /** True while nothing may say which contender wrote a text. */
  isBlind: boolean;
  /** True for contenders and owners of AI contenders. */
  takesPart: boolean;
}

/** A battle that the caller may see, as the subject of a conversation. */
export async function readBattleSubject(ctx: Context, battleId: string): Promise<BattleSubject> {
  const { battle, viewer } = await readableBattle(ctx, battleId);
  return { creatorId: battle.creatorAccountId, isBlind: isBlind(battle), takesPart: viewer.takesPart };
}
