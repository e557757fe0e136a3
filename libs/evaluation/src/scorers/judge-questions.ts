import type { JudgeMethod, ScoreJudge, ScorerRule } from '@lensforge/contracts';
import {
  type Choice,
  type JudgeQuestion,
  type Level,
  compareOffline,
  defaultAnchors,
  extractFeatures,
  levelPrompt,
  levelQuestion,
  markOffline,
  pairOutcome,
  pairPrompt,
  pairQuestion,
} from '@lensforge/judges';
import { unpackVector } from '@lensforge/runs';
import { type Assertion, type Finding, type ToolCall, rounded, toText } from '../checks/assertion.js';
import { fillValues } from '../checks/fill-values.js';
import { listJudged, toRule, withFindings } from '../checks/judged-assertions.js';

// The questions that a scorer asks a judge about an output, and the score that follows from the answers.

/** An output with its case. */
export interface JudgedOutput {
  output: string;
  /** Parameters and metadata. */
  params: Readonly<Record<string, unknown>>;
  expected: unknown;
  /** The output of the baseline. */
  baseline: string;
  /** The calls of tools that its run has made; read only for questions about them. */
  toolCalls?: readonly ToolCall[] | undefined;
}

/** A question to a judge: a part of a rule, or of an assertion in a check. */
export interface Question {
  rule: ScorerRule;
  part: number;
  /** The assertion that is decided by it. */
  assertion?: Assertion;
}

/** The questions that a scorer asks about one output; `assertions` are all that a check has for it. */
export function questionsAbout(rule: ScorerRule, assertions: readonly Assertion[]): Question[] {
  switch (rule.kind) {
    case 'check':
      return listJudged(assertions).map((assertion) => ({ rule: toRule(assertion, rule.model), part: 0, assertion }));
    case 'http':
      return [{ rule, part: 0 }];
    case 'pairwise':
      return [0, 1].map((part) => ({ rule, part }));
    case 'model':
      return Array.from({ length: rule.criteria?.length ?? 1 }, (_, part) => ({ rule, part }));
  }
}

/** The judge of a score: offline where no run has asked a model, null where a program has scored. */
export function toJudge(
  { kind, model, method }: ScorerRule,
  asked: readonly { runIds: string[] }[],
): ScoreJudge | null {
  if (kind === 'http') return null;
  const runIds = asked.flatMap((each) => each.runIds);
  if (runIds.length === 0) return { model: 'offline', prompt: null, promptHash: null, runIds };
  // Without a judge, only the default model for embeddings can have been asked.
  if (method === 'similarity' || model === undefined)
    return { model: model ?? 'embeddings', prompt: null, promptHash: null, runIds };
  const { version, hash } = kind === 'pairwise' ? pairPrompt : levelPrompt;
  return { model, prompt: version, promptHash: hash, runIds };
}

/** Texts whose embeddings are compared; the score is their cosine. */
export interface SimilarityQuestion extends Pick<JudgeQuestion<string>, 'read'> {
  texts: [output: string, expected: string];
}

/** A question as a judge reads it; its answer is a choice, or a score from 0 to 1. */
export function phrase(
  { rule, part, assertion }: Question,
  given: JudgedOutput,
  key: string,
): JudgeQuestion<string> | SimilarityQuestion {
  const judged = assertion ? withExpected(given, assertion) : given;
  const { output, params, expected, baseline } = judged;
  if (rule.method === 'similarity') return { texts: [output, toText(expected ?? '')], read: readSimilarity };
  const input = describeInput(params);
  if (rule.kind === 'pairwise') {
    const [first, second] = part === 0 ? [output, baseline] : [baseline, output];
    return pairQuestion({ key, task: input, first, second });
  }
  const { question, text = output, reference, levels } = methodOf(rule)(rule, judged, part);
  return levelQuestion({
    key,
    of: levelPrompt,
    texts: [
      { title: 'QUESTION', text: fillValues(question, { expected, ...params }) },
      { title: 'INPUT', text: input },
      ...(reference ? [reference] : []),
      { title: 'TEXT', text },
    ],
    levels: levels.map((level) => ({ ...level, value: String(level.value) })),
  });
}

const expecting: readonly (JudgeMethod | undefined)[] = ['factuality', 'similarity'];

/** The value of an assertion about facts or similarity is the answer that it expects. */
const withExpected = (judged: JudgedOutput, { value, type }: Assertion): JudgedOutput =>
  typeof value === 'string' && expecting.includes(toRule({ type }, undefined).method)
    ? { ...judged, expected: fillValues(value, { expected: judged.expected, ...judged.params }) }
    : judged;

interface Asked {
  question: string;
  /** The text that is judged; the output when absent. */
  text?: string;
  reference?: { title: string; text: string };
  levels: readonly Level<number>[];
}

