import type { PostgresOptions, RedisOptions } from '@lensforge/embedded';
import type { Log } from './log.js';
import type { Replicas } from './replicas.js';
import type { ServiceKind } from './services.js';

export interface PlatformOptions {
  /** Where data is kept; a folder of its own that goes with the platform when absent. */
  home?: string;
  /** Begins with an empty home. */
  fresh?: boolean;
  /** Ports are counted from here; any free ones when absent. */
  portBase?: number;
  replicas?: Replicas;
  /** Servers to use in place of embedded ones. */
  databaseUrl?: string;
  redisUrl?: string;
  /** Which embedded Redis: one found on PATH unless `wasm` is preferred. */
  redis?: RedisOptions['prefer'];
  /** An installed PostgreSQL in place of the embedded one, and a library that it loads. */
  postgres?: Pick<PostgresOptions, 'installed' | 'preload'>;
  /** The embedded PostgreSQL does not wait for the disk: for tests. */
  fast?: boolean;
  /** For all services, on top of what the launcher sets. */
  environment?: Readonly<Record<string, string>>;
  /** All that are written when absent. */
  services?: readonly ServiceKind[];
  /** Users, tokens, a lens and a webhook subscription; on unless switched off. */
  demo?: boolean;
  /** Whether the demo users sign in as well; on unless switched off. */
  signIn?: boolean;
  log?: Log;
  logFormat?: 'json' | 'pretty';
  /** Awaited before services start: a build that goes on beside the servers' start. */
  built?: Promise<void>;
  /** Ends it, also half-way through the start. */
  signal?: AbortSignal;
}
