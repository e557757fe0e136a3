import { describe, expect, it } from '@jest/globals';
import { Random } from '@lensforge/core';
import { compareOffline, markOffline } from './offline-judge.js';
import { measureText } from './text-features.js';

const task = 'Explain how photosynthesis turns sunlight, water and carbon dioxide into sugar and oxygen.';
const good =
  'Photosynthesis happens in chloroplasts. There, chlorophyll absorbs sunlight, whose energy splits water into hydrogen and oxygen. ' +
  'The oxygen leaves the leaf. In the Calvin cycle, the plant then binds carbon dioxide and builds sugar from it, which stores the energy.';
const weak = 'Plants are green. I like the sea in summer, and my sister likes long walks through the town.';
const measured = (text: string): ReturnType<typeof measureText> => measureText(task, text);
const compared = (one: string, other: string): string => compareOffline(measured(one), measured(other)).choice;

describe('compareOffline', () => {
  it('chooses the text that is about the task, in either order', () => {
    expect(compared(good, weak)).toBe('first');
    expect(compared(weak, good)).toBe('second');
    expect(compared(good, good)).toBe('tie');
  });

  it.each([
    ['an empty text', ''],
    ['invisible characters', '\u200B\u2060'.repeat(500)],
    ['a copy of the task', task],
    ['many copies of the task', `${task}\n`.repeat(500)],
    ['the same answer many times', `${good}\n`.repeat(100)],
    ['one word many times', 'photosynthesis '.repeat(5000)],
    ['100,000 letters', 'a'.repeat(100_000)],
    ['control characters', good.replaceAll(' ', ' \u0007\u001B\u0000')],
    ['words in a row without sentences', good.replaceAll(/[^a-z]+/gi, '').repeat(3)],
  ])('prefers an answer to %s', (_, text) => {
    expect(compared(good, text)).toBe('first');
    expect(compared(text, good)).toBe('second');
  });

  it('gains a text nothing by more length', () => {
    expect(compared(`${good}\n${weak.repeat(20)}`, good)).not.toBe('first');
  });

  it('mirrors its choice for all swapped texts, the same each time', () => {
    const words = [...good.split(' '), ...weak.split(' '), '\u0000', '\n', '東京', task];
    const random = new Random(1);
    const some = (): string =>
      Array.from(
        { length: 1 + Math.floor(random.uniform() * 60) },
        () => words[Math.floor(random.uniform() * words.length)],
      ).join(' ');
    const mirrored: Record<string, string> = { first: 'second', second: 'first', tie: 'tie' };
    for (let count = 0; count < 200; count += 1) {
      const [one, other] = [some(), some()];
      expect(compared(one, other)).toBe(mirrored[compared(other, one)]);
      expect(compareOffline(measured(one), measured(other))).toEqual(compareOffline(measured(one), measured(other)));
    }
  });

  it('says that no model was asked, and names each feature with its value', () => {
    const { reasoning } = compareOffline(measured(good), measured(weak));
    expect(reasoning).toContain('no model was asked');
    const features = [
      'words of the task',
      'own words',
      'variety of wording',
      'readable sentences',
      'printable characters',
    ];
    for (const feature of [...features, 'length beside the others']) {
      expect(reasoning).toMatch(
        new RegExp(`First text: .*${feature} \\d\\.\\d\\d.*Second text: .*${feature} \\d\\.\\d\\d`),
      );
    }
  });

  it('reads languages without blanks between words', () => {
    const question = '光合作用如何把阳光、水和二氧化碳变成糖和氧气？';
    const answer =
      '植物的叶绿体吸收阳光。阳光的能量把水分解成氢和氧气，氧气离开叶子。随后植物用二氧化碳合成糖，储存能量。';
    const other = '我喜欢夏天的大海。我的姐姐喜欢在城里散步。';
    expect(compareOffline(measureText(question, answer), measureText(question, other)).choice).toBe('first');
  });
});

describe('measureText', () => {
  it('measures each feature by itself', () => {
    const distinct = Array.from({ length: 70 }, (_, index) => `photosynthesis${index} `).join('');
    expect(measured(distinct)).toMatchObject({ words: 70, variety: 1, ownWords: 1, sentences: 0, printable: 1 });
    expect(measured(distinct.replaceAll('9 ', '9. '))).toMatchObject({ words: 70, sentences: 1 });
    expect(measured(task)).toMatchObject({ relevance: 0, ownWords: 0, sentences: 1 });
    expect(measured('Sunlight moves water.')).toMatchObject({ words: 3, relevance: 0.4 });
    expect(measured('no no no no no no no no no no').variety).toBeCloseTo(1 / 8 / 0.8, 5);
    expect(measured('nine char\u0000').printable).toBe(0);
    expect(measured(`${'a'.repeat(99)}\u202E`).printable).toBeCloseTo(0.9, 5);
  });

  it('reads at most 100,000 characters', () => {
    expect(measured('a '.repeat(200_000)).words).toBe(50_000);
  });
});

describe('markOffline', () => {
  const all = [measured(good), measured(weak), measured('')];
  const mark = (text: string, criterion: string): number => markOffline(measured(text), { criterion, all }).mark;

  it('marks a good text above a weak one, and an empty one lowest', () => {
    for (const criterion of ['relevance', 'completeness', 'correctness', 'originality']) {
      expect(mark(good, criterion)).toBeGreaterThan(mark(weak, criterion));
      expect(mark('', criterion)).toBe(1);
    }
    expect(mark(good, 'relevance')).toBe(5);
    expect(mark('', 'clarity')).toBe(1);
  });

  it('says when no feature measures the criterion', () => {
    expect(markOffline(measured(good), { criterion: 'correctness', all }).reasoning).toContain('all of them count');
    expect(markOffline(measured(good), { criterion: 'clarity', all }).reasoning).toMatch(/readable sentences \d/);
    expect(markOffline(measured(good), { criterion: 'constructor', all }).reasoning).toContain('all of them count');
  });

  it('does not depend on the order of the texts', () => {
    const other = markOffline(measured(good), { criterion: 'completeness', all: all.toReversed() });
    expect(other).toEqual(markOffline(measured(good), { criterion: 'completeness', all }));
  });
});
