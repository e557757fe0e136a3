import { readFileSync } from 'node:fs';
import type { Field, Issue, Shape } from '@lensforge/contracts';
import { faultOf, fieldsOf, integer, oneOf, text } from '@lensforge/contracts';
import { readTrustedProxies } from '../auth/caller-address.js';
import { readPublicHosts, isAlternativePublicUrl } from '../auth/public-url.js';
import { httpUrl } from './setting-limits.js';
import type { Risk } from './risks.js';
import { acceptedRisks, isRiskName, risks, risksOf } from './risks.js';

/** Settings by name, before they are validated. */
export type Source = Readonly<Record<string, string | undefined>>;

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

  @integer({ min: 1, max: 200, description: 'The maximum number of database connections.' })
  DATABASE_POOL_SIZE = 10;

  @integer({ min: 1, max: 20, description: 'Multiplies every database timeout, for a slow or busy database.' })
  DATABASE_PATIENCE = 1;

  @text({ pattern: /^rediss?:\/\/\S+$/, max: 2000, description: 'redis://host:port' })
  REDIS_URL!: string;

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

  get production(): boolean {
    return this.NODE_ENV === 'production';
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
    return given ?? `${(own ?? front ?? 'http://localhost:4200').replace(/\/+$/, '')}/id`;
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

export class BadEnvironment extends Error {
  override readonly name = 'BadEnvironment';
}

/** The settings of this process. */
export const processSettings: Source = process.env;

/**
 * Reads the settings into a frozen object; throws BadEnvironment with all faults and no secrets. A setting with the suffix
 * _FILE names a file that holds the value.
 */
export function readEnvironment<E extends PlatformEnvironment>(shape: Shape<E>, source: Source = processSettings): E {
  const fields = fieldsOf(shape);
  const { given, faults: readFaults } = valuesIn(source, [...fields.keys()]);
  const unreadNames = new Set(readFaults.map(({ path }) => path.replace(/_FILE$/, '')));
  const { environment, faults: valueFaults } = valuesOf(shape, given);
  const invalidNames = new Set(valueFaults.map(({ path }) => path));
  const between = [...platformFaults(environment), ...environment.faults(), ...refusedRisks(environment)];
  const faults = [...valueFaults, ...between.filter(({ path }) => !invalidNames.has(path))];
  const all = [...readFaults, ...faults.filter(({ path }) => !unreadNames.has(path))];
  if (all.length === 0) return Object.freeze(environment);
  const files = Object.fromEntries(readFaults.map(({ path }) => [path, source[path]]));
  throw new BadEnvironment(explain(all, fields, { ...files, ...given }));
}

/** The valid members, and the faults of the others. */
function valuesOf<E extends PlatformEnvironment>(
  shape: Shape<E>,
  given: Record<string, string>,
): { environment: E; faults: Issue[] } {
  const environment = new shape();
  const faults: Issue[] = [];
  for (const [name, { kind, optional = false }] of fieldsOf(shape)) {
    const written = given[name];
    const value = written === undefined ? Reflect.get(environment, name) : (kind.fromText?.(written) ?? written);
    if (value === undefined && optional) continue;
    const fault = faultOf(kind, value, name);
    if (fault) faults.push(fault);
    else Reflect.set(environment, name, value);
  }
  return { environment, faults };
}

function valuesIn(source: Source, names: readonly string[]): { given: Record<string, string>; faults: Issue[] } {
  const given: Record<string, string> = {};
  const faults: Issue[] = [];
  for (const name of names) {
    const path = `${name}_FILE`;
    const [value, file] = [source[name]?.trim(), source[path]?.trim()];
    if (value) given[name] = value;
    if (!file) continue;
    if (value) faults.push({ path, message: `cannot be set together with ${name}: remove one of them` });
    try {
      given[name] ??= readFileSync(file, 'utf8').trim();
    } catch (error) {
      faults.push({ path, message: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` });
    }
  }
  return { given, faults };
}

const outside = ['LENSFORGE_OUTSIDE_ISSUER', 'LENSFORGE_OUTSIDE_JWKS_URL', 'LENSFORGE_OUTSIDE_AUDIENCE'] as const;

function platformFaults(environment: PlatformEnvironment): Issue[] {
  const { PORT: port, LENSFORGE_MANAGEMENT_PORT: management } = environment;
  const sameAsPort = management !== undefined && management !== 0 && management === port;
  return [
    ...(sameAsPort ? [{ path: 'LENSFORGE_MANAGEMENT_PORT', message: 'must differ from PORT' }] : []),
    ...allOrNone(environment, outside),
  ];
}

/** Faults of settings that are valid only together. */
export function allOrNone<E>(environment: E, names: readonly (keyof E & string)[]): Issue[] {
  const missing = names.filter((name) => environment[name] === undefined);
  if (missing.length === names.length) return [];
  return missing.map((path) => ({ path, message: `is required: set all or none of ${names.join(', ')}` }));
}

const mayHoldSecret = /(KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE|_URL|_ENDPOINT)$/;

function refusedRisks(environment: PlatformEnvironment): Issue[] {
  const accepted = acceptedRisks(environment);
  const unknown = accepted.filter((name) => !isRiskName(name));
  return [
    ...unknown.map((name) => ({
      path: 'LENSFORGE_ACCEPT_RISKS',
      message: `contains ${name}, which is not a risk; the risks are ${Object.keys(risks).join(', ')}`,
    })),
    ...risksOf(environment)
      .filter(({ risk }) => !accepted.includes(risk))
      .map(({ risk, path, message }) => ({
        path,
        message: `${message} (LENSFORGE_ACCEPT_RISKS=${risk} accepts the risk)`,
      })),
  ];
}

function explain(
  issues: readonly Issue[],
  fields: ReadonlyMap<string, Field>,
  given: Readonly<Record<string, string | undefined>>,
): string {
  const sorted = [...issues].sort((one, other) => one.path.localeCompare(other.path));
  const lines = sorted.map(({ path, message }) => {
    const value = given[path];
    if (value === undefined) return `  ${path} is missing: ${expectationOf(fields.get(path))}`;
    const shown = mayHoldSecret.test(path) ? 'is not usable' : `is ${JSON.stringify(value.slice(0, 80))}`;
    return `  ${path} ${shown}: ${message.startsWith(`${path} `) ? message.slice(path.length + 1) : message}`;
  });
  return [`the configuration has ${lines.length === 1 ? 'a fault' : `${lines.length} faults`}`, ...lines].join('\n');
}

function expectationOf(field: Field | undefined): string {
  if (!field) return 'it is required';
  if (field.description) return field.description;
  const { type, enum: values, minimum, maximum } = field.kind.schema();
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  return type === 'integer' ? `a whole number from ${String(minimum)} to ${String(maximum)}` : 'it is required';
}
