import type { Context } from '@lensforge/core';
import { DataSource, type EntityManager } from 'typeorm';

/** A connection pool, with the objects that the process stores in memory for this database. */
export class PlatformDataSource extends DataSource {
  readonly objects = new Map<object, unknown>();
  /** The primary of a read replica, whose objects are used. */
  replicaOf: DataSource | undefined;
}

/** One object for each open database: a service has one, a spec several. */
export interface PerDatabase<T> {
  of: (ctx: Pick<Context, 'db'>) => T;
  /** Replaces the object, at boot. */
  set: (source: DataSource, value: T) => void;
}

/**
 * Stores a cache, batch or setting with its database. It is created on first use, with a manager outside of transactions,
 * and ends with the connection pool.
 */
export function perDatabase<T>(create: (db: EntityManager) => T): PerDatabase<T> {
  const key = {};
  return {
    of: ({ db }) => {
      const { objects, manager } = platformSource(db.dataSource);
      if (!objects.has(key)) objects.set(key, create(manager));
      return objects.get(key) as T;
    },
    set: (source, value) => void platformSource(source).objects.set(key, value),
  };
}

function platformSource(source: DataSource): PlatformDataSource {
  if (source instanceof PlatformDataSource) return source.replicaOf ? platformSource(source.replicaOf) : source;
  throw new Error('open the database with openDatabase');
}
