import type { Contender } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { isAuthor, isInvolved, lockedBattle } from './access.js';
import { requireStatus } from './battle-states.js';
import { contenderView } from './battle-view.js';
import { appendBattleEvents } from './events/append-battle-events.js';
import { listSubmissions } from './submissions.js';
import { StoredContender } from './contender.entity.js';

/** Withdraws a contender with its submission, in draft and open; its owner and the creator can. Its slot is free again. */
export function withdrawContender(
  ctx: Context,
  { battleId, contenderId }: { battleId: string; contenderId: string },
): Promise<Contender> {
  return inTransaction(ctx, async (ctx) => {
    const { battle, contenders, viewer } = await lockedBattle(ctx, battleId);
    const contender = contenders.find(({ id }) => id === contenderId.toLowerCase());
    // To callers who must not know who takes part, all ids are unknown.
    if (!contender || !isInvolved(viewer)) throw notFound('contender', contenderId);
    if (!viewer.isCreator && !isAuthor(contender, viewer.accountId)) {
      throw new DomainError('FORBIDDEN', 'Only its owner and the creator of the battle can withdraw this contender');
    }
    requireStatus(battle, ['draft', 'open'], 'left');
    const submitted = (await listSubmissions(ctx, battleId, [])).some((each) => each.contenderId === contender.id);
    await ctx.db.delete(StoredContender, { id: contender.id });
    const payload = { contenders: contenders.length - 1 };
    await appendBattleEvents(ctx, battle.id, [{ type: 'contender.withdrawn', payload }]);
    return contenderView({ battle, viewer }, contender, submitted);
  });
}
