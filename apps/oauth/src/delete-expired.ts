import { withDbRetry } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import { forgetExpired } from '@lensforge/identity';

const everyMs = 60_000;

/** Deletes expired codes, sign-in attempts, password resets, sessions and keys once a minute. */
export function deleteExpired({ database, drain, logger }: Platform): void {
  let sweeping: Promise<unknown> = Promise.resolve();
  const sweep = (): void => {
    sweeping = withDbRetry(() => forgetExpired(database.manager)).catch((err: unknown) => {
      logger.warn({ err }, 'expired rows could not be deleted');
    });
  };
  const timer = setInterval(sweep, everyMs).unref();
  sweep();
  drain.onDrain('sweeper', () => {
    clearInterval(timer);
    return sweeping.then(() => undefined);
  });
}
