import type { BattleStatus } from '@lensforge/contracts';
import { DomainError, stateMachine } from '@lensforge/core';

/** The moves that a caller can request; `execution` and `judging` make no others. */
export const battleStates = stateMachine<BattleStatus>('draft', {
  draft: ['open', 'archived'],
  open: ['executing', 'archived'],
  executing: ['voting', 'archived'],
  voting: ['scoring', 'archived'],
  scoring: ['closed', 'archived'],
  closed: ['published', 'archived'],
  published: ['archived'],
  archived: [],
});

const before: Readonly<Record<BattleStatus, boolean>> = {
  draft: true,
  open: true,
  executing: true,
  voting: true,
  scoring: true,
  closed: false,
  published: false,
  archived: false,
};

/** True while nothing may say which contender wrote a text. A battle that was archived before it closed stays blind. */
export const isBlind = ({ status, closedAt }: { status: BattleStatus; closedAt: Date | null }): boolean =>
  status === 'archived' ? closedAt === null : before[status];

/** Throws INVALID_TRANSITION unless the battle has one of these statuses. `what` completes "can be … in draft". */
export function requireStatus(
  { status }: { status: BattleStatus },
  permitted: readonly BattleStatus[],
  what: string,
): void {
  if (permitted.includes(status)) return;
  throw new DomainError(
    'INVALID_TRANSITION',
    `The battle is ${status}; it can be ${what} in ${permitted.join(' and ')} only`,
    {
      status,
    },
  );
}
