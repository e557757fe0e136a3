import { EventItem } from './event-item.js';
import { dateTime, decimal, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, textKind } from '../schema/kinds.js';
import { PageQuery } from '../schema/paging.js';
import { LensCandidate } from './lenses.js';
import { Sampling } from './models.js';
import { type FundingSource, type RunStatus, fundingSources, runStatuses } from './runs.js';
import { ExperimentGate, type GateResult, GateRule, gateResults } from './gates.js';
import { Score, Scorer, ScorerReference, UsedScorer } from './scorers.js';

export const maxCellsOfExperiment = 200_000;

export const experimentStatuses = ['running', 'canceling', 'completed', 'incomplete', 'canceled'] as const;
export type ExperimentStatus = (typeof experimentStatuses)[number];

const nameOfArm = { min: 1, max: 100, pattern: /\S/ } as const;
const tagKind = textKind({ min: 1, max: 50 });

export class ExperimentTarget {
  @uuid({ optional: true, description: 'A lens; or name a workflow.', idOf: 'lens' })
  lensId?: string;

  @uuid({ optional: true, idOf: 'workflow' })
  workflowId?: string;
}

export class ExperimentArmRequest {
  @text({ ...nameOfArm, optional: true, description: 'Unique in the experiment; the version when absent.' })
  name?: string;

  @text({
    min: 1,
    max: 64,
    optional: true,
    description: 'The id, number or label of a version; the newest when absent.',
  })
  version?: string;

  @nested(() => LensCandidate, {
    optional: true,
    description:
      'A text of the owner of the lens, in place of a version. It becomes a version that callers do not get unless they name it.',
  })
  candidate?: LensCandidate;

  @text({ min: 1, max: 200, optional: true, description: 'The model in place of that of the version.' })
  modelOverride?: string;

  @nested(() => Sampling, { optional: true })
  sampling?: Sampling;
}

export class ExperimentDataset {
  @uuid({ idOf: 'dataset' })
  id!: string;

  @integer({ min: 1, optional: true, description: 'A revision; the newest when absent.' })
  revision?: number;

  @text({ min: 1, max: 50, optional: true, description: 'Only cases with this tag.' })
  tag?: string;
}

export const experimentCaches = ['off', 'read', 'record', 'replay'] as const;
export type ExperimentCache = (typeof experimentCaches)[number];

const cacheOf = {
  description:
    'How calls of the runs to models, addresses and tools are answered. off: live. read: an earlier answer of the account to exactly this call costs nothing, any other is live. record: live, and kept in a recording. replay: from a recording alone, which costs nothing; a call that it does not have fails.',
} as const;

export const experimentServices = ['live', 'batch'] as const;
export type ExperimentService = (typeof experimentServices)[number];

const serviceOf = {
  description:
    'How models are asked for the answers. live: at once. batch: by the batch service of openai, anthropic or google, at half the price.',
} as const;

export class ExperimentRequest {
  @text({ min: 1, max: 200, optional: true, description: 'For the list of experiments.' })
  name?: string;

  @nested(() => ExperimentTarget)
  target!: ExperimentTarget;

  @list(nestedKind(() => ExperimentArmRequest), { min: 1, max: 8 })
  arms!: ExperimentArmRequest[];

  @nested(() => ExperimentDataset)
  dataset!: ExperimentDataset;

  @list(nestedKind(() => Scorer), { max: 20, optional: true, description: 'Scorers of this experiment alone.' })
  scorers?: Scorer[];

  @list(nestedKind(() => ScorerReference), {
    max: 20,
    optional: true,
    description: 'Stored scorers, which come after the others. Together there are 1 to 20.',
  })
  storedScorers?: ScorerReference[];

  @integer({ min: 1, max: 20, optional: true, description: 'How often each case is answered; 1 when absent.' })
  repetitions?: number;

  @text({ ...nameOfArm, optional: true, description: 'The name of the arm that the others are compared with.' })
  baseline?: string;

  @integer({
    min: 0,
    optional: true,
    description: 'The most credits that its runs may cost together, those of judges included.',
  })
  budget?: number;

  @oneOf(fundingSources, { optional: true, description: 'The payer of the runs.' })
  fundingSource?: FundingSource;

  @uuid({ optional: true, description: 'The BYOK key, with user_byok_cloud.' })
  byokKeyRefId?: string;

