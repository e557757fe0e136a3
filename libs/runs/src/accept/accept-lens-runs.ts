import type { LensExecuteRequest } from '@lensforge/contracts';
import { type Context, DomainError, newId, requireScope } from '@lensforge/core';
import { runnableLens } from '@lensforge/lenses';
import { acceptLensRun } from './accept-lens-run.js';
import type { AcceptedRun } from './accept-once.js';

export interface LensBatchOrder {
  lensId: string;
  /** An item that was found invalid is an error at its index. */
  items: readonly (LensExecuteRequest | Error)[];
  /** The longest execution that the platform allows. */
  timeoutMs: number;
}

export interface AcceptedBatch {
  batchId: string;
  /** One per item, in the same order. */
  outcomes: (AcceptedRun | Error)[];
}

/** Enough runs to share statements, few enough to leave connections for other requests. */
const chunkSize = 200;

/**
 * Accepts a batch of lens runs. A refused item does not affect the others; when the backlog of the account refuses all
 * of them, the whole request fails.
 */
export async function acceptLensRuns(ctx: Context, order: LensBatchOrder): Promise<AcceptedBatch> {
  requireScope(ctx, 'lenses:read');
  const { lensId, items, timeoutMs } = order;
  const lens = await runnableLens(ctx, lensId);
  const batchId = newId();
  const outcomes: (AcceptedRun | Error)[] = [];
  for (let at = 0; at < items.length; at += chunkSize) {
    const ofKeys = new Map<string, Promise<AcceptedRun | Error>>();
    const chunk = items.slice(at, at + chunkSize).map((item) => {
      if (item instanceof Error) return Promise.resolve(item);
      const { idempotencyKey: key } = item;
      const outcome = accept(item, key === undefined ? undefined : ofKeys.get(key));
      if (key !== undefined) ofKeys.set(key, outcome);
      return outcome;
    });
    outcomes.push(...(await settled(chunk)));
  }
  const [first] = outcomes;
  if (isBacklog(first) && outcomes.every((outcome) => outcome instanceof Error)) throw first;
  return { batchId, outcomes };

  /** The first item with an idempotency key decides; a later one waits for it. */
  async function accept(item: LensExecuteRequest, before: Promise<unknown> | undefined): Promise<AcceptedRun | Error> {
    try {
      await before;
      return await acceptLensRun(ctx, { ...item, lensId, timeoutMs, batchId }, lens);
    } catch (reason) {
      if (reason instanceof DomainError) return reason;
      throw reason;
    }
  }
}

const isBacklog = (outcome: AcceptedRun | Error | undefined): outcome is DomainError =>
  outcome instanceof DomainError && outcome.code === 'RATE_LIMITED';

/** Rejects only after all promises have settled, so that no work continues after the response. */
async function settled<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
