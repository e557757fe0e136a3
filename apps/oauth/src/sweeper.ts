import { withDbRetry } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import { deleteExpired } from '@lensforge/identity';

const everyMs = 60_000;

/** Every oauth service deletes, once a minute, what has had its time: codes, tries, resets, sessions, old keys. */
export function sweepExpired({ database, drain, logger }: Platform): void {
  let sweeping: Promise<unknown> = Promise.resolve();
  const sweep = (): void => {
    sweeping = withDbRetry(() => deleteExpired(database.manager)).catch((err: unknown) => {
      logger.warn({ err }, 'what has expired could not be deleted');
    });
  };
  const timer = setInterval(sweep, everyMs).unref();
  sweep();
  drain.onDrain('sweeper', () => {
    clearInterval(timer);
    return sweeping.then(() => undefined);
  });
}
