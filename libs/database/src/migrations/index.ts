import type { Migration } from '../migration.js';
import { baseline } from './0001-baseline/index.js';

/** In order. A migration that has been released is never edited: append another one. */
export const migrations: readonly Migration[] = [baseline];