const contextOf = ({ context = 'context' }: ScorerRule, { params }: JudgedOutput): string =>
  toText(params[context] ?? '');

const marks = (anchors: readonly string[]): Level<number>[] =>
  anchors.map((meaning, index) => ({ value: index / 4, name: `mark ${index + 1}`, meaning }));

/** The cosine of two vectors, as the outcome of a run of embeddings. */
function readSimilarity(text: string): { outcome: string; reasoning: string } | { fault: string } {
  const { embeddings = [] } = JSON.parse(text) as { embeddings?: string[] };
  const [one, other] = embeddings.map(unpackVector);
  if (!one || !other || one.length !== other.length) return { fault: 'did not have two vectors' };
  const dot = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  const length = Math.hypot(...one) * Math.hypot(...other);
  const cosine = length === 0 ? 0 : dot / length;
  return {
    outcome: String(Math.min(1, Math.max(0, cosine))),
    reasoning: `the cosine of the embeddings of the output and the expected answer is ${rounded(cosine)}`,
  };
}

const methods: Readonly<
  Record<Exclude<JudgeMethod, 'similarity'>, (rule: ScorerRule, judged: JudgedOutput, part: number) => Asked>
> = {
  rubric: ({ rubric = '' }) => ({
    question: `How well does the TEXT meet this rubric?\n${rubric}`,
    levels: marks(defaultAnchors),
  }),
  criteria: ({ criteria = [] }, _, part) => {
    const { name = '', description = '', anchors = defaultAnchors } = criteria[part] ?? {};
    return { question: `How well does the TEXT meet this criterion?\n${name}: ${description}`, levels: marks(anchors) };
  },
  closedQuestion: ({ rubric = '' }) => ({
    question: rubric,
    levels: [
      { value: 1, name: 'yes', meaning: 'The answer to the QUESTION about the TEXT is yes.' },
      { value: 0, name: 'no', meaning: 'The answer to the QUESTION about the TEXT is no, or it cannot be answered.' },
    ],
  }),
  factuality: (_, { expected }) => ({
    question: 'How do the statements of the TEXT agree with those of the REFERENCE? Wording does not count.',
    reference: { title: 'REFERENCE', text: toText(expected ?? '') },
    levels: [
      { value: 1, name: 'the same', meaning: 'The TEXT states what the REFERENCE states.' },
      {
        value: 1,
        name: 'a part',
        meaning: 'The TEXT states a part of what the REFERENCE states, and nothing against it.',
      },
      {
        value: 1,
        name: 'more',
        meaning: 'The TEXT states what the REFERENCE states and more, and nothing against it.',
      },
      {
        value: 1,
        name: 'no difference in facts',
        meaning: 'They differ in something that does not matter for the facts.',
      },
      { value: 0, name: 'a contradiction', meaning: 'A statement of the TEXT contradicts the REFERENCE.' },
    ],
  }),
  goalSuccess: ({ rubric = '' }, { output, toolCalls = [] }) => ({
    question: `Did the program, by its CALLS of tools and its last TEXT, reach this goal?\n${rubric}`,
    reference: { title: 'CALLS', text: toolCalls.map(describeCall).join('\n') || 'None.' },
    text: output,
    levels: [
      { value: 1, name: 'reached', meaning: 'The goal is reached.' },
      { value: 0.5, name: 'in part', meaning: 'A part of the goal is reached.' },
      { value: 0, name: 'missed', meaning: 'The goal is not reached, or that cannot be told.' },
    ],
  }),
  contextRelevance: (rule, judged) => ({
    question: 'How much of the TEXT is needed to answer the INPUT?',
    text: contextOf(rule, judged),
    levels: marks(['Nothing of it.', 'A small part of it.', 'About half of it.', 'Most of it.', 'All of it.']),
  }),
  contextFaithfulness: (rule, judged) => ({
    question: 'How much of what the TEXT states follows from the CONTEXT?',
    reference: { title: 'CONTEXT', text: contextOf(rule, judged) },
    levels: marks(['Nothing of it.', 'A small part of it.', 'About half of it.', 'Most of it.', 'All of it.']),
  }),
};

const methodOf = ({ method = 'rubric' }: ScorerRule) => methods[method === 'similarity' ? 'rubric' : method];

const describeCall = ({ names: [name], input }: ToolCall, index: number): string =>
  `${index + 1}. ${name} ${toText(input).slice(0, 2000)}`;

/** True for questions about the calls of tools. */
export const isAboutCalls = ({ rule }: Question): boolean => rule.method === 'goalSuccess';

