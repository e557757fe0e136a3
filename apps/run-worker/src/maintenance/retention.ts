import { expireMcpAuthorizations } from '@lensforge/agents';
import type { Context } from '@lensforge/core';
import { type Platform, startPeriodicTask } from '@lensforge/edge';
import {
  deleteExpiredAnswers,
  deleteExpiredFeedbackKeys,
  deleteOldScorerCalls,
  restoreExperiments,
} from '@lensforge/evaluation';
import {
  deleteExpiredKeys,
  deleteExpiredRunRecords,
  eraseClosedAccounts,
  maintainRunPartitions,
  restoreRunOperations,
} from '@lensforge/runs';

export interface RetentionParts extends Pick<Platform, 'logger' | 'drain'> {
  ctx: Context;
  /** How long runs are kept; 0: forever. */
  days: number;
}

const lockMs = 250;
const page = 500;

/**
 * Creates and drops the monthly partitions of runs, deletes what is past its retention, and requeues operations and
 * experiments whose worker was lost. Every worker does; PostgreSQL decides who acts.
 */
export function startRetention(parts: RetentionParts): void {
  const { ctx, days, logger } = parts;
  const start = (name: string, everyMs: number, work: () => Promise<unknown>): void => {
    const firstAfterMs = Math.min(everyMs, 30_000) * Math.random();
    startPeriodicTask(parts, { name, everyMs, firstAfterMs, until: 'exit' }, work);
  };
  start('restoring operations on runs', 5000, async () => {
    const restored = await restoreRunOperations(ctx);
    if (restored > 0) logger.warn({ restored }, 'operations on runs had lost their workers or jobs and were requeued');
  });
  start('restoring experiments', 1000, async () => {
    const restored = await restoreExperiments(ctx);
    if (restored > 0) logger.warn({ restored }, 'experiments had lost their workers or jobs and were requeued');
  });
  start('deleting idempotency keys', 60_000, () => deleteExpiredKeys(ctx, { limit: 5000 }));
  start('deleting traces of runs', 60_000, () => deleteExpiredRunRecords(ctx, { days, limit: 5000 }));
  start('deleting calls to scorers', 600_000, () => deleteOldScorerCalls(ctx));
  start('deleting keys for feedback', 600_000, () => deleteExpiredFeedbackKeys(ctx));
  start('deleting earlier answers', 600_000, () => deleteExpiredAnswers(ctx, { limit: 5000 }));
  start('erasing closed accounts', 60_000, async () => {
    while ((await eraseClosedAccounts(ctx, { page })) === page && !parts.drain.draining);
  });
  start('ending authorizations of MCP servers', 60_000, () => expireMcpAuthorizations(ctx, { limit: 1000 }));
  const keptFor = new Map<string, string>();
  start('maintaining partitions of runs', 600_000, () => maintainPartitions(parts, keptFor));
}

/** Logs why a partition stays as it is when the reason changes; `keptFor` holds the reasons by partition. */
async function maintainPartitions({ ctx, days, logger }: RetentionParts, keptFor: Map<string, string>): Promise<void> {
  const { made, dropped, deleted, left } = await maintainRunPartitions(ctx, { days, lockMs, page });
  if (made.length + dropped.length + deleted > 0) {
    logger.info({ made, dropped, deleted }, 'partitions of runs were created, dropped or emptied');
  }
  for (const { part, reason } of left) {
    if (keptFor.get(part) !== reason) logger.warn({ part, reason }, 'a partition of runs stays as it is for now');
    keptFor.set(part, reason);
  }
}
