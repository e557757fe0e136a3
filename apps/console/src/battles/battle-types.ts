import type { shapes } from '@lensforge/sdk';

export type BattleType = shapes.Battle['battleType'];
export type JudgingMode = shapes.Battle['judgingMode'];
export type BattleStatus = shapes.Battle['status'];

export const battleTypes: readonly BattleType[] = [
  'ai_vs_ai',
  'human_vs_ai',
  'lenser_battle',
  'workflow_battle',
  'human_vs_human_ai_votes',
  'human_vs_human_open_votes',
];

export const judgingModes: readonly JudgingMode[] = ['community_vote', 'ai_judge', 'rubric_score', 'auto_score'];

export const battleStatuses: readonly BattleStatus[] = [
  'draft',
  'open',
  'executing',
  'voting',
  'scoring',
  'closed',
  'published',
  'archived',
];

/** The statuses to which the creator of a battle can move it. */
export const nextStatuses: Readonly<Record<BattleStatus, readonly shapes.BattleStatusRequest['status'][]>> = {
  draft: ['open', 'archived'],
  open: ['executing', 'archived'],
  executing: ['voting', 'scoring', 'archived'],
  voting: ['scoring', 'archived'],
  scoring: ['closed', 'archived'],
  closed: ['published', 'archived'],
  published: ['archived'],
  archived: [],
};

export const isEnded = (status: BattleStatus): boolean => ['closed', 'published', 'archived'].includes(status);

/** A name of the API in words: `ai_vs_ai` as `ai vs ai`. */
export const inWords = (name: string): string => name.replaceAll('_', ' ');
