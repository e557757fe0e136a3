import { DataSource, DefaultNamingStrategy } from 'typeorm';
import type { EntitySchema } from 'typeorm';
import { TimeoutClient } from './timeout-client.js';

export type Entities = readonly (EntitySchema | (new () => object))[];

export interface DatabaseOptions {
  url: string;
  entities: Entities;
  applicationName: string;
  poolSize?: number;
  /** How long a query may take until its connection is given up. */
  patienceMs?: number;
  /** Multiplies all other limits of time. */
  patience?: number;
  onPoolError?: (reason: unknown) => void;
}

class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined, prefixes: string[]): string {
    const own = given ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [...prefixes, own].join('_');
  }
}

/** A pool whose every wait has an end, so that a silent server costs seconds and not for ever. */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  // eslint-disable-next-line house/environment-at-the-edge -- specs and small programs open it without a configuration
  const { patience = Number(process.env['DATABASE_PATIENCE'] ?? 1) } = options;
  const source = new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.applicationName,
    entities: [...options.entities],
    namingStrategy: new SnakeCase(),
    installExtensions: false,
    logging: false,
    poolSize: options.poolSize ?? 10,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    extra: {
      // A kept plan must not read a whole table because that was small when it was made: an index is priced lower than that,
      // so it is used wherever there is one. Statements are short, and compiling them would take longer than they do.
      // Nothing here depends on how the server is set. docs/adr/0020-plans-on-any-server.md has the figures.
      options: '-c jit=off -c random_page_cost=1.1 -c seq_page_cost=4',
      maxUses: 5000,
      connectionTimeoutMillis: 1500 * patience,
      query_timeout: options.patienceMs ?? 6000 * patience,
      keepAlive: true,
      Client: TimeoutClient,
      statement_timeout: 5000 * patience,
      lock_timeout: 2000 * patience,
      idle_in_transaction_session_timeout: 10_000 * patience,
    },
  });
  return source.initialize();
}
