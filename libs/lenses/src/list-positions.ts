import type { Context } from '@lensforge/core';
import { perDatabase } from '@lensforge/database';
import { LRUCache } from 'lru-cache';

/** The row before an offset of a list; `after` is absent at the beginning. */
export interface ListPosition {
  offset: number;
  after?: { id: string; at: string; popularity: number };
}

const positions = perDatabase(() => new LRUCache<string, ListPosition>({ max: 5000, ttl: 120_000 }));

/**
 * Caches the end of a page for two minutes. The next page by offset then continues by key: the database
 * does not read the skipped rows again, and no lens appears twice because another was added meanwhile.
 */
export function rememberPosition(ctx: Context, list: string, position: ListPosition): void {
  positions.of(ctx).set(`${position.offset} ${list}`, position);
}

export const positionAt = (ctx: Context, list: string, offset: number): ListPosition =>
  positions.of(ctx).get(`${offset} ${list}`) ?? { offset: 0 };