  @integer({ min: 1, max: 100, optional: true, description: 'The most runs at a time; 25 when absent.' })
  concurrency?: number;

  @oneOf(experimentCaches, { ...cacheOf, optional: true })
  cache?: ExperimentCache;

  @uuid({
    idOf: 'recording',
    optional: true,
    description: 'The recording to replay, or to add to; with record a new one when absent.',
  })
  recordingId?: string;

  @integer({
    min: 1,
    max: 2_592_000,
    optional: true,
    description: 'With read: the age of answers in seconds; a day when absent.',
  })
  maxAgeSeconds?: number;

  @oneOf(experimentServices, { ...serviceOf, optional: true })
  service?: ExperimentService;

  @integer({
    min: 60,
    max: 86_400,
    optional: true,
    description: 'With batch: requests without an answer after so many seconds are sent live; a day when absent.',
  })
  completeWithinSeconds?: number;

  @nested(() => ExperimentGate, { optional: true })
  gate?: ExperimentGate;

  @list(tagKind, { max: 20, optional: true, description: 'Tags of its runs.' })
  tags?: string[];
}

export class ExperimentAccepted {
  @uuid()
  id!: string;
}

export class ExperimentPath {
  @uuid({ description: 'The experiment.' })
  experimentId!: string;
}

export class ExperimentArm {
  @text()
  name!: string;

  @uuid({ description: 'The version of the lens or workflow.' })
  versionId!: string;

  @text({ description: 'Its number.' })
  version!: string;

  @flag({ description: 'True for a text that was not saved as a version before.' })
  isCandidate!: boolean;

  @text({ nullable: true })
  modelOverride!: string | null;
}

/** A mean of the cases, with the interval that covers the mean of all such cases 95 times in 100. */
export class MeanScore {
  @decimal({ min: 0, max: 1 })
  mean!: number;

  @decimal({ min: 0, max: 1 })
  low!: number;

  @decimal({ min: 0, max: 1 })
  high!: number;
}

export class ScoreDifference {
  @decimal({ min: -1, max: 1, description: 'The mean over cases of this arm minus the baseline.' })
  mean!: number;

  @decimal({ min: -1, max: 1 })
  low!: number;

  @decimal({ min: -1, max: 1 })
  high!: number;

  @decimal({ min: 0, max: 1, description: 'Of the sign test over cases, adjusted by Holm over the arms.' })
  pValue!: number;

  @integer({ min: 0, description: 'Cases with a higher score than the baseline.' })
  better!: number;

  @integer({ min: 0 })
  worse!: number;

  @integer({ min: 0 })
  equal!: number;

  @integer({
    min: 1,
    nullable: true,
    description: 'The cases with which a loss of 10 points is found in 80 of 100 experiments.',
  })
  casesNeeded!: number | null;
}

export class ScorerResult {
  @text()
  scorer!: string;

  @nested(() => MeanScore)
  score!: MeanScore;

  @decimal({ min: 0, max: 1, description: 'The share of the answers that pass.' })
  passRate!: number;

  @decimal({ min: 0, max: 1, description: 'The share of cases of which at least one repetition passes.' })
  passAtK!: number;

  @decimal({ min: 0, max: 1, description: 'The share of cases of which every repetition passes.' })
  passHatK!: number;

  @integer({ min: 0, description: 'Scores that could not be made, which count as 0.' })
  errors!: number;

  @nested(() => ScoreDifference, { nullable: true, description: 'null for the baseline, and without one.' })
  difference!: ScoreDifference | null;
}

export class ArmResult {
  @text()
  arm!: string;

  @integer({ min: 0, description: 'Cells with an answer.' })
  answered!: number;

  @integer({ min: 0, description: 'Cells whose runs failed or could not start.' })
  failed!: number;

  @integer({ min: 0, description: 'The cost of its answers.' })
  credits!: number;

  @integer({ min: 0, description: 'The cost of judging them.' })
  judgeCredits!: number;

  @integer({ min: 0 })
  tokenInput!: number;

  @integer({ min: 0 })
  tokenOutput!: number;

  @integer({ min: 0, nullable: true })
  latencyP50Ms!: number | null;

  @integer({ min: 0, nullable: true })
  latencyP95Ms!: number | null;

  @list(nestedKind(() => ScorerResult))
  scorers!: ScorerResult[];
}

export class RuleResult {
  @text({ description: 'The arm.' })
  arm!: string;

