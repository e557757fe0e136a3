import { describe, expect, it } from '@jest/globals';
import { type LensDraft, settleDrafts } from './lens-draft.js';

describe('settleDrafts', () => {
  const draft: LensDraft = { templateBody: 'one', settings: null, changelog: '', baseVersionId: 'v1' };
  const [first, second] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:05Z'];
  const account = { ...draft, templateBody: 'other', continues: second, isKept: true };

  it.each([
    ['takes the draft of the account in a browser without one', undefined, account, 'take'],
    ['has nothing to do without a draft', undefined, undefined, 'stay'],
    ['keeps a draft that the account does not have', draft, undefined, 'stay'],
    ['drops a draft that was saved or discarded in another browser', { ...draft, isKept: true }, undefined, 'drop'],
    ['keeps what was typed after the draft of the account', { ...draft, continues: second }, account, 'stay'],
    ['takes a later draft over an unchanged one', { ...draft, continues: first, isKept: true }, account, 'take'],
    ['asks when both browsers changed it', { ...draft, continues: first }, account, 'ask'],
    ['asks when both browsers began one', draft, account, 'ask'],
    ['does not ask about the same text', { ...account, continues: first, isKept: false }, account, 'take'],
  ] as const)('%s', (_, own, kept, expected) => {
    expect(settleDrafts(own, kept)).toBe(expected);
  });

  it('does not see a model whose name is not written yet as a change', () => {
    const own = { ...account, settings: { models: ['offline/echo', ''] }, continues: first, isKept: false };
    expect(settleDrafts(own, { ...account, settings: { models: ['offline/echo'] } })).toBe('take');
  });
});
