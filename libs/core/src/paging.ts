import { badInput } from './domain-error.js';
import { isUuid } from './ids.js';

/** The requested page of a list. `offset` items are skipped after the cursor, or from the beginning. */
export interface PageRequest {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  limit: number;
  offset: number;
  nextCursor?: string;
}

/** Makes a page from a query's rows; the query must ask for one row more than the limit. */
export function toPage<T>(
  rows: readonly T[],
  { limit, offset = 0 }: PageRequest,
  cursorOf: (row: T) => string,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, limit, offset, ...(rows.length > limit && last && { nextCursor: cursorOf(last) }) };
}

/** A position in a list ordered by (created_at, id); `at` has the microseconds of PostgreSQL. */
export interface Cursor {
  at: string;
  id: string;
}

export const encodeCursor = ({ at, id }: Cursor): string => Buffer.from(`${at}|${id}`).toString('base64url');

/** The cursor of a row with `createdAt` and `id`. */
export const cursorOfRow = ({ createdAt: at, id }: { createdAt: string; id: string }): string =>
  encodeCursor({ at, id });

const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;

export function decodeCursor(text: string): Cursor {
  const [at = '', id = ''] = Buffer.from(text, 'base64url').toString().split('|');
  if (!timestampPattern.test(at) || !isDay(at) || !isUuid(id) || encodeCursor({ at, id }) !== text)
    throw foreignCursor();
  return { at, id };
}

function isDay(at: string): boolean {
  const time = Date.parse(at);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(at.slice(0, 10));
}

/** The requested page of a list with offsets only. */
export interface PagePosition {
  limit: number;
  offset?: number | undefined;
}

/** A page of a list with its total length. */
export interface CountedPage<T> {
  items: readonly T[];
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}

export const countedPage = <T>(
  items: readonly T[],
  { limit, offset, total }: { limit: number; offset: number; total: number },
): CountedPage<T> => ({ items, limit, offset, total, hasMore: offset + items.length < total });

/** A cursor that holds the key of the last item, of a list that is ordered by keys. */
export const encodeKey = (key: string): string => Buffer.from(key).toString('base64url');

export function decodeKey(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (key.includes('\0') || encodeKey(key) !== cursor) throw foreignCursor();
  return key;
}

/** A cursor that holds an offset. */
export const encodeOffset = (offset: number): string => Buffer.from(`after ${offset}`).toString('base64url');

export function decodeOffset(cursor: string): number {
  const [, offset] = /^after (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (offset === undefined || encodeOffset(Number(offset)) !== cursor) throw foreignCursor();
  return Number(offset);
}

export const foreignCursor = () => badInput('cursor', 'must be the meta.nextCursor of an earlier page of this list');