  @nested(() => GateRule, { description: 'The rule as it was given.' })
  rule!: GateRule;

  @oneOf(gateResults)
  result!: GateResult;

  @text()
  reason!: string;
}

export class GateOutcome {
  @oneOf(gateResults)
  result!: GateResult;

  @list(nestedKind(() => RuleResult))
  rules!: RuleResult[];
}

/** The requests of an experiment that go to batch services and have not ended. */
export class ExperimentBatches {
  @integer({ min: 60, description: 'Requests without an answer after so many seconds are sent live.' })
  completeWithinSeconds!: number;

  @integer({ min: 0, description: 'Requests that are collected for the next batch.' })
  waiting!: number;

  @integer({ min: 0, description: 'Requests in a batch.' })
  sent!: number;

  @integer({ min: 0, description: 'Answers of batches whose runs have not ended.' })
  answered!: number;

  @integer({ min: 0, description: 'Requests that are sent live, because they failed in a batch or took too long.' })
  live!: number;
}

export class Experiment {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @oneOf(experimentStatuses, {
    description:
      'incomplete: its budget or the credits of the account did not suffice for all cells, or its token was revoked.',
  })
  status!: ExperimentStatus;

  @text({ nullable: true, description: 'Why it is incomplete.' })
  reason!: string | null;

  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @uuid()
  datasetId!: string;

  @integer({ min: 1 })
  revision!: number;

  @text({ nullable: true, description: 'Only cases with this tag.' })
  tag!: string | null;

  @list(nestedKind(() => ExperimentArm))
  arms!: ExperimentArm[];

  @text({ nullable: true })
  baseline!: string | null;

  @list(nestedKind(() => UsedScorer))
  scorers!: UsedScorer[];

  @integer({ min: 1 })
  repetitions!: number;

  @integer({ min: 0 })
  cases!: number;

  @integer({ min: 0, description: 'Cases × arms × repetitions.' })
  cells!: number;

  @integer({ min: 0, description: 'Cells with a score or an error.' })
  cellsDone!: number;

  @integer({ min: 0, nullable: true })
  budget!: number | null;

  @integer({ min: 0, description: 'The cost of its ended runs, those of judges included.' })
  credits!: number;

  @oneOf(experimentCaches, cacheOf)
  cache!: ExperimentCache;

  @uuid({ nullable: true, description: 'The recording that it makes or replays.' })
  recordingId!: string | null;

  @oneOf(experimentServices, serviceOf)
  service!: ExperimentService;

  @nested(() => ExperimentBatches, { nullable: true, description: 'null for live answers.' })
  batches!: ExperimentBatches | null;

  @uuid({ nullable: true, description: 'The experiment whose answers it scores; null when its answers are its own.' })
  answersOf!: string | null;

  @nested(() => ExperimentGate, { nullable: true })
  gate!: ExperimentGate | null;

  @nested(() => GateOutcome, { nullable: true, description: 'null before the end, and without a gate.' })
  outcome!: GateOutcome | null;

  @list(nestedKind(() => ArmResult), { nullable: true, description: 'null before the end.' })
  results!: ArmResult[] | null;

  @list(tagKind)
  tags!: string[];

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  completedAt!: string | null;
}

export class ArmScore {
  @text()
  scorer!: string;

  @decimal({ min: 0, max: 1, description: 'The mean of the cases.' })
  mean!: number;

  @decimal({ min: 0, max: 1, description: 'The share of the answers that pass.' })
  passRate!: number;
}

/** An arm of an experiment in a list. */
export class ExperimentArmItem extends ExperimentArm {
  @flag({ description: 'True for the arm that the others are compared with.' })
  isBaseline!: boolean;

  @oneOf(gateResults, {
    nullable: true,
    description: 'The result of the rules of the gate for this arm; null before the end, and without any.',
  })
  gateResult!: GateResult | null;

  @list(nestedKind(() => ArmScore), { description: 'Empty before the end.' })
  scores!: ArmScore[];
}

/** An experiment in a list, with the means of its results. */
export class ExperimentItem {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @oneOf(experimentStatuses)
  status!: ExperimentStatus;

  @uuid({ nullable: true })
  lensId!: string | null;

  @uuid({ nullable: true })
  workflowId!: string | null;

  @uuid()
  datasetId!: string;

  @integer({ min: 0 })
  cells!: number;

  @integer({ min: 0 })
  cellsDone!: number;

