import { watchLabels } from '@lensforge/evaluation';
import { deleteOldReturnNotices } from '@lensforge/releases';
import { type Platform, platformContext, startPeriodicTask } from '@lensforge/edge';

const everyMs = 5000;

/** Returns labels whose versions cross their bounds. Every worker looks; PostgreSQL lets one of them record a look. */
export function startWatchingLabels(platform: Platform): void {
  const firstAfterMs = everyMs * Math.random();
  startPeriodicTask(platform, { name: 'watching labels', everyMs, firstAfterMs }, async () => {
    const ctx = platformContext(platform);
    await deleteOldReturnNotices(ctx);
    for (const returned of await watchLabels(ctx)) {
      platform.logger.warn(returned, 'a label returned to its version before');
    }
  });
}
