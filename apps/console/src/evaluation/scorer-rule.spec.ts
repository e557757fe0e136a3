import { describe, expect, it } from '@jest/globals';
import { readRule } from './scorer-rule.js';

const fields =
  (values: Record<string, string>) =>
  (name: string): string =>
    values[name] ?? '';

describe('readRule', () => {
  it('has the members of its kind alone, without those that are empty', () => {
    expect(readRule('check', fields({ type: 'contains', value: 'sea', threshold: '', model: 'x/y' }))).toEqual({
      kind: 'check',
      assertions: [{ type: 'contains', value: 'sea' }],
    });
    expect(readRule('check', fields({ type: 'equals', value: '' }))).toEqual({
      kind: 'check',
      assertions: [{ type: 'equals' }],
    });
    expect(readRule('model', fields({ method: 'rubric', rubric: 'Is it polite?', threshold: '0.8' }))).toEqual({
      kind: 'model',
      method: 'rubric',
      rubric: 'Is it polite?',
      threshold: 0.8,
    });
    expect(readRule('pairwise', fields({ model: 'offline/echo', rubric: 'x' }))).toEqual({
      kind: 'pairwise',
      model: 'offline/echo',
    });
    expect(readRule('http', fields({ url: 'https://example.com/score' }))).toEqual({
      kind: 'http',
      url: 'https://example.com/score',
    });
  });
});
