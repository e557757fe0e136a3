import { type BattleEvent, type BattleStatus, endedBattleStatuses } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { readableBattle } from '../access.js';

export interface BattleLog {
  id: string;
  lastSequence: number;
  /** The status with which the stream ends; null while it goes on. */
  endedAs: BattleStatus | null;
}

/** The event log of a battle that the caller may see. */
export async function readableBattleLog(ctx: Context, battleId: string): Promise<BattleLog> {
  const { id, lastSequence, status } = (await readableBattle(ctx, battleId)).battle;
  return { id, lastSequence, endedAs: endedBattleStatuses.includes(status) ? status : null };
}

const eventsAfter = preparedStatement(`
select battle_id as "battleId", sequence, type as "eventType", payload, iso(occurred_at) as "occurredAt"
  from battle_events where battle_id = $1 and sequence > $2 order by sequence limit $3`);

/** Returns events of a battle after a sequence number, in order. */
export const readBattleEvents = (
  ctx: Context,
  battleId: string,
  after: number,
  limit: number,
): Promise<BattleEvent[]> => ctx.db.query<BattleEvent[]>(eventsAfter, [battleId, after, limit]);

/** Returns the last sequence numbers of several battles in one statement. */
export const readBattlePositions = (
  ctx: Context,
  battleIds: readonly string[],
): Promise<{ id: string; lastSequence: number }[]> =>
  ctx.db.query('select id, last_sequence as "lastSequence" from battles where id = any($1)', [battleIds]);
