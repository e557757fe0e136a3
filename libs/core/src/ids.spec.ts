import { describe, expect, it } from '@jest/globals';
import { isUuid, newId } from './ids.js';

describe('newId', () => {
  it('returns a UUID of version 7', () => {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(newId())).toBe(true);
  });

  it('returns ids that sort by creation time, also within one millisecond', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('isUuid refuses texts other than UUIDs', () => {
  for (const text of ['', 'id', `${newId()}\n`, ` ${newId()}`, newId().replaceAll('-', ''), `{${newId()}}`]) {
    expect(isUuid(text)).toBe(false);
  }
});
