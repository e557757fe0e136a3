import pg from 'pg';
import { DefaultNamingStrategy } from 'typeorm';
import type { DataSource, EntitySchema } from 'typeorm';
import { PlatformDataSource } from './per-database.js';
import { TimeoutClient } from './timeout-client.js';

export type Entities = readonly (EntitySchema | (new () => object))[];

export interface DatabaseOptions {
  url: string;
  entities: Entities;
  applicationName: string;
  poolSize?: number;
  /** A connection whose query takes longer is closed. */
  queryTimeoutMs?: number;
  /** Multiplies all other timeouts. */
  timeoutFactor?: number;
  onPoolError?: (reason: unknown) => void;
}

class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined, prefixes: string[]): string {
    const own = given ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [...prefixes, own].join('_');
  }
}

/** Opens a connection pool with a timeout on every wait, so that an unresponsive server costs seconds only. */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  // eslint-disable-next-line lensforge/environment-at-the-edge -- specs and small programs open it without a configuration
  const { timeoutFactor = Number(process.env['DATABASE_PATIENCE'] ?? 1) } = options;
  const source = new PlatformDataSource({
    type: 'postgres',
    // TypeORM would load it by its name, which a bundle does not contain.
    driver: pg,
    url: options.url,
    applicationName: options.applicationName,
    entities: [...options.entities],
    namingStrategy: new SnakeCase(),
    installExtensions: false,
    logging: false,
    poolSize: options.poolSize ?? 10,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    extra: {
      // A generic plan must not use a sequential scan because the table was small at planning time, so these costs favour
      // indexes. JIT compilation takes longer than these short statements. docs/adr/0020-plans-on-any-server.md has figures.
      options: '-c jit=off -c random_page_cost=1.1 -c seq_page_cost=4',
      maxUses: 5000,
      connectionTimeoutMillis: 1500 * timeoutFactor,
      query_timeout: options.queryTimeoutMs ?? 6000 * timeoutFactor,
      keepAlive: true,
      Client: TimeoutClient,
      statement_timeout: 5000 * timeoutFactor,
      lock_timeout: 2000 * timeoutFactor,
      idle_in_transaction_session_timeout: 10_000 * timeoutFactor,
    },
  });
  return source.initialize();
}
