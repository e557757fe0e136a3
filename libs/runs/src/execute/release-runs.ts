import type { Context } from '@lensforge/core';
import type { RunEvent } from '@lensforge/contracts';
import type { HeldRun } from './run-leases.js';
import { requeueRun } from './requeue-run.js';

/** Requeues runs that a stopping worker will not finish; they do not count as lost. */
export async function releaseRuns(ctx: Context, held: readonly HeldRun[]): Promise<RunEvent[]> {
  const released: RunEvent[] = [];
  for (const { runId, attempt } of held) {
    const events = await requeueRun(ctx, { runId, attempt, reason: 'the worker is stopping', lost: false });
    released.push(...(events ?? []));
  }
  return released;
}
