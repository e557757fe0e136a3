import { type Issue, integer, oneOf, text } from '@lensforge/contracts';
import type { DatabaseAddress } from '@lensforge/database';
import type { RedisAddress } from '@lensforge/queue';
import { readTrustedProxies } from '../auth/caller-address.js';
import { readPublicHosts, isAlternativePublicUrl } from '../auth/public-url.js';
import { httpUrl } from './setting-limits.js';
import type { Risk } from './risks.js';
import { certificates, readSentinels, sentinels } from './store-settings.js';

/** Settings by name, before they are validated. */
export type Source = Readonly<Record<string, string | undefined>>;

/** The settings of this process. */
export const processSettings: Source = process.env;

const outsideUrl = {
  pattern: /^https:\/\/\S+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/\S*)?$/,
  max: 2000,
  optional: true,
} as const;

const hosts = {
  max: 4000,
  check: (value: string) =>
    readPublicHosts(value) ? undefined : 'must be hosts such as tools.example.com, separated by commas',
} as const;

const networks = {
  max: 4000,
  check: (value: string) =>
    readTrustedProxies(value) ? undefined : 'must be loopback, addresses or networks, separated by commas',
} as const;

/** The settings of every service. A service extends the class with its own. */
export class PlatformEnvironment {
  @oneOf(['development', 'test', 'production'], { description: 'production refuses risky settings.' })
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  @oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    description: 'The lowest level that is logged.',
  })
  LOG_LEVEL: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' = 'info';

  @oneOf(['json', 'pretty'], { description: 'json: one JSON object per line; pretty: lines for a terminal.' })
  LOG_FORMAT: 'json' | 'pretty' = 'json';

  @integer({
    min: 0,
    max: 100,
    description:
      'The percentage of successful requests that is logged; refused, failed, aborted and slow ones (1 s and more) always are.',
  })
  LOG_SUCCESS_PERCENT = 100;

  @integer({ min: 0, max: 65_535, description: 'The port to listen on; 0 chooses a free one.' })
  PORT!: number;

  @text({
    min: 1,
    max: 255,
    optional: true,
    description: 'The address to listen on; 0.0.0.0 in production, else 127.0.0.1.',
  })
  HOST?: string;

  @integer({
    min: 0,
    max: 65_535,
    optional: true,
    description:
      'Serves /metrics, /live and /ready on this port of HOST instead of PORT, and /health on both. Each process needs its own.',
  })
  LENSFORGE_MANAGEMENT_PORT?: number;

  @text({
    max: 1000,
    description:
      'Names of risks that production accepts, separated by commas; see below. Each is logged at every start.',
  })
  LENSFORGE_ACCEPT_RISKS = '';

  @text({ pattern: /^postgres(ql)?:\/\/\S+$/, max: 2000, description: 'postgres://user:password@host:port/database' })
  DATABASE_URL!: string;

  @text({
    ...certificates,
    description:
      'The certificates of the CA of the database, in PEM; the connection is encrypted and the server verified.',
  })
  DATABASE_CA?: string;

  @integer({ min: 1, max: 200, description: 'The maximum number of database connections.' })
  DATABASE_POOL_SIZE = 10;

  @integer({ min: 1, max: 20, description: 'Multiplies every database timeout, for a slow or busy database.' })
  DATABASE_PATIENCE = 1;

  @text({ pattern: /^rediss?:\/\/\S+$/, max: 2000, description: 'redis://host:port' })
  REDIS_URL!: string;

  @text({ ...certificates, description: 'The certificates of the CA of Redis, in PEM, for a rediss:// URL.' })
  REDIS_CA?: string;

  @text({
    ...sentinels,
    description:
      'Sentinels that name the Redis primary: host:port, separated by commas. REDIS_URL then gives scheme, user, password and database only.',
  })
  REDIS_SENTINELS?: string;

  @text({ min: 1, max: 200, description: 'The name of the primary that the Sentinels watch.' })
  REDIS_SENTINEL_MASTER = 'mymaster';

  @text({ min: 1, max: 1000, optional: true, description: 'The password of the Sentinels.' })
  REDIS_SENTINEL_PASSWORD?: string;

  @text({
    pattern: /^[a-z][a-z0-9-]*$/,
    max: 40,
    description: 'The prefix of all keys in Redis; platforms that share a Redis need different ones.',
  })
  REDIS_PREFIX = 'lensforge';

  @integer({ min: 1024, max: 10_485_760, description: 'The maximum size of a request body, in bytes.' })
  LENSFORGE_BODY_LIMIT_BYTES = 262_144;

  @integer({ min: 0, max: 600_000, description: 'The maximum time that a service takes to stop.' })
  LENSFORGE_DRAIN_MS = 25_000;

  @integer({
    min: 0,
    max: 60_000,
    optional: true,
    description:
      'How long a service that was asked to stop keeps serving while /ready says 503, before it drains; 2000 in production, else 0.',
  })
  LENSFORGE_LEAVE_MS?: number;

  @text({ ...httpUrl, optional: true, description: 'The URL at which clients reach the REST API.' })
  LENSFORGE_PUBLIC_API_URL?: string;

  @text({ ...httpUrl, optional: true, description: 'The URL at which clients reach the tool-call server.' })
  LENSFORGE_PUBLIC_MCP_URL?: string;

  @text({ ...httpUrl, optional: true, description: 'The URL at which clients reach the oauth service.' })
  LENSFORGE_PUBLIC_OAUTH_URL?: string;

  @text({
    ...hosts,
    optional: true,
    description: 'Other hosts, besides loopback, under which clients reach the platform, separated by commas.',
  })
  LENSFORGE_PUBLIC_HOSTS?: string;

  @text({ ...httpUrl, description: 'The URL at which other services reach the oauth service.' })
  LENSFORGE_OAUTH_URL = 'http://127.0.0.1:4200';

  @integer({ min: 1, max: 3600, description: 'The interval at which the published keys of issuers are fetched.' })
  LENSFORGE_JWKS_REFRESH_SECONDS = 30;

  @text({
    ...httpUrl,
    optional: true,
    description: 'The issuer of all session tokens; when absent it is derived from the public URL that a client uses.',
  })
  LENSFORGE_ISSUER?: string;

  @text({ ...outsideUrl, description: 'Another issuer whose tokens are trusted; set its JWKS URL and audience too.' })
  LENSFORGE_OUTSIDE_ISSUER?: string;

  @text({ ...outsideUrl, description: 'The JWKS URL of LENSFORGE_OUTSIDE_ISSUER.' })
  LENSFORGE_OUTSIDE_JWKS_URL?: string;

  @text({
    min: 1,
    max: 1000,
    optional: true,
    description: 'The audience (aud) that tokens of LENSFORGE_OUTSIDE_ISSUER must have.',
  })
  LENSFORGE_OUTSIDE_AUDIENCE?: string;

  @text({
    ...networks,
    description: 'Proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas.',
  })
  LENSFORGE_TRUSTED_PROXIES = 'loopback';

  @text({ ...networks, description: 'Private addresses and networks that the platform may call, separated by commas.' })
  LENSFORGE_EGRESS_ALLOW = '';

  @integer({
    min: 1,
    max: 10_000,
    description:
      'Concurrency slots of an account: its runs that are admitted at a time; others wait. Must be the same for all services.',
  })
  LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT = 50;

  @integer({
    min: 1,
    max: 10_000_000,
    description:
      'The maximum number of unfinished runs of an account; more are refused. Must be the same for all services.',
  })
  LENSFORGE_BACKLOG_PER_ACCOUNT = 20_000;

  @integer({
    min: 1000,
    max: 2_147_483_647,
    description:
      'How long a run without a queue timeout of its own may wait for its start. Must be the same for all services.',
  })
  LENSFORGE_RUN_QUEUE_TIMEOUT_MS = 86_400_000;

  @integer({
    min: 1000,
    max: 86_400_000,
    description: 'How long a run may execute, without the time that its nodes wait. Must be the same for all services.',
  })
  LENSFORGE_RUN_TIMEOUT_MS = 600_000;

  @integer({
    min: 1,
    max: 64,
    description:
      'The maximum number of sandbox processes of a service, which evaluate user-written expressions, schemas and diffs.',
  })
  LENSFORGE_SANDBOX_PROCESSES = 2;

  @integer({ min: 32, max: 4096, description: 'The maximum heap of a sandbox process; a task that needs more fails.' })
  LENSFORGE_SANDBOX_MEMORY_MB = 128;

  @integer({ min: 100, max: 60_000, description: 'The maximum CPU time of a sandbox task.' })
  LENSFORGE_SANDBOX_TIME_MS = 1000;

  @integer({
    min: 1,
    max: 2_147_483,
    description:
      'How long a tracking record waits for its report before it is canceled. Must be the same for all services.',
  })
  LENSFORGE_TRACKING_TIMEOUT_SECONDS = 86_400;

  @text({
    ...httpUrl,
    optional: true,
    description: 'The OTLP endpoint to which traces are sent; no traces when absent.',
  })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** Limits of runs, which a service passes to libs/runs at its start. */
  get runLimits(): { atOnce: number; backlog: number; queueMs: number; executionMs: number; trackingMs: number } {
    return {
      atOnce: this.LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT,
      backlog: this.LENSFORGE_BACKLOG_PER_ACCOUNT,
      queueMs: this.LENSFORGE_RUN_QUEUE_TIMEOUT_MS,
      executionMs: this.LENSFORGE_RUN_TIMEOUT_MS,
      trackingMs: this.LENSFORGE_TRACKING_TIMEOUT_SECONDS * 1000,
    };
  }

  get databaseAddress(): DatabaseAddress {
    return { url: this.DATABASE_URL, ca: this.DATABASE_CA };
  }

  get redisAddress(): RedisAddress {
    const addresses = this.REDIS_SENTINELS === undefined ? undefined : readSentinels(this.REDIS_SENTINELS);
    const { REDIS_SENTINEL_MASTER: master, REDIS_SENTINEL_PASSWORD: password } = this;
    return {
      url: this.REDIS_URL,
      ca: this.REDIS_CA,
      ...(addresses && { sentinels: { addresses, master, password } }),
    };
  }

  get production(): boolean {
    return this.NODE_ENV === 'production';
  }

  /** The prefix of the keys of queues. Its braces are a hash tag: the keys of a script are in one slot of a cluster. */
  get queuePrefix(): string {
    return `{${this.REDIS_PREFIX}}`;
  }

  get host(): string {
    return this.HOST ?? (this.production ? '0.0.0.0' : '127.0.0.1');
  }

  get leaveMs(): number {
    return this.LENSFORGE_LEAVE_MS ?? (this.production ? 2000 : 0);
  }

  /** The issuer of session tokens, for a client that uses the configured address. */
  get issuer(): string {
    const { LENSFORGE_ISSUER: given, LENSFORGE_PUBLIC_OAUTH_URL: own, LENSFORGE_PUBLIC_MCP_URL: front } = this;
    return given ?? `${(own ?? front ?? 'http://localhost:4200').replace(/(?<!\/)\/+$/, '')}/id`;
  }

  /** True for an issuer that session tokens may name: one for each public URL of the oauth service. */
  isOwnIssuer(issuer: string): boolean {
    if (issuer === this.issuer) return true;
    if (this.LENSFORGE_ISSUER !== undefined || !issuer.endsWith('/id')) return false;
    return isAlternativePublicUrl(issuer.slice(0, -'/id'.length), this.publicHosts);
  }

  get publicHosts(): readonly string[] {
    return readPublicHosts(this.LENSFORGE_PUBLIC_HOSTS) ?? [];
  }

  /** Faults between settings; a service adds its own. An invalid setting has its default here. */
  faults(): Issue[] {
    return [];
  }

  /** Risky settings of this service alone. */
  risks(): Risk[] {
    return [];
  }
}
