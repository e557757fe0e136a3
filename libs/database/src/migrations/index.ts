import type { Migration } from '../migration.js';
import { groundFloor } from './0001-ground-floor.js';
import { webhooks } from './0002-webhooks.js';

/** In order; a migration that has landed is never edited, only followed. */
export const migrations: readonly Migration[] = [groundFloor, webhooks];
