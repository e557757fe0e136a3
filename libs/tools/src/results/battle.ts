import type { References } from '@lensforge/battles';
import {
  type Battle,
  type BattleSummary,
  type VoteAggregate,
  battleStatuses,
  battleTypes,
  contenderTypes,
  dateTime,
  decimal,
  flag,
  integer,
  judgingModes,
  list,
  maxSlots,
  nestedKind,
  oneOf,
  record,
  text,
  textKind,
  uuid,
} from '@lensforge/contracts';
import type { Page } from '@lensforge/core';
import { PageResult, pageResult } from './page.js';
import { toResult } from './to-result.js';

/** Battles as tool results. */

export class BattleItemResult {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @oneOf(battleTypes)
  battle_type!: string;

  @oneOf(judgingModes)
  judging_mode!: string;

  @integer({ min: 2, max: maxSlots })
  max_contenders!: number;

  @oneOf(battleStatuses)
  status!: string;

  @integer({ min: 0, max: maxSlots })
  contender_count!: number;

  @uuid()
  creator_lenser_id!: string;

  @dateTime()
  created_at!: string;

  @dateTime({ nullable: true })
  closed_at!: string | null;
}

export class BattlePageResult extends PageResult {
  @list(nestedKind(() => BattleItemResult))
  items!: BattleItemResult[];

  @integer({ min: 0, description: 'Counted up to 10,000.' })
  total!: number;
}

/** Members that are null are those that the caller must not know yet. */
export class ContenderResult {
  @uuid({ description: 'Until the battle is closed, callers who may vote get an id that is valid for them alone.' })
  contender_id!: string;

  @text({ nullable: true, description: 'A to Z.' })
  slot_label!: string | null;

  @text()
  display_name!: string;

  @oneOf(contenderTypes, { nullable: true })
  contender_type!: string | null;

  @uuid({ nullable: true, description: 'A key of lensers.' })
  contender_ref_id!: string | null;

  @uuid({ nullable: true })
  lens_id!: string | null;

  @uuid({ nullable: true })
  workflow_id!: string | null;

  @flag({ nullable: true })
  submitted!: boolean | null;

  @text({ nullable: true })
  answer_error!: string | null;

  @integer({ min: 1, nullable: true })
  rank!: number | null;
}

export class SubmissionResult {
  @uuid()
  contender_id!: string;

  @text()
  content_text!: string;

  @uuid({ nullable: true })
  run_id!: string | null;

  @dateTime({ nullable: true })
  submitted_at!: string | null;
}

export class BallotEntryResult {
  @uuid({ description: 'The id to vote with.' })
  contender_id!: string;

  @text()
  content_text!: string;
}

export class VoteAggregateResult {
  @uuid()
  contender_id!: string;

  @integer({ min: 0, description: 'Votes that place the contender first alone.' })
  vote_count!: number;

  @decimal({ min: 0, max: 1, description: 'The mean Borda score.' })
  vote_score!: number;
}

export class BattleResult extends BattleItemResult {
  @text()
  task_prompt!: string;

  @text({ nullable: true })
  ai_judge_model_key!: string | null;

  @list(nestedKind(() => ContenderResult))
  contenders!: ContenderResult[];

  @list(nestedKind(() => VoteAggregateResult), { description: 'Empty until the battle is closed.' })
  vote_aggregates!: VoteAggregateResult[];

  @list(nestedKind(() => SubmissionResult), { description: 'The texts that you may attribute to a contender.' })
  submissions!: SubmissionResult[];

  @list(nestedKind(() => BallotEntryResult), {
    nullable: true,
    description: 'While voting, when you may vote: the texts without authors.',
  })
  ballot!: BallotEntryResult[] | null;

  @record({ description: '{handle, display_name, kind, ai_model_key} of the creator and contenders, by lenser id.' })
  lensers!: Record<string, object>;

  @record({ description: '{provider, display_name} of the judge and of AI lensers, by model key.' })
  models!: Record<string, object>;

  @uuid({ nullable: true, description: 'Null until the battle is closed, and when first place is shared.' })
  winner!: string | null;

  @list(textKind())
  warnings!: string[];
}

export const battleItem = (battle: BattleSummary): BattleItemResult =>
  toResult(BattleItemResult, battle, { creator_lenser_id: battle.creatorId });

export const battlePage = (
  { items, limit, offset, nextCursor }: Page<BattleSummary>,
  total: number,
): BattlePageResult => pageResult({ items, limit, offset, total, hasMore: nextCursor !== undefined }, battleItem);

export const voteAggregate = (aggregate: VoteAggregate): VoteAggregateResult =>
  toResult(VoteAggregateResult, aggregate);

export const battleResult = (battle: Battle, { lensers, models }: References): BattleResult =>
  toResult(BattleResult, battle, {
    creator_lenser_id: battle.creatorId,
    contenders: battle.contenders.map((contender) =>
      toResult(ContenderResult, contender, { contender_id: contender.id }),
    ),
    vote_aggregates: battle.voteAggregates.map(voteAggregate),
    submissions: battle.submissions.map((submission) => toResult(SubmissionResult, submission)),
    ballot: battle.ballot?.map((entry) => toResult(BallotEntryResult, entry)) ?? null,
    lensers: Object.fromEntries(
      lensers.map(({ id, kind, handle, displayName, modelKey }) => [
        id,
        { kind, handle, display_name: displayName, ai_model_key: modelKey },
      ]),
    ),
    models: Object.fromEntries(
      models.map(({ key, provider, displayName }) => [key, { provider, display_name: displayName }]),
    ),
  });
