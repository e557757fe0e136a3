import { recordAudit } from '@lensforge/audit';
import type { FailedRunsRetried, FailedRunsRetryRequest } from '@lensforge/contracts';
import { type Context, groupBy } from '@lensforge/core';
import { inTransaction, withDbRetry } from '@lensforge/database';
import { type FailedRun, type RetryParts, listFailedRuns, retryForAccounts } from '@lensforge/runs';

/** Retries a page of failed runs of all accounts; the caller is an operator. */
export async function retryFailedRuns(
  ctx: Context,
  { filter, limit, before }: FailedRunsRetryRequest,
  parts: RetryParts,
): Promise<FailedRunsRetried> {
  const runs = await withDbRetry(() => listFailedRuns(ctx, filter, { below: before, limit }));
  if (runs.length > 0) await audit(ctx, runs, filter);
  const next = runs.length < limit ? null : (runs.at(-1)?.runId ?? null);
  return { matched: runs.length, ...(await retryForAccounts(ctx, runs, parts)), next };
}

/**
 * Writes the filter to the audit log of the operator, and the retried runs to that of each account. Before the retries, since
 * an entry without a retry is better than a retry without an entry.
 */
async function audit(ctx: Context, runs: readonly FailedRun[], filter: object): Promise<void> {
  const action = 'runs.retried';
  const { accountId: operator } = ctx.actor;
  await record(operator, { filter, runs: runs.length });
  for (const [accountId, ofAccount] of groupBy(runs, (run) => run.accountId)) {
    if (accountId === operator) continue;
    await record(accountId, { byOperator: true, runIds: ofAccount.map(({ runId }) => runId) });
  }

  function record(accountId: string, details: Record<string, unknown>): Promise<void> {
    return inTransaction(ctx, (ctx) => recordAudit(ctx, { accountId, action, details }));
  }
}
