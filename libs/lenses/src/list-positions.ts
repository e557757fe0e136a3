import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

/** The row before an offset of a list; `after` is absent at the beginning. */
export interface ListPosition {
  offset: number;
  after?: { id: string; at: string; popularity: number };
}

const positions = new WeakMap<EntityManager, LRUCache<string, ListPosition>>();
const ttlMs = 120_000;

/**
 * Caches the end of a page for two minutes. The next page by offset then continues by key: the database
 * does not read the skipped rows again, and no lens appears twice because another was added meanwhile.
 */
export function rememberPosition(db: EntityManager, list: string, position: ListPosition): void {
  let known = positions.get(db);
  if (!known) positions.set(db, (known = new LRUCache({ max: 5000, ttl: ttlMs })));
  known.set(`${position.offset} ${list}`, position);
}

export const positionAt = (db: EntityManager, list: string, offset: number): ListPosition =>
  positions.get(db)?.get(`${offset} ${list}`) ?? { offset: 0 };
