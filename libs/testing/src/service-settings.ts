import { freshRedisPrefix } from './fresh-redis-prefix.js';
import { testRedisUrl } from './servers.js';

/** The settings that every service under test needs: its database, a Redis prefix and any free port. */
export const serviceSettings = (databaseUrl: string, redisPrefix = freshRedisPrefix()) => ({
  NODE_ENV: 'test',
  PORT: '0',
  HOST: '127.0.0.1',
  DATABASE_URL: databaseUrl,
  REDIS_URL: testRedisUrl(),
  REDIS_PREFIX: redisPrefix,
});
