import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { isUuid, newId } from './ids.js';

afterEach(() => {
  jest.restoreAllMocks();
});

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

  it('keeps the order when the clock is set back a little, and follows the clock after a large step', () => {
    const right = Date.now();
    const idAt = (ms: number): string => {
      jest.spyOn(Date, 'now').mockReturnValue(right + ms);
      return newId();
    };
    const ids = [idAt(60_000), idAt(51_000), idAt(60_001)];
    expect([...ids].sort()).toEqual(ids);
    expect(idAt(1) < String(ids[0])).toBe(true);
  });
});

it('isUuid refuses texts other than UUIDs', () => {
  for (const text of ['', 'id', `${newId()}\n`, ` ${newId()}`, newId().replaceAll('-', ''), `{${newId()}}`]) {
    expect(isUuid(text)).toBe(false);
  }
});
