import type { BattleStatus } from '@lensforge/contracts';
import { stateMachine } from '@lensforge/core';

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
