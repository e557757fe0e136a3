import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { BaseServers } from './base-servers.js';
import { StartupError } from './startup-error.js';
import type { Home } from './home.js';
import type { ServiceKind } from './services.js';

export const usualDrainMs = 25_000;

export interface Addresses {
  /** The database URL of the owner of the tables; services have another role in an embedded database. */
  databaseUrl: string;
  redisUrl: string;
}

/** The prefix of keys in Redis. Platforms that use one Redis side by side must not work on each other's jobs. */
export function redisPrefix({ options, home }: Pick<BaseServers, 'options' | 'home'>): string {
  if (!options.redisUrl) return 'lensforge';
  const name = options.databaseUrl ?? home.path;
  return `lensforge-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}

/** The environment of a service; the caller's environment overrides all but addresses. */
export function serviceEnvironment(
  base: BaseServers,
  services: readonly ServiceKind[],
  { databaseUrl, redisUrl }: Addresses,
): NodeJS.ProcessEnv {
  const { options, home, ports } = base;
  // Services share this environment, and each process would need its own management port.
  const { LENSFORGE_MANAGEMENT_PORT: _, ...given }: NodeJS.ProcessEnv = { ...process.env, ...options.environment };
  const publicUrls = services.flatMap(({ name, publicName }) =>
    publicName ? [[`LENSFORGE_PUBLIC_${publicName.toUpperCase()}_URL`, `http://127.0.0.1:${ports.of(name)[0]}`]] : [],
  );
  const oauth = services.some(({ name }) => name === 'oauth')
    ? { LENSFORGE_OAUTH_URL: `http://127.0.0.1:${ports.of('oauth')[0]}` }
    : {};
  const replicas = services
    .filter(({ publicName }) => publicName !== undefined)
    .map(({ name }) => [
      `LENSFORGE_REPLICAS_${name.toUpperCase().replaceAll('-', '_')}`,
      `${Math.max(ports.of(name).length, 1)}`,
    ]);
  return {
    NODE_ENV: 'development',
    REDIS_PREFIX: redisPrefix(base),
    LENSFORGE_DRAIN_MS: `${usualDrainMs}`,
    LENSFORGE_WEBHOOKS_ALLOW_PRIVATE: 'true',
    LENSFORGE_MCP_SERVERS_ALLOW_PRIVATE: 'true',
    ...(given.LENSFORGE_MASTER_KEY_FILE === undefined && { LENSFORGE_MASTER_KEY: home.masterKey }),
    ...oauth,
    ...(Object.fromEntries([...publicUrls, ...replicas]) as NodeJS.ProcessEnv),
    ...given,
    // Webhooks and MCP servers on this machine are allowed above; NODE_ENV=production is for benchmarks and trials here.
    LENSFORGE_ACCEPT_RISKS: ['private-addresses', given.LENSFORGE_ACCEPT_RISKS ?? []].flat().join(','),
    HOST: '127.0.0.1',
    LOG_FORMAT: options.logFormat ?? 'json',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ...(options.databaseCa !== undefined && { DATABASE_CA: options.databaseCa, DATABASE_CA_FILE: '' }),
    ...(options.redisCa !== undefined && { REDIS_CA: options.redisCa, REDIS_CA_FILE: '' }),
  };
}

/** Only programs that execute runs get the master key of BYOK keys. */
export function ownEnvironment(
  home: Home,
  { executesRuns = false }: Pick<ServiceKind, 'executesRuns'>,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const { LENSFORGE_BYOK_MASTER_KEY: key, LENSFORGE_BYOK_MASTER_KEY_FILE: file, ...others } = environment;
  if (!executesRuns) return others;
  if (file !== undefined) return { ...others, LENSFORGE_BYOK_MASTER_KEY_FILE: file };
  return { ...others, LENSFORGE_BYOK_MASTER_KEY: key ?? home.byokMasterKey };
}

/** The master key, as the services will read it. */
export async function masterKeyIn(environment: NodeJS.ProcessEnv): Promise<string> {
  const { LENSFORGE_MASTER_KEY: key = '', LENSFORGE_MASTER_KEY_FILE: file } = environment;
  if (file === undefined) return key;
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartupError(`LENSFORGE_MASTER_KEY_FILE names ${file}, which cannot be read (${code}).`, { cause });
  }
}
