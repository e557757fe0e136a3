import type { LensExecuteRequest } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, newId, requireScope } from '@lensforge/core';
import type { RunnableLens } from '@lensforge/lenses';
import { prefetchLens, runnableLens } from '@lensforge/lenses';
import { acceptLensRun } from './accept-lens-run.js';
import type { AcceptedRun } from './write-run.js';

export interface LensBatchOrder {
  lensId: string;
  /** A fault that was found in an item already keeps its place. */
  items: readonly (LensExecuteRequest | Error)[];
  /** How long a run may execute on this platform. */
  timeoutMs: number;
  prefetched?: Promise<RunnableLens | undefined> | undefined;
}

export interface AcceptedBatch {
  batchId: string;
  /** In the order of the items. */
  outcomes: (AcceptedRun | Error)[];
}

const atOnce = 200;

/**
 * Accepts many executions of a lens, each for itself: those that are refused refuse no other. An account that can have no
 * more runs is told so as a whole.
 */
export async function acceptLensRuns(ctx: Context, order: LensBatchOrder): Promise<AcceptedBatch> {
  requireScope(ctx, 'lenses:read');
  const { lensId, items, timeoutMs } = order;
  const lens = await runnableLens(ctx, lensId, order.prefetched ?? prefetchLens(ctx.db, lensId));
  const prefetched = Promise.resolve(lens);
  const batchId = newId();
  const outcomes: (AcceptedRun | Error)[] = [];
  // So many at a time share statements; all at once would only wait for connections, and others with them.
  for (let at = 0; at < items.length; at += atOnce) {
    const some = items.slice(at, at + atOnce).map(async (item) => {
      if (item instanceof Error) return item;
      try {
        return await acceptLensRun(ctx, { ...item, lensId, timeoutMs, prefetched, batchId });
      } catch (reason) {
        if (reason instanceof DomainError) return reason;
        throw reason;
      }
    });
    outcomes.push(...(await settled(some)));
  }
  const [first] = outcomes;
  if (isBacklog(first) && outcomes.every((outcome) => outcome instanceof Error)) throw first;
  return { batchId, outcomes };
}

const isBacklog = (outcome: AcceptedRun | Error | undefined): outcome is DomainError =>
  outcome instanceof DomainError && outcome.code === 'RATE_LIMITED';

/** Rejects when all have come to an end: nothing goes on behind an answer. */
async function settled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
