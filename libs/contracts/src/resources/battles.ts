import { dateTime, decimal, flag, integer, json, list, nested, oneOf, text, uuid } from '../schema/field.js';
import { listKind, nestedKind, textKind, uuidKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { EventItem } from './event-item.js';
import { type FundingSource, fundingSources } from './runs.js';

export const battleTypes = [
  'ai_vs_ai',
  'human_vs_human_ai_votes',
  'human_vs_human_open_votes',
  'human_vs_ai',
  'workflow_battle',
  'lenser_battle',
] as const;
export type BattleType = (typeof battleTypes)[number];

export const judgingModes = ['community_vote', 'ai_judge', 'rubric_score', 'auto_score'] as const;
export type JudgingMode = (typeof judgingModes)[number];

export const battleStatuses = [
  'draft',
  'open',
  'executing',
  'voting',
  'scoring',
  'closed',
  'published',
  'archived',
] as const;
export type BattleStatus = (typeof battleStatuses)[number];

/** The statuses that a caller can move a battle to. */
export const targetStatuses = battleStatuses.filter((status) => status !== 'draft');

export const contenderTypes = ['human', 'ai_model', 'ai_agent'] as const;
export type ContenderType = (typeof contenderTypes)[number];

export const maxSlots = 26;

export const checkKinds = [
  'equals',
  'contains',
  'matches',
  'json_schema',
  'max_length',
  'similarity',
  'expression',
] as const;
export type CheckKind = (typeof checkKinds)[number];

export class BattlePath {
  @uuid({ description: 'The battle.' })
  battleId!: string;
}

export class ContenderPath extends BattlePath {
  @uuid({ description: 'The contender.' })
  contenderId!: string;
}

export class RubricCriterion {
  @text({ min: 1, max: 60, pattern: /\S/, description: 'The name of the criterion, unique within the rubric.' })
  name!: string;

  @decimal({ min: 0.01, max: 100, description: 'The weight relative to the other criteria.' })
  weight = 1;

  @text({ max: 1000, description: 'The question that the judge answers about a text.' })
  description = '';

  @list(textKind({ min: 1, max: 300 }), {
    min: 5,
    max: 5,
    optional: true,
    description: 'The meanings of the scores 1 to 5, in this order.',
  })
  anchors?: string[];
}

export class BattleCheck {
  @oneOf(checkKinds)
  kind!: CheckKind;

  @decimal({ min: 0.01, max: 100, description: 'The weight relative to the other checks.' })
  weight = 1;

  @json({
    description:
      'A text for equals, contains, matches (a pattern), similarity (a reference) and expression; a number for max_length; a schema for json_schema.',
  })
  value!: unknown;
}

const title = { min: 1, max: 200, pattern: /\S/ } as const;
const taskPrompt = { min: 1, max: 32_000, pattern: /\S/, description: 'The task of all contenders.' } as const;
const judgeModel = {
  min: 1,
  max: 200,
  nullable: true,
  description:
    'The key of the model that judges in the modes ai_judge and rubric_score. Without it the offline judge scores by measurable features.',
} as const;
const rubric = {
  min: 1,
  max: 10,
  optional: true,
  description: 'The criteria of rubric_score; a default rubric when left out.',
} as const;
const checks = { max: 20, optional: true, description: 'The checks of auto_score.' } as const;
const budget = {
  min: 0,
  max: 1_000_000_000,
  nullable: true,
  description: 'The most credits that all runs of the battle may cost together; no limit when null.',
} as const;

export class NewBattleRequest {
  @text(title)
  title!: string;

  @text(taskPrompt)
  taskPrompt!: string;

  @oneOf(battleTypes)
  battleType: BattleType = 'ai_vs_ai';

  @oneOf(judgingModes)
  judgingMode: JudgingMode = 'ai_judge';

  @integer({ min: 2, max: maxSlots })
  maxContenders = 2;

  @text(judgeModel)
  aiJudgeModelKey: string | null = null;

  @list(nestedKind(() => RubricCriterion), rubric)
  rubric?: RubricCriterion[];

  @list(nestedKind(() => BattleCheck), checks)
  checks?: BattleCheck[];

  @integer(budget)
  budgetCredits: number | null = null;
}

export class BattlePatch {
  @text({ ...title, optional: true })
  title?: string;

  @text({ ...taskPrompt, optional: true })
  taskPrompt?: string;

  @oneOf(judgingModes, { optional: true })
  judgingMode?: JudgingMode;

  @integer({ min: 2, max: maxSlots, optional: true })
  maxContenders?: number;

  @text({ ...judgeModel, optional: true })
  aiJudgeModelKey?: string | null;

  @list(nestedKind(() => RubricCriterion), rubric)
  rubric?: RubricCriterion[];

  @list(nestedKind(() => BattleCheck), checks)
  checks?: BattleCheck[];

  @integer({ ...budget, optional: true })
  budgetCredits?: number | null;
}

/** Members that are null or left out are those that the caller must not know yet. */
export class Contender {
  @uuid({ description: 'For a voter, until the battle is closed, an id that is valid for this voter alone.' })
  id!: string;

  @text({ nullable: true, description: 'A to Z.' })
  slotLabel!: string | null;

  @text()
  displayName!: string;

  @oneOf(contenderTypes, { nullable: true })
  contenderType!: ContenderType | null;

  @uuid({ nullable: true, description: 'The profile of a human contender, or the AI lenser.' })
  contenderRefId!: string | null;

  @uuid({ nullable: true, description: 'For its owner and the creator, and for all once the battle is closed.' })
  lensId!: string | null;

  @uuid({ nullable: true, description: 'For its owner and the creator, and for all once the battle is closed.' })
  workflowId!: string | null;

  @flag({ nullable: true, description: 'True once the answer of the contender has arrived.' })
  submitted!: boolean | null;

  @text({ nullable: true, description: 'Why its run gave no answer; for its owner and the creator.' })
  answerError!: string | null;

  @integer({ min: 1, nullable: true, description: 'The place, once the battle is closed.' })
  rank!: number | null;
}

export class Submission {
  @uuid({ description: 'The id of the contender, as in `contenders`.' })
  contenderId!: string;

  @text({ max: 100_000 })
  contentText!: string;

  @uuid({ nullable: true, description: 'The run that wrote the text.' })
  runId!: string | null;

  @dateTime({ nullable: true })
  submittedAt!: string | null;
}

export class BallotEntry {
  @uuid({ description: 'The id to vote with. It is valid for this caller alone.' })
  contenderId!: string;

  @text({ max: 100_000 })
  contentText!: string;
}

export class VoteAggregate {
  @uuid()
  contenderId!: string;

  @integer({ min: 0, description: 'The number of votes that place the contender first alone.' })
  voteCount!: number;

  @decimal({ min: 0, max: 1, description: 'The mean Borda score.' })
  voteScore!: number;
}

export class Verdict {
  @uuid()
  contenderId!: string;

  @text()
  verdict!: string;

  @decimal({ min: 0, max: 1 })
  score!: number;

  @text()
  reasoning!: string;

  @dateTime()
  createdAt!: string;
}

export class Judging {
  @uuid({ nullable: true, description: 'The run that judges; for the creator.' })
  runId!: string | null;

  @text({ nullable: true, description: 'The status of that run.' })
  status!: string | null;

  @integer({ min: 0 })
  judged!: number;

  @integer({ min: 0 })
  total!: number;

  @text({ nullable: true, description: 'The model, `offline` or `checks`; null before the first judgement.' })
  judge!: string | null;

  @text({ nullable: true, description: 'The SHA-256 hash of the prompt; null without a model.' })
  promptHash!: string | null;
}

export class BattleSummary {
  @uuid()
  id!: string;

  @text()
  title!: string;

  @oneOf(battleTypes)
  battleType!: BattleType;

  @oneOf(judgingModes)
  judgingMode!: JudgingMode;

  @oneOf(battleStatuses)
  status!: BattleStatus;

  @integer({ min: 2, max: maxSlots })
  maxContenders!: number;

  @integer({ min: 0, max: maxSlots })
  contenderCount!: number;

  @uuid()
  creatorId!: string;

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  closedAt!: string | null;
}

export class Battle extends BattleSummary {
  @text()
  taskPrompt!: string;

  @text({ nullable: true })
  aiJudgeModelKey!: string | null;

  @list(nestedKind(() => RubricCriterion), { nullable: true })
  rubric!: RubricCriterion[] | null;

  @list(nestedKind(() => BattleCheck), {
    nullable: true,
    description: 'For the creator, and for all once it is closed.',
  })
  checks!: BattleCheck[] | null;

  @integer({ min: 0, nullable: true, max: 1_000_000_000, description: 'For the creator.' })
  budgetCredits!: number | null;

  @list(nestedKind(() => Contender))
  contenders!: Contender[];

  @list(nestedKind(() => Submission), { description: 'The texts that the caller may attribute to a contender.' })
  submissions!: Submission[];

  @list(nestedKind(() => BallotEntry), {
    nullable: true,
    description: 'While voting, for callers who may vote: the texts without authors, in an order of their own.',
  })
  ballot!: BallotEntry[] | null;

  @integer({ min: 0, description: 'The number of votes counted so far.' })
  votes!: number;

  @list(nestedKind(() => VoteAggregate), { description: 'Empty until the battle is closed.' })
  voteAggregates!: VoteAggregate[];

  @nested(() => Judging, { nullable: true })
  judging!: Judging | null;

  @uuid({ nullable: true, description: 'Null until the battle is closed, and when first place is shared.' })
  winner!: string | null;

  @list(textKind(), { description: 'Unusual facts about the battle in its present status.' })
  warnings!: string[];
}

export class BattleListQuery extends PageQuery {
  @oneOf(battleStatuses, { optional: true })
  status?: BattleStatus;

  @oneOf(battleTypes, { optional: true })
  battleType?: BattleType;

  @uuid({ optional: true, description: 'The creator.' })
  creatorId?: string;
}

export const historyStatuses = ['closed', 'published', 'archived'] as const;
export type HistoryStatus = (typeof historyStatuses)[number];

export class BattleHistoryQuery extends PageQuery {
  @uuid({ optional: true, description: 'The lenser who created the battles or took part; the caller when left out.' })
  lenserId?: string;

  @oneOf(historyStatuses, { optional: true })
  status?: HistoryStatus;
}

export class NewContenderRequest {
  @text({ min: 1, max: 100, pattern: /\S/ })
  displayName!: string;

  @oneOf(contenderTypes)
  contenderType!: ContenderType;

  @uuid({ description: 'The profile of a human contender; the AI lenser otherwise.' })
  contenderRefId!: string;

  @text({ pattern: /^[A-Z]$/, max: 1, optional: true, description: 'A to Z; the first free one when left out.' })
  slot?: string;

  @uuid({ optional: true, description: 'The lens that writes the answer, with the parameter task_prompt.' })
  lensId?: string;

  @uuid({ optional: true, description: 'The workflow that writes the answer, with the input task_prompt.' })
  workflowId?: string;
}

export class NewSubmissionRequest {
  @uuid()
  contenderId!: string;

  @text({ min: 1, max: 100_000 })
  contentText!: string;
}

export class Submitted {
  @uuid()
  battleId!: string;

  @uuid()
  contenderId!: string;

  @flag()
  submitted!: true;

  @flag({ description: 'True when the text replaced an earlier one.' })
  replaced!: boolean;

  @oneOf(battleStatuses, { description: 'The status after the submission.' })
  status!: BattleStatus;
}

export class ExecuteBattleRequest {
  @oneOf(fundingSources, { optional: true, description: 'The payer of the answers and the judging, as for runs.' })
  fundingSource?: FundingSource;

  @uuid({ optional: true, description: 'The BYOK key, for the funding source user_byok_cloud.' })
  byokKeyRefId?: string;
}

export class StartedAnswer {
  @uuid()
  contenderId!: string;

  @uuid()
  runId!: string;
}

export class ExecutedBattle {
  @uuid()
  battleId!: string;

  @oneOf(battleStatuses)
  status!: BattleStatus;

  @list(nestedKind(() => StartedAnswer), { description: 'The runs that write the missing answers.' })
  runs!: StartedAnswer[];

  @list(textKind())
  warnings!: string[];
}

export class BattleStatusRequest {
  @oneOf(targetStatuses)
  status!: Exclude<BattleStatus, 'draft'>;

  @flag({ optional: true, description: 'Must be true to close or archive.' })
  confirm?: boolean;
}

export class BattleStatusReply {
  @uuid()
  battleId!: string;

  @oneOf(battleStatuses)
  status!: BattleStatus;

  @list(textKind())
  warnings!: string[];
}

export class VoteRequest {
  @uuid({ optional: true, description: 'The best entry, by the id of the ballot.' })
  winner?: string;

  @list(uuidKind(), {
    min: 1,
    max: maxSlots,
    optional: true,
    description: 'The entries from best to worst. Entries that are left out share the remaining places.',
  })
  ranking?: string[];

  @flag({ optional: true, description: 'True when no entry is better than another.' })
  tie?: true;

  @text({ max: 280, optional: true })
  comment?: string;
}

export class Vote {
  @uuid()
  battleId!: string;

  @list(listKind(uuidKind(), { max: maxSlots }), {
    max: maxSlots,
    description: 'The places from best to worst; ids that share a place are in one list.',
  })
  ranking!: string[][];

  @text({ nullable: true })
  comment!: string | null;

  @dateTime()
  createdAt!: string;

  @dateTime()
  updatedAt!: string;
}

export class BattleScore {
  @uuid()
  battleId!: string;

  @list(nestedKind(() => VoteAggregate))
  voteAggregates!: VoteAggregate[];

  @list(nestedKind(() => Verdict), {
    description: 'Until the battle is closed only those of contenders whose text the caller may see.',
  })
  aiJudgeVerdicts!: Verdict[];

  @nested(() => Judging, { nullable: true })
  judging!: Judging | null;

  @uuid({ nullable: true })
  winner!: string | null;
}

/** An event of a battle. No event says which contender wrote a text. */
export class BattleEvent extends EventItem {
  @uuid()
  battleId!: string;
}
