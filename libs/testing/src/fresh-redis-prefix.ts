import { nameFromFile } from './current-file.js';

/** Keys of one test file on the Redis server that all of them use. */
export const freshRedisPrefix = (): string => nameFromFile('-');
