import { describe, expect, it } from '@jest/globals';
import { StopTexts } from './stop-texts.js';

/** Passes an answer on that arrives in these pieces. */
function pass(stops: readonly string[], pieces: readonly string[]): { parts: string[]; isEnded: boolean } {
  const texts = new StopTexts(stops);
  const parts: string[] = [];
  for (const piece of pieces) {
    parts.push(texts.add(piece));
    if (texts.isEnded) return { parts, isEnded: true };
  }
  return { parts: [...parts, texts.end()], isEnded: false };
}

describe('texts that end an answer', () => {
  it.each<[string, string[], string[], string, boolean]>([
    ['within a piece', ['END'], ['one END two'], 'one ', true],
    ['over pieces', ['END'], ['one E', 'N', 'D two'], 'one ', true],
    ['the first of several', ['two', 'one'], ['a one two'], 'a ', true],
    ['at the beginning', ['#'], ['#one'], '', true],
    ['that only begins', ['END'], ['one E', 'N'], 'one EN', false],
    ['with a repeated beginning', ['aab'], ['aa', 'ab'], 'a', true],
    ['none', [], ['one', 'two'], 'onetwo', false],
  ])('%s', (_, stops, pieces, text, isEnded) => {
    const passed = pass(stops, pieces);
    expect([passed.parts.join(''), passed.isEnded]).toEqual([text, isEnded]);
  });

  it('passes at once what begins none', () => {
    expect(pass(['END'], ['one ', 'two E', 'lse']).parts).toEqual(['one ', 'two ', 'Else', '']);
  });
});
