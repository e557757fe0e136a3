import type { Cursor, Page } from '@lensforge/core';
import { encodeCursor } from '@lensforge/core';

/** A page from the rows of a list of which one more than the limit was asked for. */
export function pageOf<T>(rows: readonly T[], limit: number, placeOf: (row: T) => Cursor): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, limit, ...(rows.length > limit && last && { nextCursor: encodeCursor(placeOf(last)) }) };
}
