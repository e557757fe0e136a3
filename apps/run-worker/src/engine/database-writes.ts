import { batchCalls } from '@lensforge/core';
import { isLockTimeout, isTransient, withDbRetry } from '@lensforge/database';

/** Retries longer than a request would wait, so that finished work is not lost in an outage of the database. */
export const withLongRetry = <T>(call: () => Promise<T>): Promise<T> =>
  withDbRetry(call, { timeoutMs: 30_000, retryLockTimeouts: true });

/** True for a fault of the database after which a later attempt may succeed. */
export const isDatabaseFault = (reason: unknown): boolean => isTransient(reason) || isLockTimeout(reason);

/** Without the division, runs that begin together would end together: PostgreSQL and the worker would take turns. */
export const batchLimits = { maxSize: 100, concurrency: 2, divideFrom: 32 };

/** Combines concurrent writes of single rows into statements of many rows. */
export function batchedWrite<I, O>(write: (rows: readonly I[]) => Promise<readonly O[]>): (row: I) => Promise<O> {
  const writeBatch = batchCalls((rows: I[]) => writeRows(rows, write), batchLimits);
  return async (row) => {
    const outcome = await writeBatch(row);
    if ('fault' in outcome) throw outcome.fault;
    return outcome.stored;
  };
}

type Outcome<O> = { stored: O } | { fault: Error };

/** Writes rows one by one when their shared statement fails, so that one bad row does not fail the others. */
async function writeRows<I, O>(
  rows: readonly I[],
  write: (rows: readonly I[]) => Promise<readonly O[]>,
): Promise<Outcome<O>[]> {
  try {
    return (await withLongRetry(() => write(rows))).map((stored) => ({ stored }));
  } catch (reason) {
    const fault = reason instanceof Error ? reason : new Error(String(reason));
    if (rows.length === 1 || isTransient(fault)) return rows.map(() => ({ fault }));
    const alone = await Promise.all(rows.map((row) => writeRows([row], write)));
    return alone.flat();
  }
}
