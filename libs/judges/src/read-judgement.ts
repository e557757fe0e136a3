import { faultAgainstSchema } from '@lensforge/models';
import { visible } from './fence.js';
import type { AnswerSchema } from './judge-schemas.js';

const maxAnswer = 20_000;
const maxReasoning = 1000;

/** A valid answer of a judge, or its fault, which repeats nothing of it. */
export type ReadJudgement = { reasoning: string; value: string } | { fault: string };

/** Reads an answer that is exactly one JSON object by its schema; `name` is the member with the value. */
export function readJudgement(text: string, schema: AnswerSchema, name: 'choice' | 'level'): ReadJudgement {
  if (text.length > maxAnswer) return { fault: `was longer than ${maxAnswer} characters` };
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { fault: 'was not one JSON object' };
  }
  if (faultAgainstSchema(schema, answer) !== undefined)
    return { fault: 'did not have the members and values asked for' };
  const { reasoning, [name]: value = '' } = answer as { reasoning: string } & Partial<Record<typeof name, string>>;
  return { reasoning: cut(visible(reasoning).trim()), value };
}

const cut = (text: string): string =>
  text.length > maxReasoning ? `${text.slice(0, maxReasoning - 1).toWellFormed()}…` : text;
