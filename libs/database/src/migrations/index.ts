import type { Migration } from '../migration.js';
import { groundFloor } from './0001-ground-floor.js';
import { webhooks } from './0002-webhooks.js';
import { audit } from './0003-audit.js';
import { signIn } from './0004-sign-in.js';
import { communities } from './0005-communities.js';
import { lensLibrary } from './0006-lens-library.js';

/** In order; a migration that has landed is never edited, only followed. */
export const migrations: readonly Migration[] = [groundFloor, webhooks, audit, signIn, communities, lensLibrary];
