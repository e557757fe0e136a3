import { type Context, newId, platformActor } from '@lensforge/core';
import type { Platform } from './platform.js';

/** A context for work that the platform does in its own name, with a new request id. */
export const platformContext = ({ database, now }: Pick<Platform, 'database' | 'now'>): Context => ({
  actor: platformActor,
  db: database.manager,
  now,
  requestId: newId(),
});
