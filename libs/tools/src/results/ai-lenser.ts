import {
  type AiLenser,
  AiLenserActions,
  type AiLenserItem,
  type AiLenserStatus,
  type AiLenserUsers,
  aiLenserStatuses,
  aiLenserUsers,
  dateTime,
  integer,
  list,
  nested,
  nestedKind,
  oneOf,
  text,
  uuid,
} from '@lensforge/contracts';
import type { CountedPage } from '@lensforge/core';
import { PageResult, pageResult } from './page.js';
import { toResult } from './to-result.js';

/** AI lensers as tool results. */

export class AiLenserItemResult {
  @uuid()
  id!: string;

  @oneOf(['ai'])
  kind!: 'ai';

  @text()
  handle!: string;

  @text()
  display_name!: string;

  @text()
  bio!: string;

  @text({ nullable: true, description: 'The model that answers; null for the default model.' })
  ai_model_key!: string | null;

  @uuid({ description: 'The owner.' })
  owner_lenser_id!: string;

  @text({ description: 'The handle of the owner.' })
  owner_handle!: string;

  @oneOf(aiLenserStatuses)
  status!: AiLenserStatus;

  @oneOf(aiLenserUsers, { description: 'The accounts besides its owner that may enter it in battles and mention it.' })
  usable_by!: AiLenserUsers;

  @dateTime()
  created_at!: string;

  @dateTime()
  updated_at!: string;
}

export class AiLenserPageResult extends PageResult {
  @list(nestedKind(() => AiLenserItemResult))
  items!: AiLenserItemResult[];

  @integer({ min: 0, description: 'Counted up to 10,000.' })
  total!: number;
}

export class PolicyResult {
  @nested(() => AiLenserActions, { description: 'allow, ask or deny for each action; absent ones are denied.' })
  actions: AiLenserActions = {};

  @integer({ min: 0, nullable: true, description: 'Credits of the owner for each UTC day; null for no cap.' })
  credits_per_day: number | null = null;

  @integer({ min: 0, nullable: true, description: 'Runs for each UTC day; null for no cap.' })
  runs_per_day: number | null = null;
}

export class AiLenserResult extends AiLenserItemResult {
  @text({ optional: true, description: 'The system prompt of its answers; only for its owner.' })
  instructions?: string;

  @nested(() => PolicyResult, { optional: true, description: 'Only for its owner.' })
  policy?: PolicyResult;
}

export const aiLenserItem = (lenser: AiLenserItem): AiLenserItemResult =>
  toResult(AiLenserItemResult, lenser, { owner_lenser_id: lenser.owner.id, owner_handle: lenser.owner.handle });

export const aiLenserPage = (page: CountedPage<AiLenserItem>): AiLenserPageResult => pageResult(page, aiLenserItem);

export const aiLenserResult = ({ instructions, policy, ...lenser }: AiLenser): AiLenserResult => ({
  ...aiLenserItem(lenser),
  ...(instructions !== undefined && { instructions }),
  ...(policy && { policy: toResult(PolicyResult, policy) }),
});
