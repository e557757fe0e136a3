import { expect, it } from '@jest/globals';
import { estimateExecution } from './estimate.js';

const prices = { creditsPer1kInput: 10, creditsPer1kOutput: 30 };

it('estimates the credits of a filled template, rounded up', () => {
  const words = 'x'.repeat(800);
  expect(estimateExecution('Say [[What]] to [[Whom!]]', { What: words }, prices)).toEqual({
    promptTokens: 202,
    promptCredits: 3,
    answerCredits: 30,
  });
});

it('costs nothing with a free model', () => {
  const free = { creditsPer1kInput: 0, creditsPer1kOutput: 0 };
  expect(estimateExecution('Hello', {}, free)).toEqual({ promptTokens: 2, promptCredits: 0, answerCredits: 0 });
});
