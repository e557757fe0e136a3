import { RatingRefits } from '@lensforge/battles';
import { type Platform, platformContext, startPeriodicTask } from '@lensforge/edge';
import type { RunWorkerEnvironment } from '../environment.js';

const everyMs = 1000;

/** Refits leaderboards after battles were published or archived. Every worker does; PostgreSQL decides who acts. */
export function startRatings(platform: Platform<RunWorkerEnvironment>): void {
  const { environment, metrics, logger, drain } = platform;
  const ctx = platformContext(platform);
  const refits = new RatingRefits({
    delayMs: environment.LENSFORGE_RATINGS_DELAY_MS,
    pauseMs: environment.LENSFORGE_RATINGS_PAUSE_MS,
    memoryMb: environment.LENSFORGE_RATINGS_MEMORY_MB,
    database: { ...environment.databaseAddress, timeoutFactor: environment.DATABASE_PATIENCE },
    onTask: (report) => metrics.sandboxTask(report),
  });
  drain.onExit('ratings', () => refits.close());
  startPeriodicTask(platform, { name: 'refitting leaderboards', everyMs }, async (signal) => {
    const refitted = await refits.refitNext(ctx, signal);
    if (refitted) logger.info(refitted, 'the leaderboards of a battle type were refitted');
    return refitted !== undefined;
  });
}
