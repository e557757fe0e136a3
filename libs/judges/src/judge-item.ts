import type { TokenDetails } from '@lensforge/contracts';
import { type TokenUsage, addTokenDetails } from '@lensforge/models';
import { type FencedText, absentToken, visible } from './fence.js';
import { type JudgePrompt, criterionPrompt, filledPrompt, pairPrompt, repairPrompt } from './judge-prompts.js';
import { type AnswerSchema, choiceSchema, levelSchema } from './judge-schemas.js';
import type { Anchors, Choice, Mark } from './judgements.js';
import { readJudgement } from './read-judgement.js';

export interface JudgeRequest {
  prompt: string;
  schema: AnswerSchema;
  /** The same for every repeat of the same request. */
  idempotencyKey: string;
}

/**
 * The answer of a model; `refusal` is the reason of a provider that does not answer this prompt, such as a content filter, and
 * `unpaid` the reason why it was not requested.
 */
export type JudgeAnswer = ({ text: string } | { refusal: string } | { unpaid: string }) & {
  usage: TokenUsage;
  tokenDetails?: TokenDetails | null;
  cost: number;
};

/** Requests an answer from a model. It rejects where a later attempt may succeed, and does not check the answer's text. */
export type AskJudge = (request: JudgeRequest) => Promise<JudgeAnswer>;

/** A judgement of a model with the prompt that led to it and the sums of its requests. */
export interface Judged<T> {
  outcome: T | 'abstained' | 'unpaid';
  reasoning: string;
  promptVersion: string;
  promptHash: string;
  attempts: number;
  usage: TokenUsage;
  tokenDetails: TokenDetails | null;
  cost: number;
}

/** A question to a judge: its prompt, the schema of its answers, and how an answer is read. */
export interface JudgeQuestion<T> extends Pick<JudgeRequest, 'prompt' | 'schema'> {
  of: JudgePrompt;
  read(text: string): { outcome: T; reasoning: string } | { fault: string };
}

/** A comparison of two texts in one order. */
export interface PairTexts {
  /** Unique within the run, and the same for every repeat; not a part of the prompt. */
  key: string;
  task: string;
  first: string;
  second: string;
}

/** A question about which of two texts is better; a win needs the same choice in the swapped order. */
export function pairQuestion({ key, task, first, second }: PairTexts): JudgeQuestion<Choice> {
  const boundary = absentToken(key, [task, first, second]);
  const texts = [
    { title: 'TASK', text: task },
    { title: 'FIRST TEXT', text: first },
    { title: 'SECOND TEXT', text: second },
  ];
  return {
    of: pairPrompt,
    prompt: filledPrompt(pairPrompt, { texts, boundary }),
    schema: choiceSchema,
    read: (text) => {
      const found = readJudgement(text, choiceSchema, 'choice');
      return 'fault' in found ? found : { outcome: found.value as Choice, reasoning: found.reasoning };
    },
  };
}

export interface Level<T> {
  value: T;
  /** Its name in the reasoning. */
  name: string;
  /** The text that is on it. */
  meaning: string;
}

export interface LevelTexts<T> {
  /** Unique within the run, and the same for every repeat; not a part of the prompt. */
  key: string;
  of: JudgePrompt;
  texts: readonly FencedText[];
  levels: readonly Level<T>[];
}

/**
 * A question about the level of a text. Levels have codes that no author of a text can know, in an order without meaning, so that
 * a mark in the text is no valid answer.
 */
export function levelQuestion<T>({ key, of, texts, levels }: LevelTexts<T>): JudgeQuestion<T> {
  const data = [...texts.map(({ text }) => text), ...levels.map(({ meaning }) => meaning)];
  const boundary = absentToken(key, data);
  const coded = levels.map(({ meaning, ...level }, index) => ({
    ...level,
    code: absentToken(`${key}:${index + 1}`, data, 8),
    meaning: visible(meaning).replace(/\s+/g, ' '),
  }));
  const sorted = [...coded].sort((one, other) => (one.code < other.code ? -1 : 1));
  const schema = levelSchema(sorted.map(({ code }) => code));
  const lines = sorted.map(({ code, meaning }) => `${code}: ${meaning}`).join('\n');
  return {
    of,
    prompt: filledPrompt(of, { texts, boundary, levels: lines }),
    schema,
    read: (text) => {
      const found = readJudgement(text, schema, 'level');
      if ('fault' in found) return found;
      const level = coded.find(({ code }) => code === found.value);
      if (!level) return { fault: 'did not have the members and values asked for' };
      const reasoning = coded.reduce((said, { code, name }) => said.replaceAll(code, `(${name})`), found.reasoning);
      return { outcome: level.value, reasoning };
    },
  };
}

/** A text to judge by one criterion. */
export interface CriterionText extends Pick<LevelTexts<Mark>, 'key'> {
  task: string;
  text: string;
  criterion: { name: string; description: string; anchors: Anchors };
}

/** A question about the mark of a text by one criterion. */
export function criterionQuestion({ key, task, text, criterion }: CriterionText): JudgeQuestion<Mark> {
  const { name, description, anchors } = criterion;
  return levelQuestion({
    key,
    of: criterionPrompt,
    texts: [
      { title: 'TASK', text: task },
      { title: 'TEXT', text },
      { title: 'CRITERION', text: `${name}: ${description}` },
    ],
    levels: anchors.map((meaning, index) => ({ value: (index + 1) as Mark, name: `mark ${index + 1}`, meaning })),
  });
}

/** Asks once, once more for an answer that can be read, and then records an abstention. */
export async function askJudge<T>(ask: AskJudge, key: string, question: JudgeQuestion<T>): Promise<Judged<T>> {
  const { prompt, schema, of } = question;
  const usage: TokenUsage = { input: 0, output: 0 };
  let tokenDetails: TokenDetails | null = null;
  let cost = 0;
  let fault = '';
  let attempts = 0;
  const result = (outcome: Judged<T>['outcome'], reasoning: string): Judged<T> => {
    const { version: promptVersion, hash: promptHash } = of;
    return { outcome, reasoning, promptVersion, promptHash, attempts, usage, tokenDetails, cost };
  };
  for (const request of [
    () => ({ prompt, schema, idempotencyKey: key }),
    () => ({ prompt: repairPrompt(prompt, fault), schema, idempotencyKey: `${key}:repair` }),
  ]) {
    const answer = await ask(request());
    attempts += 1;
    usage.input += answer.usage.input;
    usage.output += answer.usage.output;
    tokenDetails = addTokenDetails(tokenDetails, answer.tokenDetails ?? null);
    cost += answer.cost;
    if ('unpaid' in answer)
      return result(attempts === 1 ? 'unpaid' : 'abstained', `The judge abstains: ${answer.unpaid}`);
    if ('refusal' in answer) return result('abstained', `The judge abstains: ${answer.refusal}`);
    const read = question.read(answer.text);
    if (!('fault' in read)) return result(read.outcome, read.reasoning);
    ({ fault } = read);
  }
  return result('abstained', `The judge abstains: two answers could not be read, and the second one ${fault}.`);
}

/** Has a model compare two texts. */
export const judgePair = (ask: AskJudge, texts: PairTexts): Promise<Judged<Choice>> =>
  askJudge(ask, texts.key, pairQuestion(texts));

/** Has a model judge a text by one criterion. */
export const judgeCriterion = (ask: AskJudge, text: CriterionText): Promise<Judged<Mark>> =>
  askJudge(ask, text.key, criterionQuestion(text));