/** The input of the program whose output is judged. */
const describeInput = (params: Readonly<Record<string, unknown>>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}: ${toText(value)}`)
    .join('\n');

/** The answer to a question by measured features, without a model. */
export async function answerOffline(
  { rule, part }: Question,
  judged: JudgedOutput,
  account: string,
): Promise<{ outcome: string; reasoning: string }> {
  const task = describeInput(judged.params);
  const limits = { account, ignoreQueueLimit: true };
  if (rule.kind === 'pairwise') {
    const { output, baseline } = judged;
    const texts = part === 0 ? [output, baseline] : [baseline, output];
    const [first, second] = await Promise.all(texts.map((text) => extractFeatures(task, text, limits)));
    if (!first || !second) throw new Error('two texts have two features');
    const { choice, reasoning } = compareOffline(first, second);
    return { outcome: choice, reasoning };
  }
  const { text = judged.output, levels } = methodOf(rule)(rule, judged, part);
  const features = await extractFeatures(task, text, limits);
  const { mark, reasoning } = markOffline(features, {
    criterion: rule.criteria?.[part]?.name ?? '',
    all: [features],
  });
  const score = (mark - 1) / 4;
  const nearest = levels.reduce((one, other) =>
    Math.abs(other.value - score) < Math.abs(one.value - score) ? other : one,
  );
  return { outcome: String(nearest.value), reasoning };
}

/** The answer of a judge; without an outcome it could not be had, for a reason. */
export interface Judgement {
  outcome: string | null;
  reasoning: string;
}

export type JudgeFinding = Finding & { error: string | null };

/** The score of an output by the answers to all questions. An answer that is missing makes it an error, which counts as 0. */
export function scoreJudged(rule: ScorerRule, judgements: readonly Judgement[]): JudgeFinding {
  const missing = judgements.find(({ outcome }) => outcome === null);
  if (missing) return { pass: false, score: 0, reason: missing.reasoning, error: missing.reasoning };
  const [first] = judgements;
  if (rule.kind === 'http' && first) return ofProgram(rule, first);
  const { score, reason } = rule.kind === 'pairwise' ? ofPair(judgements) : ofMarks(rule, judgements);
  return { pass: score >= (rule.threshold ?? usualThresholdOf(rule)), score, reason, error: null };
}

const usualThreshold = 0.5;
const usualThresholdOf = ({ method }: ScorerRule): number => (method === 'similarity' ? 0.75 : usualThreshold);

/** The outcome of a program is its score, with its verdict if it gives one. */
export interface ProgramOutcome {
  score: number;
  pass?: boolean | undefined;
}

function ofProgram({ threshold = usualThreshold }: ScorerRule, { outcome, reasoning }: Judgement): JudgeFinding {
  const { score, pass = score >= threshold } = JSON.parse(outcome ?? '') as ProgramOutcome;
  return { pass, score, reason: reasoning, error: null };
}

function ofPair([one, swapped]: readonly Judgement[]): { score: number; reason: string } {
  const outcome = pairOutcome(one?.outcome as Choice, swapped?.outcome as Choice);
  const verdict = { first: 'better', second: 'worse', tie: 'neither better nor worse', abstained: 'not compared' };
  return {
    score: outcome === 'first' ? 1 : outcome === 'second' ? 0 : 0.5,
    reason: `${verdict[outcome]} than the baseline\nAs the first text (${one?.outcome}): ${one?.reasoning}\nAs the second text (${swapped?.outcome}): ${swapped?.reasoning}`,
  };
}

function ofMarks({ criteria }: ScorerRule, judgements: readonly Judgement[]): { score: number; reason: string } {
  const weights = judgements.map((_, index) => criteria?.[index]?.weight ?? 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const weighted = judgements.reduce((sum, { outcome }, index) => sum + (weights[index] ?? 1) * Number(outcome), 0);
  const lines = judgements.map(({ outcome, reasoning }, index) =>
    criteria ? `${criteria[index]?.name}: ${rounded(Number(outcome))}. ${reasoning}` : reasoning,
  );
  return { score: weighted / total, reason: lines.join('\n') };
}

/** The score of the baseline by a comparison with itself. */
export const ofBaseline: JudgeFinding = {
  pass: true,
  score: 0.5,
  reason: 'the baseline, with which others are compared',
  error: null,
};

/** The assertions of a check with what judges have found about them; the judgements are in the order of its questions. */
export const withJudgements = (
  rule: ScorerRule,
  assertions: readonly Assertion[],
  judgements: readonly Judgement[],
): Assertion[] => {
  const questions = questionsAbout(rule, assertions);
  const findings = questions.map((question, at) => scoreJudged(question.rule, judgements.slice(at, at + 1)));
  return withFindings(assertions, findings.values());
};

/** The score of a check whose assertions judges have decided: a judgement that is missing makes it an error. */
export function unlessMissing<S extends Finding>(score: S, judgements: readonly Judgement[]): S & JudgeFinding {
  const missing = judgements.find(({ outcome }) => outcome === null);
  return { ...score, ...(missing && { pass: false }), error: missing?.reasoning ?? null };
}
