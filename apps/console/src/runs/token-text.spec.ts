import { describe, expect, it } from '@jest/globals';
import { costText, tokenText } from './token-text';

const used = { tokenInput: 10000, tokenOutput: 500, creditCost: 9 };
const tokenDetails = { cachedInput: 9000, cacheWrite: 0, reasoning: 100, creditsSaved: 16 };

describe('the tokens of a run', () => {
  it('are shown with those that came from a cache or of reasoning', () => {
    expect(tokenText({ ...used, tokenDetails })).toBe('10000 → 500 (9,000 cached, 100 reasoning)');
    expect(tokenText({ ...used, tokenDetails: null })).toBe('10000 → 500');
    expect(tokenText({ tokenInput: null, tokenOutput: null })).toBe('– → –');
  });

  it('show what caches have saved', () => {
    expect(costText({ ...used, tokenDetails })).toBe('9 (16 saved by caches)');
    expect(costText({ ...used, tokenDetails: null })).toBe('9');
    expect(costText({ creditCost: null })).toBe('–');
  });
});