  @oneOf(gateResults, { nullable: true, description: 'The result of its gate.' })
  gateResult!: GateResult | null;

  @list(nestedKind(() => ExperimentArmItem))
  arms!: ExperimentArmItem[];

  @dateTime()
  createdAt!: string;

  @dateTime({ nullable: true })
  completedAt!: string | null;
}

export class ExperimentQuery extends PageQuery {
  @uuid({ optional: true, description: 'Experiments of this lens.' })
  lensId?: string;

  @uuid({ optional: true, description: 'Experiments of this workflow.' })
  workflowId?: string;

  @uuid({ optional: true, description: 'Experiments with this dataset.' })
  datasetId?: string;
}

export const cellStates = ['waiting', 'running', 'judging', 'scored', 'failed'] as const;
export type CellState = (typeof cellStates)[number];

export class ExperimentCell {
  @text({ description: 'The key of the case.' })
  key!: string;

  @text({ description: 'The name of the arm.' })
  arm!: string;

  @integer({ min: 1 })
  repetition!: number;

  @oneOf(cellStates, { description: 'judging: answered, while a judge has not scored the answer yet.' })
  state!: CellState;

  @uuid({ nullable: true, description: 'Its run; null when none could start.' })
  runId!: string | null;

  @oneOf(runStatuses, { nullable: true })
  runStatus!: RunStatus | null;

  @text({ nullable: true, description: 'The output; null without one.' })
  output!: string | null;

  @text({ nullable: true, description: 'Why there is no score.' })
  error!: string | null;

  @list(nestedKind(() => Score))
  scores!: Score[];

  @integer({ min: 0, nullable: true })
  credits!: number | null;

  @integer({ min: 0, nullable: true })
  latencyMs!: number | null;

  @record({ description: 'The parameters or inputs of the case.' })
  params!: Record<string, unknown>;

  @json({ nullable: true })
  expected!: unknown;
}

export const cellFilters = ['failed', 'worse', 'better'] as const;

export class CellQuery extends PageQuery {
  @text({ min: 1, max: 100, optional: true, description: 'Cells of this arm.' })
  arm?: string;

  @text({ min: 1, max: 200, optional: true, description: 'Cells of this case.' })
  key?: string;

  @oneOf(cellFilters, {
    optional: true,
    description:
      'failed: without a score, or with one that does not pass; worse, better: of cases whose mean score is below or above that of the baseline.',
  })
  only?: (typeof cellFilters)[number];

  @text({ min: 1, max: 100, optional: true, description: 'The scorer that `only` is about; any when absent.' })
  scorer?: string;
}

export const experimentFormats = ['ndjson', 'csv', 'junit', 'promptfoo'] as const;
export type ExperimentFormat = (typeof experimentFormats)[number];

export class ExperimentExportQuery {
  @oneOf(experimentFormats)
  format: ExperimentFormat = 'ndjson';
}

export class ExperimentResume {
  @integer({ min: 0, optional: true, description: 'The new budget; the old one when absent.' })
  budget?: number;
}

export const answerKinds = ['new', 'same'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** The changes of an experiment that repeats another one. */
export class ExperimentClone {
  @oneOf(answerKinds, {
    optional: true,
    description:
      'new: each case is answered again. same: the answers are those of the other experiment, which has ended.',
  })
  answers?: AnswerKind;

  @text({
    min: 1,
    max: 200,
    optional: true,
    description: 'That of the other experiment when absent, like all members.',
  })
  name?: string;

  @integer({ min: 1, optional: true, description: 'With new answers: a revision of the dataset.' })
  revision?: number;

  @integer({ min: 1, max: 20, optional: true, description: 'With new answers.' })
  repetitions?: number;

  @list(nestedKind(() => Scorer), {
    max: 20,
    optional: true,
    description: 'In place of all scorers of the other experiment, together with storedScorers.',
  })
  scorers?: Scorer[];

  @list(nestedKind(() => ScorerReference), { max: 20, optional: true })
  storedScorers?: ScorerReference[];

  @nested(() => ExperimentGate, { optional: true, nullable: true, description: 'null: no gate.' })
  gate?: ExperimentGate | null;

  @integer({ min: 0, optional: true })
  budget?: number;
}

export class ExperimentRemoved {
  @uuid()
  experimentId!: string;

  @flag()
  removed!: boolean;
}

export class ExperimentEvent extends EventItem {
  @uuid()
  experimentId!: string;
}
