import { type ByokTestStatus, jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { enqueue, inTransaction } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import { writableByokKey } from './byok-access.js';

/** Queues a test of a key for the run-workers, which alone can decrypt it. Only the newest test of a key counts. */
export function startByokTest(ctx: Context, keyId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = await writableByokKey(ctx, keyId);
    const testId = newId();
    await ctx.db.query(
      `update byok_keys set test_id = $2, test_status = 'pending', test_message = null, tested_at = null where id = $1`,
      [id, testId],
    );
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
  await db.query(
    `update byok_keys set test_status = $3, test_message = $4, tested_at = now()
      where id = $1 and test_id = $2 and test_status = 'pending'`,
    [keyId, testId, status, message],
  );
}
