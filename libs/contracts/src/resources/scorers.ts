import { dateTime, decimal, flag, integer, json, list, nested, oneOf, record, text, uuid } from '../schema/field.js';
import { nestedKind, recordKind, textKind } from '../schema/kinds.js';

export const scorerKinds = ['check', 'model', 'pairwise', 'http'] as const;
export type ScorerKind = (typeof scorerKinds)[number];

export const judgeMethods = [
  'rubric',
  'factuality',
  'closedQuestion',
  'contextRelevance',
  'contextFaithfulness',
  'criteria',
  'goalSuccess',
  'similarity',
] as const;
export type JudgeMethod = (typeof judgeMethods)[number];

export const nameOfScorer = { min: 1, max: 100, pattern: /^[\w.-]+$/ } as const;
const threshold = {
  min: 0,
  max: 1,
  optional: true,
  description:
    'The score from which an output passes. When absent, all assertions of a check must pass, similarity must be 0.75, and 0.5 is enough for others.',
} as const;

/** A criterion by which a judge gives marks from 1 to 5. */
export class ScorerCriterion {
  @text({ min: 1, max: 60 })
  name!: string;

  @text({ min: 1, max: 500 })
  description!: string;

  @decimal({ min: 0.01, max: 100, optional: true, description: '1 when absent.' })
  weight?: number;

  @list(textKind({ min: 1, max: 300 }), {
    min: 5,
    max: 5,
    optional: true,
    description: 'The meaning of the marks 1 to 5; from not at all to fully when absent.',
  })
  anchors?: string[];
}

/** A rule that gives an output a score from 0 to 1, a verdict and a reason. */
export class ScorerRule {
  @oneOf(scorerKinds, {
    description:
      'check: assertions about the output, computed without a model. model: a model judges the output. pairwise: a model compares the output with that of the baseline, in both orders; a win is 1, a tie 0.5. http: a program of yours scores the output; for stored scorers.',
  })
  kind!: ScorerKind;

  @list(recordKind(), {
    max: 100,
    optional: true,
    description:
      'Of a check: assertions {type, value?, threshold?, weight?, transform?} with the names and the meaning that promptfoo gives them; without a value the expected answer of the case is meant.',
  })
  assertions?: Record<string, unknown>[];

  @oneOf(judgeMethods, {
    optional: true,
    description:
      'Of a model. rubric: how well the output meets a rubric. factuality: whether it contradicts the expected answer. closedQuestion: yes or no to a question about it. contextRelevance: how much of the context is about the input. contextFaithfulness: how much of the output follows from the context. criteria: the weighted mean of marks. goalSuccess: whether the calls of tools and the output reach a goal. similarity: the cosine of the embeddings of the output and the expected answer.',
  })
  method?: JudgeMethod;

  @text({
    min: 1,
    max: 10_000,
    optional: true,
    description:
      'Of rubric, closedQuestion and goalSuccess: the rubric, the question, or the goal; {{Name}} is a parameter of the case.',
  })
  rubric?: string;

  @list(nestedKind(() => ScorerCriterion), { min: 1, max: 10, optional: true, description: 'Of criteria.' })
  criteria?: ScorerCriterion[];

  @text({
    min: 1,
    max: 200,
    optional: true,
    description:
      'Of contextRelevance and contextFaithfulness: the parameter or member of metadata that has the context; context when absent.',
  })
  context?: string;

  @text({
    min: 1,
    max: 200,
    optional: true,
    description:
      'Of model and pairwise: the model that judges, with the capability json, or embeddings for similarity. When absent, outputs are judged by measured features, without a model; similarity uses the default model for embeddings.',
  })
  model?: string;

  @text({
    min: 1,
    max: 2048,
    optional: true,
    description: 'Of http: the address that gets a signed POST for each output, and answers {score, pass?, reason?}.',
  })
  url?: string;

  @decimal(threshold)
  threshold?: number;
}

/** A rule with its name in an experiment. */
export class Scorer extends ScorerRule {
  @text({ ...nameOfScorer, description: 'Letters, digits, dots, dashes and underscores; unique in the experiment.' })
  name!: string;
}

