import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

/** Where a list has `offset` rows behind it; absent `after` is its beginning. */
export interface Place {
  offset: number;
  after?: { id: string; at: string; popularity: number };
}

const places = new WeakMap<EntityManager, LRUCache<string, Place>>();
const forMs = 120_000;

/**
 * Remembers for two minutes where a page ended, so that whoever pages on by offset goes on from there: by key, without
 * reading again what lies before, and without seeing a lens twice because another was added meanwhile.
 */
export function holdPlace(db: EntityManager, list: string, place: Place): void {
  let known = places.get(db);
  if (!known) places.set(db, (known = new LRUCache({ max: 5000, ttl: forMs })));
  known.set(`${place.offset} ${list}`, place);
}

export const placeBefore = (db: EntityManager, list: string, offset: number): Place =>
  places.get(db)?.get(`${offset} ${list}`) ?? { offset: 0 };
