import { type Priced, computeCost } from '@lensforge/models';

/** Characters of a text that a judge reads; the same for all texts. */
export const maxJudgedCharacters = 40_000;

/** The limit of tokens of a judge's answer. Models that reason first need more than the answer itself. */
export const maxAnswerTokens = 4000;
const expectedAnswerTokens = 1000;

/** Bytes are closer to tokens than characters, of which some scripts need one token each. */
const bytesPerToken = 4;

/** The expected cost of a request with a prompt of so many bytes. */
export const costOfRequest = (judge: Priced, promptBytes: number): number =>
  computeCost(judge, {
    input: Math.ceil(promptBytes / bytesPerToken),
    output: Math.min(expectedAnswerTokens, judge.maxOutputTokens),
  });

/** The bytes of a prompt apart from the texts of its data: the rules, a criterion with anchors, quotes. */
const rulesBytes = 4000;

export interface TextSizes {
  /** The bytes of the task. */
  task: number;
  /** The bytes of each text, as far as a judge reads it. */
  texts: readonly number[];
}

/** The expected cost of judgements with one request each; `compared` texts are in each prompt. */
export function expectedCost(
  judge: Priced,
  { total, compared, sizes: { task, texts } }: { total: number; compared: 1 | 2; sizes: TextSizes },
): number {
  if (total === 0) return 0;
  const mean = texts.reduce((sum, bytes) => sum + bytes, 0) / texts.length;
  return total * costOfRequest(judge, rulesBytes + task + compared * mean);
}
