import { useReadReplica } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import { Counter } from 'prom-client';
import type { GatewayEnvironment } from './environment.js';

/** Lets a streaming replica answer lists and reads of stored events, if one is configured. */
export function openReplica({
  name,
  environment,
  database,
  logger,
  metrics,
  drain,
}: Platform<GatewayEnvironment>): void {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_WAIT_MS: maxWaitMs } = environment;
  if (url === undefined) return;
  const reads = new Counter({
    name: 'lensforge_replica_reads_total',
    help: 'Lists and reads of stored events, by the server that answered',
    labelNames: ['answered_by'],
    registers: [metrics.registry],
  });
  const close = useReadReplica(database, {
    url,
    ca: environment.DATABASE_CA,
    applicationName: `${name} replica`,
    poolSize: environment.DATABASE_POOL_SIZE,
    timeoutFactor: environment.DATABASE_PATIENCE,
    maxWaitMs,
    onChange: (change) =>
      change.used
        ? logger.info('the read replica is used again')
        : logger.warn(`the read replica ${change.why}; its reads go to the primary`),
    onRead: (by) => reads.inc({ answered_by: by }),
  });
  drain.onExit('read replica', close);
}
