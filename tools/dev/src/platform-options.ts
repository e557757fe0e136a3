import type { PostgresOptions, RedisOptions } from '@lensforge/embedded';
import type { Log } from './log.js';
import type { ProviderKeys } from './provider-keys.js';
import type { Replicas } from './replicas.js';
import type { ServiceKind } from './services.js';

export interface PlatformOptions {
  /** The data folder; a temporary folder when absent. */
  home?: string;
  /** Deletes the data first. */
  fresh?: boolean;
  /** The first port; free ports when absent. */
  portBase?: number;
  replicas?: Replicas;
  /** All services in one process. */
  allInOne?: boolean;
  /** Servers to use instead of embedded ones. */
  databaseUrl?: string;
  redisUrl?: string;
  /** The certificates of own CAs of these servers, as PEM. */
  databaseCa?: string;
  redisCa?: string;
  /** The address by which services reach the database of `databaseUrl`, such as that of a connection pooler. */
  servicesDatabaseUrl?: string;
  /** The embedded Redis: the server on PATH, or `wasm`. */
  redis?: RedisOptions['prefer'];
  /** An installed PostgreSQL instead of the embedded one, a library to preload, and a data folder to begin with. */
  postgres?: Pick<PostgresOptions, 'installed' | 'preload' | 'copyOf'>;
  /** The embedded PostgreSQL commits without waiting for the disk: for tests. */
  fast?: boolean;
  /** Additional environment of all services. */
  environment?: Readonly<Record<string, string>>;
  /** The services to start; all when absent. */
  services?: readonly ServiceKind[];
  /** Creates users, tokens, a lens and a webhook endpoint; default true. */
  demo?: boolean;
  /** Adds samples to the demo data, so that the console has something to show: runs of a month, battles and others. */
  samples?: boolean;
  /** Signs the demo users in; default true. */
  signIn?: boolean;
  /** Keys of providers to store in the data folder, beside those that it has. */
  providerKeys?: ProviderKeys;
  log?: Log;
  logFormat?: 'json' | 'pretty';
  /** Awaited before services start: a build that runs while servers start. */
  built?: Promise<void>;
  /** Stops the platform, also during its start. */
  signal?: AbortSignal;
}
