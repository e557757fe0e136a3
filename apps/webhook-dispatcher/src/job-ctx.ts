import type { Context } from '@lensforge/core';
import { platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { JobContext } from '@lensforge/queue';

export const jobCtx = ({ database, now }: Platform, { requestId, traceparent }: JobContext): Context => ({
  actor: platformActor,
  db: database.manager,
  now,
  requestId,
  traceparent,
});
