export { waitForExit, terminate, followLines, isAlive } from './child-process.js';
export { ensureWritable } from './ensure-writable.js';
export { freePort, isFree, reserve } from './free-port.js';
export { startPostgres } from './postgres.js';
export type { PostgresOptions, PostgresServer } from './postgres.js';
export { startRedis } from './redis.js';
export type { RedisOptions, RedisServer } from './redis.js';
export { killWithParent } from './kill-with-parent.js';
