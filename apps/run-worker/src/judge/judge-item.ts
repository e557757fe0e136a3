import type { Anchors, Choice, Mark } from '@lensforge/battles';
import type { TokenDetails } from '@lensforge/contracts';
import { type TokenUsage, addTokenDetails } from '@lensforge/models';
import { absentToken, visible } from './fence.js';
import { type JudgePrompt, criterionPrompt, filledPrompt, pairPrompt, repairPrompt } from './judge-prompts.js';
import { type AnswerSchema, choiceSchema, levelSchema } from './judge-schemas.js';
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

/** A comparison of two texts in one order. */
export interface PairTexts {
  /** Unique within the run, and the same for every repeat; not a part of the prompt. */
  key: string;
  task: string;
  first: string;
  second: string;
}

/** A text to judge by one criterion. */
export interface CriterionText {
  /** Unique within the run, and the same for every repeat; not a part of the prompt. */
  key: string;
  task: string;
  text: string;
  criterion: { name: string; description: string; anchors: Anchors };
}

/** Has a model compare two texts; a win needs the same choice in the swapped order. */
export async function judgePair(ask: AskJudge, { key, task, first, second }: PairTexts): Promise<Judged<Choice>> {
  const boundary = absentToken(key, [task, first, second]);
  const texts = [
    { title: 'TASK', text: task },
    { title: 'FIRST TEXT', text: first },
    { title: 'SECOND TEXT', text: second },
  ];
  const prompt = filledPrompt(pairPrompt, { texts, boundary });
  const question = { key, prompt, schema: choiceSchema, member: 'choice', of: pairPrompt } as const;
  return judged(ask, question, (value) => value as Choice);
}

/**
 * Has a model judge a text by one criterion. Levels have codes that no author of a text can know, in an order without meaning,
 * so that a mark in the text is no valid answer.
 */
export async function judgeCriterion(
  ask: AskJudge,
  { key, task, text, criterion }: CriterionText,
): Promise<Judged<Mark>> {
  const { name, description, anchors } = criterion;
  const data = [task, text, name, description, ...anchors];
  const boundary = absentToken(key, data);
  const levels = anchors.map((anchor, index) => ({
    mark: (index + 1) as Mark,
    code: absentToken(`${key}:${index + 1}`, data, 8),
    anchor: visible(anchor).replace(/\s+/g, ' '),
  }));
  const sorted = [...levels].sort((one, other) => (one.code < other.code ? -1 : 1));
  const texts = [
    { title: 'TASK', text: task },
    { title: 'TEXT', text },
    { title: 'CRITERION', text: `${name}: ${description}` },
  ];
  const prompt = filledPrompt(criterionPrompt, {
    texts,
    boundary,
    levels: sorted.map(({ code, anchor }) => `${code}: ${anchor}`).join('\n'),
  });
  const schema = levelSchema(sorted.map(({ code }) => code));
  const toMark = (value: string): Mark => levels.find(({ code }) => code === value)?.mark ?? 1;
  const found = await judged(ask, { key, prompt, schema, member: 'level', of: criterionPrompt }, toMark);
  const reasoning = levels.reduce((said, { code, mark }) => said.replaceAll(code, `(mark ${mark})`), found.reasoning);
  return { ...found, reasoning };
}

interface Question {
  key: string;
  prompt: string;
  schema: AnswerSchema;
  member: 'choice' | 'level';
  of: JudgePrompt;
}

/** Asks once, once more for an answer that can be read, and then records an abstention. */
async function judged<T>(
  ask: AskJudge,
  { key, prompt, schema, member, of }: Question,
  outcomeOf: (value: string) => T,
): Promise<Judged<T>> {
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
    const read = readJudgement(answer.text, schema, member);
    if (!('fault' in read)) return result(outcomeOf(read.value), read.reasoning);
    ({ fault } = read);
  }
  return result('abstained', `The judge abstains: two answers could not be read, and the second one ${fault}.`);
}
