import { textKind } from '../schema/kinds.js';
import { TokenDetails, tokenDetailsText } from '../resources/token-details.js';
import { decimal, flag, integer, json, list, nested, record, text, uuid } from '../schema/field.js';
import type { Shape } from '../schema/rules.js';

const lensOfRun = { nullable: true, description: 'The lens; null for a run without one.' } as const;
const tagsOfRun = 'The tags of the run.';
const metadataOfRun = { nullable: true, description: 'The metadata of the run, as its request gave it.' } as const;

export class RunCompletedData {
  @uuid()
  runId!: string;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @text()
  status!: string;

  @json({ description: 'The outputs: artifacts of the run by kind, the primary one first.' })
  outputs!: unknown;

  @integer({ min: 0 })
  cost!: number;

  @uuid(lensOfRun)
  lensId!: string | null;

  @list(textKind({ min: 1, max: 100 }), { max: 20, description: tagsOfRun })
  tags!: string[];

  @record(metadataOfRun)
  metadata!: Record<string, unknown> | null;

  @integer({ min: 0, nullable: true })
  tokenInput!: number | null;

  @integer({ min: 0, nullable: true })
  tokenOutput!: number | null;

  @nested(() => TokenDetails, { nullable: true, description: tokenDetailsText })
  tokenDetails!: TokenDetails | null;
}

export class RunFailedData {
  @uuid()
  runId!: string;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @record({ description: '{code, message}' })
  error!: { code: string; message: string };

  @uuid(lensOfRun)
  lensId!: string | null;

  @list(textKind({ min: 1, max: 100 }), { max: 20, description: tagsOfRun })
  tags!: string[];

  @record(metadataOfRun)
  metadata!: Record<string, unknown> | null;
}

export class BattleCompletedData {
  @uuid()
  battleId!: string;

  @uuid({ nullable: true, description: 'The contender; null when first place is shared.' })
  winner!: string | null;

  @record({ description: 'From 0 to 1, by contender: the score of the judging, or that of the votes without one.' })
  scores!: Record<string, number>;
}

export class ExperimentCompletedData {
  @uuid()
  experimentId!: string;

  @text({ description: 'completed, incomplete or canceled' })
  status!: string;

  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @text({ nullable: true, description: 'The result of its gate: passed, failed or inconclusive; null without a gate.' })
  gate!: string | null;

  @record({ description: 'The mean score by arm and scorer.' })
  scores!: Record<string, Record<string, number>>;
}

export class LabelReturnedData {
  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @text()
  label!: string;

  @text({ description: 'The number of the version that it left.' })
  from!: string;

  @text({ description: 'The number of the version that all its callers get again.' })
  to!: string;

  @flag({ description: 'True when a bound of the label was crossed.' })
  automatic!: boolean;

  @text({ nullable: true })
  reason!: string | null;
}

export class RunScoredData {
  @uuid()
  runId!: string;

  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @text({ nullable: true, description: 'The label that decided about the version of the run.' })
  label!: string | null;

  @uuid()
  scoreId!: string;

  @text()
  name!: string;

  @text({ description: 'end_user, caller, rule or review' })
  source!: string;

  @decimal({ min: 0, max: 1, nullable: true })
  score!: number | null;

  @flag({ nullable: true })
  pass!: boolean | null;

  @text({ nullable: true, description: 'Why the score could not be made.' })
  error!: string | null;
}

export class LensPublishedData {
  @uuid()
  lensId!: string;

  @text()
  version!: string;
}

export class MemberJoinedData {
  @uuid()
  userId!: string;

  @uuid()
  workspaceId!: string;
}

/** Events that webhook endpoints can subscribe to, with their data. */
export const platformEvents = {
  'run.completed': RunCompletedData,
  'run.failed': RunFailedData,
  'run.scored': RunScoredData,
  'battle.completed': BattleCompletedData,
  'experiment.completed': ExperimentCompletedData,
  'label.returned': LabelReturnedData,
  'lens.published': LensPublishedData,
  'member.joined': MemberJoinedData,
} as const satisfies Record<string, Shape>;

export type PlatformEventType = keyof typeof platformEvents;
export type PlatformEventData<T extends PlatformEventType> = InstanceType<(typeof platformEvents)[T]>;

export const platformEventTypes = Object.keys(platformEvents) as PlatformEventType[];
