import { type NewBattleEvent, battleChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement, recordRunChanges, toJsonb } from '@lensforge/database';

const statement = preparedStatement(`
with moved as (
  update battles set last_sequence = last_sequence + jsonb_array_length($2::jsonb) where id = $1 returning last_sequence
), appended as (
  insert into battle_events (battle_id, sequence, type, payload, occurred_at)
  select $1, m.last_sequence - jsonb_array_length($2::jsonb) + e.n, e.event ->> 'type', e.event -> 'payload',
         clock_timestamp()
    from moved m, jsonb_array_elements($2::jsonb) with ordinality as e (event, n)
)
select last_sequence as "lastSequence" from moved`);

/**
 * Appends events in the transaction of the change that they describe. The battle must be locked there, so that the order of
 * sequence numbers is that of commits.
 */
export async function appendBattleEvents(
  ctx: Context,
  battleId: string,
  events: readonly NewBattleEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const [{ lastSequence }] = await ctx.db.query<[{ lastSequence: number }]>(statement, [battleId, toJsonb(events)]);
  recordRunChanges(ctx, { positions: [{ channel: battleChannel(battleId), lastSequence }] });
}
