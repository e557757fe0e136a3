import type { shapes } from '@lensforge/sdk';

export type BattleType = shapes.Battle['battleType'];

export const battleTypes: readonly BattleType[] = [
  'ai_vs_ai',
  'human_vs_ai',
  'lenser_battle',
  'workflow_battle',
  'human_vs_human_open_votes',
  'human_vs_human_ai_votes',
];

/** The others need a rubric or checks, which are written by REST. */
export const judgingModes: readonly shapes.Battle['judgingMode'][] = ['community_vote', 'ai_judge'];

/** The statuses to which the creator of a battle can move it. */
export const nextStatuses: Readonly<Record<shapes.Battle['status'], readonly shapes.BattleStatusRequest['status'][]>> =
  {
    draft: ['open', 'archived'],
    open: ['executing', 'archived'],
    executing: ['voting', 'scoring', 'archived'],
    voting: ['scoring', 'archived'],
    scoring: ['closed', 'archived'],
    closed: ['published', 'archived'],
    published: ['archived'],
    archived: [],
  };
