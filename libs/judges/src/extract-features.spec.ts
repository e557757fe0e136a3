import { afterAll, describe, expect, it } from '@jest/globals';
import { closeSandbox } from '@lensforge/sandbox';
import { extractFeatures } from './extract-features.js';
import { measureText } from './text-features.js';

const limits = { account: 'a' };

afterAll(() => closeSandbox());

describe('extractFeatures', () => {
  it('measures a text of 100,000 characters within the limits of the sandbox', async () => {
    const text = '東京都の人口は多い。'.repeat(10_000);
    expect(await extractFeatures('東京について', text, limits)).toEqual(measureText('東京について', text));
  });
});
