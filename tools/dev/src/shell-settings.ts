import { join } from 'node:path';
import type { DevFacts } from './dev-file.js';

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

const exports = (settings: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(settings)
    .flatMap(([name, value]) => (value === undefined ? [] : [`export ${name}=${quoted(value)}`]))
    .join('\n');

/** Shell commands that set the addresses, tokens and ids which the commands of the documentation use. */
export const clientSettings = ({ urls, tokens, lensId, workflowId }: DevFacts): string =>
  exports({
    LENSFORGE_API_URL: urls['api'],
    LENSFORGE_API_KEY: tokens['developer'],
    LENS: lensId,
    WORKFLOW: workflowId,
    MCP: urls['mcp'],
    MCP_TOKEN: tokens['mcp'],
  });

/** Shell commands that set what `operate` and `lensforge-mcp` need to work with the stores of a running platform. */
export const serviceSettings = ({ urls, databaseUrl, redisUrl, redisPrefix }: DevFacts, home: string): string =>
  exports({
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    LENSFORGE_MASTER_KEY_FILE: join(home, 'master.key'),
    LENSFORGE_PUBLIC_API_URL: urls['api'],
    LENSFORGE_PUBLIC_MCP_URL: urls['mcp'],
    LENSFORGE_PUBLIC_OAUTH_URL: urls['oauth'],
  });