/** A scorer as an experiment uses it. */
export class UsedScorer extends Scorer {
  @uuid({ nullable: true, description: 'The stored scorer that it is; null for one of the experiment alone.' })
  scorerId!: string | null;

  @integer({ min: 1, nullable: true, description: 'The version of the stored scorer.' })
  version!: number | null;
}

/** A stored scorer in an experiment. */
export class ScorerReference {
  @uuid({ idOf: 'scorer' })
  id!: string;

  @integer({ min: 1, optional: true, description: 'A version; the newest when absent.' })
  version?: number;
}

export class ScorerCreate {
  @text({ ...nameOfScorer, description: 'Letters, digits, dots, dashes and underscores; unique in the account.' })
  name!: string;

  @nested(() => ScorerRule)
  rule!: ScorerRule;
}

export class ScorerUpdate {
  @nested(() => ScorerRule)
  rule!: ScorerRule;
}

export class ScorerPath {
  @uuid({ description: 'The scorer.' })
  scorerId!: string;
}

export class ScorerVersionQuery {
  @integer({ min: 1, optional: true, description: 'A version; the newest when absent.' })
  version?: number;
}

export class StoredScorer {
  @uuid()
  id!: string;

  @text()
  name!: string;

  @integer({ min: 1, description: 'Each change makes a new version; earlier ones stay.' })
  version!: number;

  @nested(() => ScorerRule)
  rule!: ScorerRule;

  @dateTime()
  createdAt!: string;

  @dateTime({ description: 'When this version was made.' })
  updatedAt!: string;
}

/** A scorer as its creation returns it. */
export class ScorerCreated extends StoredScorer {
  @text({
    nullable: true,
    description: 'Of http: the secret that its calls are signed with, which no other reply has.',
  })
  secret!: string | null;
}

export class ScorerRemoved {
  @uuid()
  scorerId!: string;

  @flag()
  removed!: boolean;
}

/** An output to try a scorer with. */
export class ScorerSample {
  @text({ max: 100_000 })
  output!: string;

  @record({ optional: true, description: 'Parameters as a case has them.' })
  params?: Record<string, unknown>;

  @json({ optional: true, nullable: true })
  expected?: unknown;

  @text({ max: 100_000, optional: true, description: 'Of pairwise: the output to compare with.' })
  baseline?: string;
}

export class ScorerTest {
  @list(nestedKind(() => ScorerSample), { min: 1, max: 20 })
  samples!: ScorerSample[];

  @integer({ min: 1, optional: true, description: 'A version; the newest when absent.' })
  version?: number;
}

/** The score of one assertion. */
export class AssertionScore {
  @text({ description: 'The type of the assertion.' })
  type!: string;

  @flag()
  pass!: boolean;

  @decimal({ min: 0, max: 1 })
  score!: number;

  @text()
  reason!: string;
}

/** How a judge came to a score. */
export class ScoreJudge {
  @text({ description: 'The model, or offline for measured features.' })
  model!: string;

  @text({ nullable: true, description: 'The version of the prompt of the judge.' })
  prompt!: string | null;

  @text({ nullable: true, description: 'Its SHA-256.' })
  promptHash!: string | null;

  @list(textKind(), { description: 'The runs of the judge.' })
  runIds!: string[];
}

export class Score {
  @text({ description: 'The name of the scorer.' })
  scorer!: string;

  @flag()
  pass!: boolean;

  @decimal({ min: 0, max: 1 })
  score!: number;

  @text()
  reason!: string;

  @text({ nullable: true, description: 'Why the score could not be made, which then counts as 0.' })
  error!: string | null;

  @list(nestedKind(() => AssertionScore), { description: 'The failed ones come first.' })
  assertions!: AssertionScore[];

  @nested(() => ScoreJudge, { nullable: true, description: 'null for checks and http.' })
  judge!: ScoreJudge | null;
}

/** The score of a sample, in the order of the request. */
export class SampleScore extends Score {
  @integer({ min: 0, description: 'The cost of the judge.' })
  credits!: number;
}

export class ScorerTested {
  @integer({ min: 1 })
  version!: number;

  @list(nestedKind(() => SampleScore))
  scores!: SampleScore[];
}
