import { describe, expect, it } from '@jest/globals';
import { PromptPrefixes } from './prompt-prefixes.js';

const text = 'Rules of the house. '.repeat(300);

describe('the prefixes of prompts', () => {
  it('are repeated when the same model got them within five minutes', () => {
    let now = 0;
    const prefixes = new PromptPrefixes(() => now);
    const isRepeated = (model = 'm', account = 'anthropic') =>
      prefixes.register(account, model, { system: '', prompt: text })?.isRepeated;
    expect([isRepeated(), isRepeated(), isRepeated('other'), isRepeated('m', 'anthropic#key')]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    now = 299_999;
    expect(isRepeated()).toBe(true);
    now += 300_000;
    expect(isRepeated()).toBe(false);
  });

  it('have a length, and a key that tells them apart', () => {
    const prefixes = new PromptPrefixes(() => 0);
    const [one, other] = [text, `${text}!`].map((beginning) =>
      prefixes.register('openai', 'm', { system: 'S', prompt: beginning }),
    );
    expect(one?.length).toBe(text.length);
    expect(one?.key).not.toBe(other?.key);
    expect(one?.key).toHaveLength(43);
  });

  it('are not cached when they are short', () => {
    const register = (system: string, prompt: string) =>
      new PromptPrefixes(() => 0).register('openai', 'm', { system, prompt });
    expect(register('', text.slice(0, 4095))).toBeUndefined();
    expect(register('S', text.slice(0, 4095))?.length).toBe(4095);
  });
});
