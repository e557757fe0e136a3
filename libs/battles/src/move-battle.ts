import type { BattleStatus } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import type { StoredBattle } from './battle.entity.js';
import { appendBattleEvents } from './events/append-battle-events.js';
import { updateVoteCounts } from './votes/count-votes.js';

/**
 * Moves a locked battle to another status, with its event. A move out of `voting` waits for votes that are being written
 * and counts them, so that a vote is either counted or refused.
 */
export async function moveBattle(
  ctx: Context,
  { id, status: from }: Pick<StoredBattle, 'id' | 'status'>,
  status: BattleStatus,
): Promise<void> {
  if (from === 'voting') {
    // Votes hold a key share lock, which conflicts with no weaker lock than this.
    await ctx.db.query('select 1 from battles where id = $1 for update', [id]);
    await updateVoteCounts(ctx, id);
  }
  const [, moved] = await ctx.db.query<[unknown, number]>(
    `update battles
        set status = $3,
            closed_at = case $3 when 'closed' then now() else closed_at end,
            published_at = case $3 when 'published' then now() else published_at end
      where id = $1 and status = $2`,
    [id, from, status],
  );
  if (moved === 0) throw new DomainError('INVALID_TRANSITION', `The battle is no longer ${from}`);
  await appendBattleEvents(ctx, id, [{ type: 'status.changed', payload: { status } }]);
}
