import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import fc from 'fast-check';
import { type LensFixture, lensFixture } from '../test/lens-fixture.js';
import {
  type LensSearch,
  archiveLens,
  deleteLens,
  findAndRunLens,
  restoreLens,
  searchLenses,
  updateLens,
} from './index.js';
import { aLens } from './testing.js';

let fixture: LensFixture;
beforeAll(async () => {
  fixture = await lensFixture();
  const { owner } = fixture;
  const lenses: Parameters<typeof aLens>[1][] = [
    { title: 'Translate a contract', templateBody: 'Put [[Text]] into plain French.' },
    { title: 'Letters', description: 'You can translate with it too', templateBody: 'Write to [[Name]].' },
    { title: 'Dear friend', templateBody: 'Say hello, or translate [[Words]].' },
    { title: 'Haiku', tags: ['poetry'], templateBody: 'Five, seven, five about [[Theme]].' },
    { title: 'Grüße aus Köln', description: '名前 100%', templateBody: 'Schreibe an [[Größe]] und _alle_.' },
    { title: 'Secret sauce', templateBody: 'The zanzibar recipe of [[Who]].', visibility: 'private' },
    { title: 'Members only', templateBody: 'The zanzibar dance of [[Who]].', visibility: 'community' },
    { title: 'Unfinished', templateBody: 'A zanzibar draft for [[Who]].', status: 'draft' },
  ];
  for (const lens of lenses) await aLens(owner, lens);
});
afterAll(() => fixture.close());

const found = async (
  query: string,
  ctx: Context = fixture.owner,
  more: Partial<LensSearch> = {},
): Promise<string[]> => {
  const { items, total } = await searchLenses(ctx, { query, ...more });
  expect(total).toBe(items.length);
  return items.map(({ title }) => title);
};

