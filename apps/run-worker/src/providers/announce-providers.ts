import { type Platform, startPeriodicTask } from '@lensforge/edge';
import { announceProviders } from '@lensforge/models';
import type { Providers } from './providers.js';

/** Well below the time after which the models of a provider are no longer offered. */
const everyMs = 30_000;

/** Announces the providers of this worker, so that gateways, which hold no keys, offer their models. */
export function startAnnouncingProviders(
  { database, logger, drain }: Pick<Platform, 'database' | 'logger' | 'drain'>,
  providers: Providers,
): void {
  startPeriodicTask({ logger, drain }, { name: 'announcing providers', everyMs, until: 'exit' }, () =>
    announceProviders(
      database.manager,
      providers.platformKeys.filter((key) => key !== 'offline'),
    ),
  );
}
