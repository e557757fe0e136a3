import type { NewBattleEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, preparedStatement } from '@lensforge/database';
import { lockBattle } from '../access.js';
import { appendBattleEvents } from '../events/append-battle-events.js';

const progress = preparedStatement(`
select b.judging_total as total, (select count(*)::int from battle_judgements where battle_id = b.id) as judged,
       coalesce((select (payload ->> 'judged')::int from battle_events
                  where battle_id = b.id and type = 'judging.progress' order by sequence desc limit 1), 0) as known
  from battles b where b.id = $1`);

/** Appends the progress of the judging to the events of its battle, if the last one tells less. */
export function reportJudging(ctx: Context, battleId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockBattle(ctx, battleId);
    const [{ judged, total, known }] = await ctx.db.query<[{ judged: number; total: number; known: number }]>(
      progress,
      [battleId],
    );
    const event: NewBattleEvent = { type: 'judging.progress', payload: { judged, total } };
    if (judged > known) await appendBattleEvents(ctx, battleId, [event]);
  });
}
