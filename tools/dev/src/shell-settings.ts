import { join } from 'node:path';
import type { DevFacts } from './dev-file.js';

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/** Shell commands that set what `operate`, `lensforge-mcp` and `lensforge` need to work with a running platform. */
export function shellSettings(facts: DevFacts, home: string): string {
  const { urls, tokens } = facts;
  const settings = {
    NODE_ENV: 'development',
    DATABASE_URL: facts.databaseUrl,
    REDIS_URL: facts.redisUrl,
    REDIS_PREFIX: facts.redisPrefix,
    LENSFORGE_MASTER_KEY_FILE: join(home, 'master.key'),
    LENSFORGE_PUBLIC_API_URL: urls['api'],
    LENSFORGE_PUBLIC_MCP_URL: urls['mcp'],
    LENSFORGE_PUBLIC_OAUTH_URL: urls['oauth'],
    LENSFORGE_API_URL: urls['api'],
    LENSFORGE_API_KEY: tokens['developer'],
  };
  return Object.entries(settings)
    .flatMap(([name, value]) => (value === undefined ? [] : [`export ${name}=${quoted(value)}`]))
    .join('\n');
}
