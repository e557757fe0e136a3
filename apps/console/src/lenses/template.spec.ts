import { describe, expect, it } from '@jest/globals';
import {
  listParameters,
  listProblems,
  listJsonNames,
  readSectionValue,
  splitTemplate,
  roughTokens,
} from './template.js';

describe('splitTemplate', () => {
  it('separates parameters from text, and loses nothing', () => {
    const template = 'Write to [[Name]] about [[Topic!]]. \\[[Not this]]';
    expect(splitTemplate(template)).toEqual([
      { text: 'Write to ' },
      { text: '[[Name]]', parameter: 'Name' },
      { text: ' about ' },
      { text: '[[Topic!]]', parameter: 'Topic' },
      { text: '. \\[[Not this]]' },
    ]);
    expect(
      splitTemplate(template)
        .map(({ text }) => text)
        .join(''),
    ).toBe(template);
  });
});

describe('listParameters', () => {
  it('lists each parameter once; it is optional only if all its places are', () => {
    expect(listParameters('[[A!]] [[B]] [[A!]] [[B!]]')).toEqual([
      { label: 'A', optional: true },
      { label: 'B', optional: false },
    ]);
    expect(listParameters('none')).toEqual([]);
  });

  it('lists sections and the names within them as optional, as the server does', () => {
    expect(
      listParameters('[[#Items]][[.]] [[title]] [[shop.name]][[/Items]][[^ Tone ]]-[[/tone]][[Title]] [[#A]]'),
    ).toEqual([
      { label: 'Items', optional: true },
      { label: 'title', optional: false },
      { label: 'shop', optional: true },
      { label: 'Tone', optional: true },
      { label: '#A', optional: false },
    ]);
  });
});

it('reads the values of sections as JSON, or as they are', () => {
  expect([...listJsonNames('[[#Items]][[.]][[/ Items ]] [[Name]] [[#Open]]')]).toEqual(['items']);
  expect(['[{"a":1}]', 'false', 'kind', '[x'].map(readSectionValue)).toEqual([[{ a: 1 }], false, 'kind', '[x']);
});

it('tells faults that the server refuses, and text that only looks like a parameter', () => {
  const long = 'A sentence that is long enough for a template of a lens. ';
  const kindsIn = (template: string): string[] => listProblems(template).map(({ kind }) => kind);
  expect(kindsIn(`${long}[[Name]] \\[[ and \\[[x]]`)).toEqual([]);
  expect(kindsIn('')).toEqual([]);
  expect(listProblems('Too short')).toEqual([{ kind: 'short', length: 9, text: '' }]);
  expect(kindsIn(long.repeat(2000))).toEqual(['long']);
  for (const open of ['[[', '[[]]', '[[ Name']) expect(kindsIn(long + open)).toEqual(['open']);
  expect(listProblems(`${long}{{Name}}`)).toMatchObject([{ kind: 'braces', text: '{{Name}}' }]);
});

it('estimates tokens', () => {
  expect(['', '12345', 'слово', '你好世界'].map(roughTokens)).toEqual([0, 2, 3, 3]);
});

it('knows the roles of messages, and earlier messages', () => {
  const template =
    '[[@system]]\nBe [[Tone]].\n[[@user]]\n[[history]]\n[[@user]]\n[[@image image/png https://example.com/a.png]]\n[[Question!]]';
  expect(listParameters(template)).toEqual([
    { label: 'Tone', optional: false },
    { label: 'history', optional: true },
    { label: 'Question', optional: true },
  ]);
  expect([...listJsonNames(template)]).toEqual(['history']);
  expect(listParameters('Say [[@user]] and [[history]]')).toEqual([
    { label: '@user', optional: false },
    { label: 'history', optional: false },
  ]);
});
