import { DomainError } from './domain-error.js';
import { isUuid } from './ids.js';

export interface Page<T> {
  items: T[];
  limit: number;
  nextCursor?: string;
}

/** An opaque place in a list ordered by (created_at, id); the time has microseconds, as Postgres gives it. */
export interface Cursor {
  at: string;
  id: string;
}

export const encodeCursor = ({ at, id }: Cursor): string => Buffer.from(`${at}|${id}`).toString('base64url');

const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;

export function decodeCursor(text: string): Cursor {
  const [at = '', id = ''] = Buffer.from(text, 'base64url').toString().split('|');
  if (!moment.test(at) || !isDay(at) || !isUuid(id) || encodeCursor({ at, id }) !== text) {
    throw new DomainError('BAD_INPUT', 'cursor: is not one that a list of this platform gave out');
  }
  return { at, id };
}

function isDay(at: string): boolean {
  const time = Date.parse(at);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(at.slice(0, 10));
}
