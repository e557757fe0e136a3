export { endOf, endWith, followLines, isAlive, type Ending } from './child.js';
export { ensureWritable } from './ensure-writable.js';
export { freePort, isFree } from './free-port.js';
export { startPostgres, type PostgresOptions, type PostgresServer } from './postgres.js';
export { startRedis, type RedisOptions, type RedisServer } from './redis.js';
export { ServerFault } from './server-fault.js';
export { tether } from './tether.js';