describe('searchLenses', () => {
  it('finds words in title, description and newest text, best match first', async () => {
    expect(await found('translate')).toEqual(['Translate a contract', 'Letters', 'Dear friend']);
    expect(await found('TRANSLATING contracts')).toEqual(['Translate a contract']);
    expect(await found('poetry')).toEqual(['Haiku']);
    expect(await found('theme')).toEqual(['Haiku']);
    expect(await found('translate -french')).toEqual(['Letters', 'Dear friend']);
    expect(await found('"plain french"')).toEqual(['Translate a contract']);
    expect((await found('haiku or contract')).sort()).toEqual(['Haiku', 'Translate a contract']);
    expect(await found('GRÜßE köln größe 名前')).toEqual(['Grüße aus Köln']);
  });

  it('finds misspelt words when there is no exact match', async () => {
    expect(await found('trnaslate contarct')).toEqual(['Translate a contract']);
    expect(await found('hiaku')).toEqual(['Haiku']);
    expect(await found('poetrry theeme')).toEqual(['Haiku']);
    expect(await found('GRÜSSE')).toEqual(['Grüße aus Köln']);
    expect(await found('please translate this contract')).toEqual(['Translate a contract']);
    for (const nothing of ['xylophone', 'xylophone quartz', 'qqqq translate', '!!!', '-translate', '&|!', '   ', "'"]) {
      expect([nothing, await found(nothing)]).toEqual([nothing, []]);
    }
  });

  it('finds and counts the lenses that the caller may see', async () => {
    const { owner, stranger, anonymous, platform } = fixture;
    const all = ['Members only', 'Secret sauce', 'Unfinished'];
    for (const ctx of [owner, platform]) expect((await found('zanzibar', ctx)).sort()).toEqual(all);
    for (const word of ['zanzibar', 'zanzibarr']) {
      expect(await found(word, stranger)).toEqual(['Members only']);
      expect(await found(word, anonymous)).toEqual([]);
    }
    expect(await found('zanzibar', owner, { visibility: 'private' })).toEqual(['Secret sauce']);
    expect(await found('zanzibar', owner, { status: 'draft' })).toEqual(['Unfinished']);
    expect(await found('zanzibar', stranger, { status: 'draft' })).toEqual([]);
    expect(await found('zanzibar', stranger, { accountId: stranger.actor.accountId })).toEqual([]);
    expect(await found('zanzibar', stranger, { accountId: owner.actor.accountId })).toEqual(['Members only']);
  });

  it('finds a lens by its current text and status', async () => {
    const { owner } = fixture;
    const lens = await aLens(owner, { title: 'Changing', templateBody: 'first walrus [[It]]' });
    expect(await found('walrus')).toEqual(['Changing']);
    await updateLens(owner, { lensId: lens.id, templateBody: 'second narwhal [[It]]', title: 'Changed' });
    expect([await found('walrus'), await found('narwhal')]).toEqual([[], ['Changed']]);
    await archiveLens(owner, lens.id);
    expect(await found('narwhal')).toEqual([]);
    expect(await found('narwhal', owner, { includeArchived: true })).toEqual(['Changed']);
    await restoreLens(owner, lens.id);
    expect(await found('narwhal')).toEqual(['Changed']);
    await deleteLens(owner, lens.id);
    for (const ctx of [owner, fixture.platform]) {
      expect(await found('narwhal', ctx, { includeArchived: true })).toEqual([]);
    }
  });

  it('paginates, and sorts by the requested order', async () => {
    const page = (offset: number) => searchLenses(fixture.owner, { query: 'translate', limit: 2, offset });
    expect(await page(0)).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true });
    const last = await page(2);
    expect(last).toMatchObject({ total: 3, hasMore: false, items: [{ title: 'Dear friend' }] });
    expect(await page(3)).toMatchObject({ total: 3, items: [], hasMore: false });
    const newest = ['Dear friend', 'Letters', 'Translate a contract'];
    expect(await found('translate', fixture.owner, { sort: 'newest' })).toEqual(newest);
  });

  it('accepts any text as a query', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom(
        ' ',
        '"',
        "'",
        '%',
        '_',
        '\\',
        ':*',
        '&',
        '|',
        '!',
        '(',
        ')',
        '<->',
        ' or ',
        '-',
        '\0',
        'translate',
        '$1',
        '\ud800',
      ),
    );
    const query = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const { items, total } = await searchLenses(fixture.stranger, { query: text });
        expect(items.length).toBe(total);
      }),
      { numRuns: 150 },
    );
    for (const long of ['x'.repeat(100_000), 'ab '.repeat(30_000), '"'.repeat(50_000), '('.repeat(50_000)]) {
      expect(await found(long)).toEqual([]);
    }
    expect([await found('%'), await found('_')]).toEqual([[], []]);
  });
});

describe('findAndRunLens', () => {
  it('fills in the best match, or lists its missing parameters', async () => {
    const { owner, stranger } = fixture;
    const [lens] = (await searchLenses(owner, { query: 'contract' })).items;
    expect(await findAndRunLens(stranger, { query: 'translate', paramValues: { TEXT: '[[Name]] $&' } })).toEqual({
      status: 'ready',
      resolvedPrompt: 'Put [[Name]] $& into plain French.',
      lensTitle: 'Translate a contract',
      lensDescription: '',
      lensId: lens?.id,
    });
    expect(await findAndRunLens(stranger, { query: 'translate' })).toEqual({
      status: 'needs_params',
      missing: ['Text'],
      allParameters: [{ id: expect.any(String), label: 'Text', optional: false }],
      lensTitle: 'Translate a contract',
      lensId: lens?.id,
    });
    expect(await findAndRunLens(stranger, { query: 'xylophone' })).toEqual({ status: 'no_match', query: 'xylophone' });
  });

  it('skips drafts, hidden lenses and lenses of another visibility than requested', async () => {
    const ask = async (ctx: Context, visibility?: 'public' | 'community' | 'private') => {
      const answer = await findAndRunLens(ctx, { query: 'zanzibar', paramValues: { who: 'me' }, visibility });
      return answer.status === 'ready' ? answer.lensTitle : answer.status;
    };
    const { owner, stranger, anonymous } = fixture;
    expect([await ask(owner, 'private'), await ask(stranger, 'private')]).toEqual(['Secret sauce', 'no_match']);
    expect([await ask(stranger), await ask(anonymous), await ask(owner, 'public')]).toEqual([
      'Members only',
      'no_match',
      'no_match',
    ]);
  });
});
