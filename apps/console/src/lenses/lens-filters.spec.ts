import { describe, expect, it } from '@jest/globals';
import { lensFiltersOf, tagsOf } from './lens-filters.js';

describe('lensFiltersOf', () => {
  it('keeps every filter of an address', () => {
    const filters = { q: 'tone', mine: true, visibility: 'private', status: 'archived', tag: 'mail', sort: 'popular' };
    expect(lensFiltersOf(filters)).toEqual(filters);
  });

  it('leaves out values that are no filters, so that an old address still opens', () => {
    const search = { q: '  ', mine: 'yes', visibility: 'secret', status: ['draft'], tag: '', sort: 1, page: 2 };
    expect(lensFiltersOf(search)).toEqual({});
  });

  it('reads digits as words', () => {
    expect(lensFiltersOf({ q: 2026, tag: 7 })).toEqual({ q: '2026', tag: '7' });
  });
});

describe('tagsOf', () => {
  it('takes what stands between commas, each tag once', () => {
    expect(tagsOf(' mail, tone of voice ,,mail,')).toEqual(['mail', 'tone of voice']);
    expect(tagsOf('')).toEqual([]);
  });
});
