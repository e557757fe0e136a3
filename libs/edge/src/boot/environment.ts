import { readFileSync } from 'node:fs';
import type { Field, Issue, Shape } from '@lensforge/contracts';
import { faultOf, fieldsOf, integer, oneOf, text } from '@lensforge/contracts';
import { readTrustedProxies } from '../auth/caller-address.js';
import { readPublicHosts, standsInForPublicUrl } from '../auth/public-url.js';
import type { Risk } from './risks.js';
import { acceptedRisks, isRiskName, risks, risksOf } from './risks.js';

/** Settings by name, as a process is given them. */
export type Source = Readonly<Record<string, string | undefined>>;

/** What every service reads from its environment. A service extends it with what only it needs. */
export class PlatformEnvironment {
  @oneOf(['development', 'test', 'production'], { description: 'In production risky settings are refused.' })
  NODE_ENV: 'development' | 'test' | 'production' = 'development';

  @oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    description: 'The least level that is logged.',
  })
  LOG_LEVEL: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' = 'info';

  @oneOf(['json', 'pretty'], { description: 'One JSON object a line, or lines for people.' })
  LOG_FORMAT: 'json' | 'pretty' = 'json';

  @integer({ min: 0, max: 65_535, description: 'The port to listen on; 0 takes any free one.' })
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
      'Serves /metrics, /live and /ready (and /health too) on this port of HOST, and no longer on PORT. Each process needs its own.',
  })
  LENSFORGE_MANAGEMENT_PORT?: number;

  @text({
    max: 1000,
    description:
      'Risks that production accepts, by name, separated by commas; see below. Each is logged at every start.',
  })
  LENSFORGE_ACCEPT_RISKS = '';

  @text({ pattern: /^postgres(ql)?:\/\/\S+$/, max: 2000, description: 'postgres://user:password@host:port/database' })
  DATABASE_URL!: string;

  @integer({ min: 1, max: 200, description: 'The most connections to the database.' })
  DATABASE_POOL_SIZE = 10;

  @integer({
    min: 1,
    max: 20,
    description: 'Multiplies every time limit of the database: for one that is slow or busy.',
  })
  DATABASE_PATIENCE = 1;

  @text({ pattern: /^rediss?:\/\/\S+$/, max: 2000, description: 'redis://host:port' })
  REDIS_URL!: string;

  @text({ pattern: /^[a-z][a-z0-9-]*$/, max: 40, description: 'Platforms that share a Redis differ in it.' })
  REDIS_PREFIX = 'lensforge';

  @integer({ min: 1024, max: 10_485_760, description: 'The largest body that is taken in.' })
  LENSFORGE_BODY_LIMIT_BYTES = 262_144;

  @integer({ min: 0, max: 600_000, description: 'How long a stopping service may take.' })
  LENSFORGE_DRAIN_MS = 25_000;

  @integer({
    min: 0,
    max: 60_000,
    optional: true,
    description:
      'How long a service that shall stop serves on while /ready says 503, before it drains; 2000 in production, else 0.',
  })
  LENSFORGE_LEAVE_MS?: number;

  @text({ pattern: /^https?:\/\/\S+$/, max: 2000, optional: true, description: 'Where clients reach the API.' })
  LENSFORGE_PUBLIC_API_URL?: string;

  @text({
    pattern: /^https?:\/\/\S+$/,
    max: 2000,
    optional: true,
    description: 'Where clients reach the tool-call server.',
  })
  LENSFORGE_PUBLIC_MCP_URL?: string;

  @text({ pattern: /^https?:\/\/\S+$/, max: 2000, optional: true, description: 'Where clients reach the sign-in.' })
  LENSFORGE_PUBLIC_OAUTH_URL?: string;

  @text({
    max: 4000,
    optional: true,
    description: 'Hosts besides loopback that clients may know the platform by, separated by commas.',
  })
  LENSFORGE_PUBLIC_HOSTS?: string;

  @text({ pattern: /^https?:\/\/\S+$/, max: 2000, description: 'Where the other services reach oauth.' })
  LENSFORGE_OAUTH_URL = 'http://127.0.0.1:4200';

  @integer({ min: 1, max: 3600, description: 'How often the published keys of issuers are read again.' })
  LENSFORGE_JWKS_REFRESH_SECONDS = 30;

  @text({
    pattern: /^https?:\/\/\S+$/,
    max: 2000,
    optional: true,
    description:
      'The one issuer of all session tokens; when left out it follows from the public address that a client uses.',
  })
  LENSFORGE_ISSUER?: string;

  @text({
    pattern: /^https:\/\/\S+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/\S*)?$/,
    max: 2000,
    optional: true,
    description: 'Another issuer whose tokens are trusted; needs its JWKS and audience.',
  })
  LENSFORGE_OUTSIDE_ISSUER?: string;

  @text({
    pattern: /^https:\/\/\S+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/\S*)?$/,
    max: 2000,
    optional: true,
    description: 'Where the keys of LENSFORGE_OUTSIDE_ISSUER are published.',
  })
  LENSFORGE_OUTSIDE_JWKS_URL?: string;

  @text({
    min: 1,
    max: 1000,
    optional: true,
    description: 'Whom tokens of LENSFORGE_OUTSIDE_ISSUER have to be meant for.',
  })
  LENSFORGE_OUTSIDE_AUDIENCE?: string;

  @text({
    max: 4000,
    description: 'Whose X-Forwarded-For is believed: addresses and networks, separated by commas.',
  })
  LENSFORGE_TRUSTED_PROXIES = 'loopback';

  @text({
    max: 4000,
    description: 'Private addresses and networks that the platform may call all the same, separated by commas.',
  })
  LENSFORGE_EGRESS_ALLOW = '';

  @integer({
    min: 1,
    max: 10_000,
    description: 'Runs of an account that are given to the workers at once; others wait. The same for all services.',
  })
  LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT = 50;

  @integer({
    min: 1,
    max: 10_000_000,
    description: 'Runs of an account that have not ended; more are refused. The same for all services.',
  })
  LENSFORGE_BACKLOG_PER_ACCOUNT = 20_000;

  @integer({
    min: 1000,
    max: 2_147_483_647,
    description: 'How long a run that does not say so itself may wait for its start. The same for all services.',
  })
  LENSFORGE_RUN_QUEUE_TIMEOUT_MS = 86_400_000;

  @integer({
    min: 1000,
    max: 86_400_000,
    description: 'How long a run may take, besides what its nodes wait for. The same for all services.',
  })
  LENSFORGE_RUN_TIMEOUT_MS = 600_000;

  @integer({
    min: 1,
    max: 64,
    description:
      'Sandbox processes of a service at most: user-written expressions, schemas and diffs are computed there.',
  })
  LENSFORGE_SANDBOX_PROCESSES = 2;

  @integer({ min: 32, max: 4096, description: 'The heap of a sandbox process; what needs more fails.' })
  LENSFORGE_SANDBOX_MEMORY_MB = 128;

  @integer({ min: 100, max: 60_000, description: 'Processor time of one computation in the sandbox.' })
  LENSFORGE_SANDBOX_TIME_MS = 1000;

  @integer({
    min: 1,
    max: 2_147_483,
    description: 'How long a tracking record waits for its report before it is canceled. The same for all services.',
  })
  LENSFORGE_TRACKING_TIMEOUT_SECONDS = 86_400;

  @text({ pattern: /^https?:\/\/\S+$/, max: 2000, optional: true, description: 'Traces are sent here when set.' })
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** What the platform lets an account have of runs, as libs/runs is told at the start of a service. */
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

  /** Accepts the issuers that session tokens may name: one for each address by which clients know the sign-in. */
  isOwnIssuer(issuer: string): boolean {
    if (issuer === this.issuer) return true;
    if (this.LENSFORGE_ISSUER !== undefined || !issuer.endsWith('/id')) return false;
    return standsInForPublicUrl(issuer.slice(0, -'/id'.length), this.publicHosts);
  }

  get publicHosts(): readonly string[] {
    return readPublicHosts(this.LENSFORGE_PUBLIC_HOSTS) ?? [];
  }

  /** Faults that lie between members; a service adds its own. A member that cannot be used has its default here. */
  faults(): Issue[] {
    return [];
  }

  /** Risky settings that only this service has. */
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
 * The configuration as one frozen object, or every fault of it in one message that holds no secret. Each value may stand
 * in a file instead, whose path is given under the same name with _FILE behind it.
 */
