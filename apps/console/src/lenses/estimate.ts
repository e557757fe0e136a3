import type { shapes } from '@lensforge/sdk';
import { splitTemplate, roughTokens } from './template';

export interface Estimate {
  /** Of the filled template. */
  promptTokens: number;
  promptCredits: number;
  /** For each 1,000 tokens of an answer. */
  answerCredits: number;
}

/** The tokens and credits of an execution, about. */
export function estimateExecution(
  template: string,
  values: Readonly<Record<string, string>>,
  { creditsPer1kInput, creditsPer1kOutput }: Pick<shapes.ModelItem, 'creditsPer1kInput' | 'creditsPer1kOutput'>,
): Estimate {
  const prompt = splitTemplate(template).map(({ text, parameter }) =>
    parameter === undefined ? text : (values[parameter] ?? ''),
  );
  const promptTokens = roughTokens(prompt.join(''));
  return {
    promptTokens,
    promptCredits: Math.ceil((promptTokens * creditsPer1kInput) / 1000),
    answerCredits: creditsPer1kOutput,
  };
}
