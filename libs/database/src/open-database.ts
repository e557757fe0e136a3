import { toSnakeCase } from '@lensforge/core';
import pg from 'pg';
import { type DataSource, DefaultNamingStrategy, getMetadataArgsStorage } from 'typeorm';
import { type DatabaseAddress, toConnection } from './database-address.js';
import { PlatformDataSource } from './per-database.js';
import { readPatience } from './patience.js';
import { requireUsablePooling } from './pooling.js';
import { applySettings, sessionSettings, startupParameters } from './session-settings.js';
import { ServiceClient } from './service-client.js';

export interface DatabaseOptions extends DatabaseAddress {
  applicationName: string;
  poolSize?: number;
  /** A connection whose query takes longer is closed. */
  queryTimeoutMs?: number;
  /** Multiplies all other timeouts. */
  timeoutFactor?: number;
  /** Opens the database although a connection pooler does not apply the limits: for single commands. */
  withoutLimits?: boolean;
  /** The primary, when this is the address of a read replica: caches and settings are those of the primary. */
  replicaOf?: DataSource;
  onPoolError?: (reason: unknown) => void;
}

class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined, prefixes: string[]): string {
    const own = given ?? toSnakeCase(property);
    return [...prefixes, own].join('_');
  }
}

/** Opens a connection pool with a timeout on every wait, so that an unresponsive server costs seconds only. */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const { timeoutFactor = readPatience() } = options;
  const settings = sessionSettings(timeoutFactor);
  const pooling = await requireUsablePooling(options, options.withoutLimits ? undefined : settings);
  const { connectionString, ssl } = toConnection(options);
  const source = new PlatformDataSource({
    type: 'postgres',
    // TypeORM would load it by its name, which a bundle does not contain.
    driver: pg,
    url: connectionString,
    applicationName: options.applicationName,
    // The entities of all files that are loaded by now; a package that is imported later comes too late.
    entities: getMetadataArgsStorage().tables.map(({ target }) => target),
    namingStrategy: new SnakeCase(),
    installExtensions: false,
    logging: false,
    poolSize: options.poolSize ?? 10,
    poolErrorHandler: options.onPoolError ?? (() => undefined),
    extra: {
      ...(ssl !== undefined && { ssl }),
      maxUses: 5000,
      connectionTimeoutMillis: 1500 * timeoutFactor,
      query_timeout: options.queryTimeoutMs ?? 6000 * timeoutFactor,
      keepAlive: true,
      Client: ServiceClient,
      // A connection pooler refuses startup parameters, or ignores them.
      ...(pooling === 'none' && startupParameters(settings)),
      ...(pooling === 'session' && { onConnect: (client: pg.ClientBase) => applySettings(client, settings) }),
    },
  });
  source.replicaOf = options.replicaOf;
  return source.initialize();
}
