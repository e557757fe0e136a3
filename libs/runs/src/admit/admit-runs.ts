import type { Context } from '@lensforge/core';
import {
  type AdmissionTarget,
  type OutboxRow,
  inTransaction,
  outboxClaimMs,
  recordRunChanges,
  withDbRetry,
} from '@lensforge/database';
import { getRunLimits } from '../run-limits.js';
import { admitWaitingRuns, findAccountsWithWaiting, lockAdmission } from './admit-runs.sql.js';
import { passClaims } from './concurrency-keys.js';

/**
 * Admits waiting runs of accounts that have free slots; to be called when runs have ended. The longest-waiting run comes
 * first; each point of priority counts as a minute. An advisory lock per account prevents two processes from assigning
 * the same slot.
 */
export async function admitRuns(ctx: Context, accountIds: readonly string[]): Promise<void> {
  const waiting = await withWaitingRuns(ctx, accountIds);
  if (waiting.length === 0) return;
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.query(lockAdmission, [waiting]);
    const { atOnce } = getRunLimits(ctx);
    const jobs = await ctx.db.query<OutboxRow[]>(admitWaitingRuns, [waiting, atOnce, outboxClaimMs(ctx)]);
    recordRunChanges(ctx, { jobs });
  });
}

/** Admits waiting runs of accounts, and those of keys that are free. */
export async function admitWaiting(ctx: Context, targets: readonly AdmissionTarget[]): Promise<void> {
  const keys = targets.flatMap(({ accountId, concurrencyKey: key }) => (key === null ? [] : [{ accountId, key }]));
  await withDbRetry(() => passClaims(ctx, keys));
  await admitRuns(
    ctx,
    targets.map(({ accountId }) => accountId),
  );
}

async function withWaitingRuns(ctx: Context, accountIds: readonly string[]): Promise<string[]> {
  const ids = [...new Set(accountIds)].sort();
  if (ids.length === 0) return [];
  const rows = await withDbRetry(() =>
    ctx.db.query<{ id: string }[]>(findAccountsWithWaiting, [ids, getRunLimits(ctx).atOnce]),
  );
  return rows.map(({ id }) => id);
}
