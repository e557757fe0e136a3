import { describe, expect, it } from '@jest/globals';
import { estimateMaxTokens, estimateTokens } from './estimate-tokens.js';

describe('estimateMaxTokens', () => {
  it.each([
    ['English', 'The quick brown fox goes home to sleep. '],
    ['Chinese', '我们今天去公园散步，然后吃了一顿非常好吃的午饭。'],
    ['Amharic', 'ዛሬ ወደ መናፈሻ ሄድን ከዚያም ጣፋጭ ምሳ በላን። '],
    ['Cherokee', 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ '],
    ['emoji', '😀🎉🚀'],
    ['code', 'x[i]=(a[i]+b[i])*2; '],
  ])('covers the tokens of %s, in short and in long texts', async (_, words) => {
    for (const text of [words, words.repeat(30), words.repeat(3000)]) {
      const [most, counted] = [await estimateMaxTokens(text), await estimateTokens(text)];
      expect(most).toBeGreaterThanOrEqual(0.97 * counted);
      expect(most).toBeLessThanOrEqual(Math.max(1.6 * counted, counted + 10));
    }
  });

  it('finds dense text behind a beginning of plain words', async () => {
    const text = 'word '.repeat(2000) + 'ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ '.repeat(2000);
    expect(await estimateMaxTokens(text)).toBeGreaterThan(0.8 * (await estimateTokens(text)));
  });

  it('counts the same again, whatever was counted between', async () => {
    const texts = ['One step of an agent. ', 'Another step, which is longer. '.repeat(200)];
    const first = await Promise.all(texts.map((text) => estimateMaxTokens(text)));
    expect(await Promise.all(texts.map((text) => estimateMaxTokens(text)))).toEqual(first);
    expect(first[1]).toBeGreaterThan(100 * (first[0] ?? 0));
  });

  it('counts an empty text as no token', async () => {
    expect(await estimateMaxTokens('')).toBe(0);
  });
});
