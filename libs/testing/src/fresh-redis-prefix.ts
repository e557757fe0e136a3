import { nameFromFile } from './current-file.js';

/** A key prefix for one test file on the shared Redis server. */
export const freshRedisPrefix = (): string => nameFromFile('-');
