import { countVotes } from '@lensforge/battles';
import type { Context } from '@lensforge/core';
import { type Platform, startPeriodicTask } from '@lensforge/edge';

const everyMs = 1000;

/** Counts new votes of battles. Every worker does; PostgreSQL lets one of them count a battle, once a second. */
export function startCountingVotes(platform: Pick<Platform, 'logger' | 'drain'>, ctx: Context): void {
  startPeriodicTask(platform, { name: 'counting votes', everyMs, firstAfterMs: everyMs * Math.random() }, () =>
    countVotes(ctx),
  );
}
