import { integer, oneOf } from '../schema/field.js';
import { type BattleStatus, battleStatuses, maxSlots } from '../resources/battles.js';
import type { Shape } from '../schema/rules.js';

/** Payloads are read by voters, too, so that none of them has anything that belongs to one contender. */
export class ContendersChanged {
  @integer({ min: 0, max: maxSlots, description: 'The number of contenders afterwards.' })
  contenders!: number;
}

export class SubmissionReceived {
  @integer({ min: 1, max: maxSlots, description: 'The number of contenders who have submitted.' })
  received!: number;

  @integer({ min: 1, max: maxSlots, description: 'The number of contenders.' })
  of!: number;
}

export class VotesCounted {
  @integer({ min: 0, description: 'The number of accounts that have voted.' })
  votes!: number;
}

export class BattleJudgingProgress {
  @integer({ min: 0 })
  judged!: number;

  @integer({ min: 0, description: 'The number of judgements that the judging consists of.' })
  total!: number;
}

export class BattleStatusChanged {
  @oneOf(battleStatuses)
  status!: BattleStatus;
}

/** The events of a battle, with the classes of their payloads. */
export const battleEvents = {
  'contender.added': ContendersChanged,
  'contender.withdrawn': ContendersChanged,
  'submission.received': SubmissionReceived,
  'votes.counted': VotesCounted,
  'judging.progress': BattleJudgingProgress,
  'status.changed': BattleStatusChanged,
} as const satisfies Record<string, Shape>;

export type BattleEventType = keyof typeof battleEvents;

/** An event before it has its sequence number. */
export type NewBattleEvent = {
  [T in BattleEventType]: { type: T; payload: InstanceType<(typeof battleEvents)[T]> };
}[BattleEventType];

/** The last frame of a stream. */
export interface BattleDone {
  eventType: 'done';
  payload: { status: BattleStatus };
  occurredAt: string;
}

/** Statuses in which a stream ends; only publishing and archiving follow. */
export const endedBattleStatuses: readonly BattleStatus[] = ['closed', 'published', 'archived'];

/** The pub/sub channel of a battle: the number of its last event, published after its commit. */
export const battleChannel = (battleId: string): string => `battle:${battleId}`;
