import { type ByokTestStatus, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { enqueue, inTransaction } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import { writableByokKey } from './byok-access.js';
import { ByokKey } from './byok-key.entity.js';

/** Queues a test of a key for the run-workers, which alone can decrypt it. Only the newest test of a key counts. */
export function startByokTest(ctx: Context, keyId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = await writableByokKey(ctx, keyId);
    const testId = newId();
    await ctx.db.update(ByokKey, { id }, { testId, testStatus: 'pending', testMessage: null, testedAt: null });
    await enqueue(ctx, jobs.testByokKey, { keyId: id, testId }, { jobId: `${testId}-g0`, publishNow: true });
  });
}

export interface ByokTestResult {
  keyId: string;
  testId: string;
  status: Exclude<ByokTestStatus, 'pending'>;
  /** Shown to the user, so it must not contain secrets. */
  message: string;
}

/** Stores the result unless a newer test was started. */
export async function finishByokTest(
  db: EntityManager,
  { keyId, testId, status, message }: ByokTestResult,
): Promise<void> {
  await db.update(
    ByokKey,
    { id: keyId, testId, testStatus: 'pending' },
    { testStatus: status, testMessage: message, testedAt: () => 'now()' },
  );
}
