import { describe, expect, it } from '@jest/globals';
import { completionsFor, matching, wordBefore } from './completions.js';

const graph = {
  nodes: [
    { id: 'draft', type: 'lens' },
    { id: 'two-words', type: 'http' },
    { id: 'last', type: 'delay' },
  ],
  edges: [
    { from: 'draft', to: 'two-words', input: 'body' },
    { from: 'two-words', to: 'last' },
  ],
  inputs: { properties: { topic: {} } },
};
const known = { inputs: { size: 1 }, outputs: new Map([['draft', { text: 'x', meta: { tokens: 3 } }]]) };
const textsFor = (node?: string): string[] => completionsFor(graph, node, known).map(({ text }) => text);

describe('completionsFor', () => {
  it('has the inputs of the schema and of the last run, and the outputs of the nodes before', () => {
    const texts = textsFor('two-words');
    expect(texts).toEqual(expect.arrayContaining(['inputs.topic', 'inputs.size', 'input.body', 'nodes.draft.status']));
    expect(texts).toEqual(expect.arrayContaining(['nodes.draft.output.text', 'nodes.draft.output.meta.tokens']));
    expect(texts.filter((text) => text.includes('last') || text.includes('two-words'))).toEqual([]);
  });

  it('has the item of a map within its graph alone', () => {
    const inMap = completionsFor(graph, 'last', { ...known, isInMap: true }).map(({ text }) => text);
    expect(inMap).toEqual(expect.arrayContaining(['item', 'index']));
    expect(textsFor('last')).not.toContain('item');
  });

  it('writes ids with other characters in brackets', () => {
    expect(textsFor('last')).toContain('nodes["two-words"].output');
  });
});

describe('matching', () => {
  const all = completionsFor(graph, 'last', known);
  const found = (text: string): string[] => matching(all, text, text.length).map(({ text }) => text);

  it('continues the word at the cursor', () => {
    expect(found('size(nodes.draft.output.te')).toEqual(['nodes.draft.output.text']);
    expect(found('inputs.items.fil')).toEqual(['.filter(']);
    expect(found('1 + ')).toEqual([]);
    expect(matching(all, 'inputs.to + 1', 9)).toMatchObject([{ text: 'inputs.topic', from: 0 }]);
  });

  it('takes brackets as a part of the word', () => {
    expect(wordBefore('x + nodes["two-w', 16)).toBe('nodes["two-w');
    expect(found('nodes["two-words"].st')).toEqual(['nodes["two-words"].status', '.startsWith(']);
  });
});
