import { describe, expect, it } from '@jest/globals';
import { textCovariates } from './text-covariates.js';

describe('textCovariates', () => {
  it.each([
    ['', 0, 0],
    ['naïve 👍', 7, 0],
    ['# Title\n\n- one\n- two\n\nplain **bold** and **more**', 49, 5],
    ['1. one\n| a | b |\n```js\nx * y\n```', 32, 4],
    ['not a #heading, 2 * 3 * 4', 25, 0],
  ])('measures %j', (text, characters, marks) => {
    expect(textCovariates(text)).toEqual({ length: Math.log1p(characters), format: Math.log1p(marks) });
  });

  it('reads long hostile texts in linear time', () => {
    expect(textCovariates('**'.repeat(200_000)).format).toBeGreaterThanOrEqual(0);
  });
});
