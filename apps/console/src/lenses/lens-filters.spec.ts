import { describe, expect, it } from '@jest/globals';
import { readLensFilters, parseTags } from './lens-filters.js';

describe('readLensFilters', () => {
  it('keeps every filter of an address', () => {
    const filters = { q: 'tone', mine: true, visibility: 'private', status: 'archived', tag: 'mail', sort: 'popular' };
    expect(readLensFilters(filters)).toEqual(filters);
  });

  it('leaves out values that are no filters, so that an old address still opens', () => {
    const search = { q: '  ', mine: 'yes', visibility: 'secret', status: ['draft'], tag: '', sort: 1, page: 2 };
    expect(readLensFilters(search)).toEqual({});
  });

  it('reads digits as words', () => {
    expect(readLensFilters({ q: 2026, tag: 7 })).toEqual({ q: '2026', tag: '7' });
  });
});

describe('parseTags', () => {
  it('takes what stands between commas, each tag once', () => {
    expect(parseTags(' mail, tone of voice ,,mail,')).toEqual(['mail', 'tone of voice']);
    expect(parseTags('')).toEqual([]);
  });
});
