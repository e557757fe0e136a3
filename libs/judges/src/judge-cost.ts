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
