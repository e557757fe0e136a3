import type { Context } from '@lensforge/core';
import type { RunEvent } from '@lensforge/contracts';
import type { HeldRun } from './run-leases.js';
import { requeueRun } from './requeue-run.js';

/** Gives runs back that a stopping worker will not finish: queued again at once, not counted as lost. */
export async function releaseRuns(ctx: Context, held: readonly HeldRun[]): Promise<RunEvent[]> {
  const told: RunEvent[] = [];
  for (const { runId, attempt } of held) {
    const events = await requeueRun(ctx, { runId, attempt, reason: 'the worker is stopping', lost: false });
    told.push(...(events ?? []));
  }
  return told;
}
