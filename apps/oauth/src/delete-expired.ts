import { withDbRetry } from '@lensforge/database';
import { type Platform, startPeriodicTask } from '@lensforge/edge';
import { deleteExpired } from '@lensforge/identity';

const everyMs = 60_000;

/** Deletes expired codes, sign-in attempts, password resets, sessions and keys once a minute. */
export function startDeletingExpired(platform: Platform): void {
  const { manager } = platform.database;
  startPeriodicTask(platform, { name: 'deleting expired rows', everyMs }, () =>
    withDbRetry(() => deleteExpired(manager)),
  );
}