export function readEnvironment<E extends PlatformEnvironment>(shape: Shape<E>, source: Source = processSettings): E {
  const fields = fieldsOf(shape);
  const { given, faults: unreadable } = valuesIn(source, [...fields.keys()]);
  const missed = new Set(unreadable.map(({ path }) => path.replace(/_FILE$/, '')));
  const { environment, faults: unusable } = valuesOf(shape, given);
  const settled = new Set(unusable.map(({ path }) => path));
  const between = [...platformFaults(environment), ...environment.faults(), ...refusedRisks(environment)];
  const faults = [...unusable, ...between.filter(({ path }) => !settled.has(path))];
  const all = [...unreadable, ...faults.filter(({ path }) => !missed.has(path))];
  if (all.length === 0) return Object.freeze(environment);
  const files = Object.fromEntries(unreadable.map(({ path }) => [path, source[path]]));
  throw new BadEnvironment(explain(all, fields, { ...files, ...given }));
}

/** The members that can be used, and what is wrong with each of the others. */
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
    if (value) faults.push({ path, message: `cannot stand beside ${name}: leave out one of them` });
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
  const faults: Issue[] = [];
  if (!readPublicHosts(environment.LENSFORGE_PUBLIC_HOSTS)) {
    faults.push({ path: 'LENSFORGE_PUBLIC_HOSTS', message: 'must be hosts such as tools.example.com, with commas' });
  }
  if (!readTrustedProxies(environment.LENSFORGE_TRUSTED_PROXIES)) {
    faults.push({ path: 'LENSFORGE_TRUSTED_PROXIES', message: 'must be loopback, addresses or networks, with commas' });
  }
  if (!readTrustedProxies(environment.LENSFORGE_EGRESS_ALLOW)) {
    faults.push({ path: 'LENSFORGE_EGRESS_ALLOW', message: 'must be loopback, addresses or networks, with commas' });
  }
  const { PORT: port, LENSFORGE_MANAGEMENT_PORT: management } = environment;
  if (management !== undefined && management !== 0 && management === port) {
    faults.push({ path: 'LENSFORGE_MANAGEMENT_PORT', message: 'must be another port than PORT' });
  }
  const missing = outside.filter((name) => environment[name] === undefined);
  if (missing.length === outside.length) return faults;
  return [...faults, ...missing.map((path) => ({ path, message: `goes with the others of ${outside.join(', ')}` }))];
}

const mayHoldSecret = /(KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE|_URL|_ENDPOINT)$/;

function refusedRisks(environment: PlatformEnvironment): Issue[] {
  const accepted = acceptedRisks(environment);
  const unknown = accepted.filter((name) => !isRiskName(name));
  return [
    ...unknown.map((name) => ({
      path: 'LENSFORGE_ACCEPT_RISKS',
      message: `names ${name}, which is no risk; the risks are ${Object.keys(risks).join(', ')}`,
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
    if (value === undefined) return `  ${path} is missing: ${expected(fields.get(path))}`;
    const shown = mayHoldSecret.test(path) ? 'is not usable' : `is ${JSON.stringify(value.slice(0, 80))}`;
    return `  ${path} ${shown}: ${message.startsWith(`${path} `) ? message.slice(path.length + 1) : message}`;
  });
  return [`the configuration has ${lines.length === 1 ? 'a fault' : `${lines.length} faults`}`, ...lines].join('\n');
}

function expected(field: Field | undefined): string {
  if (!field) return 'it is needed';
  if (field.description) return field.description;
  const { type, enum: values, minimum, maximum } = field.kind.schema();
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  return type === 'integer' ? `a whole number from ${String(minimum)} to ${String(maximum)}` : 'it is needed';
}
