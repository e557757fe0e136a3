import type { ProviderPause } from '@lensforge/contracts';
import { type Context, groupBy } from '@lensforge/core';
import { type WorkerPause, readPauses } from '@lensforge/queue';
import { type WaitingRuns, waitingRunsByModel } from '@lensforge/runs';

const limits = { pauses: 200, counted: 100_000 };

/** The models and keys that workers do not call now, with the runs that wait; those of several workers are one. */
export async function readProviderPauses(
  ctx: Context,
  where: Parameters<typeof readPauses>[0],
): Promise<ProviderPause[]> {
  const ofWorkers = await readPauses(where);
  if (ofWorkers.length === 0) return [];
  const waiting = await waitingRunsByModel(ctx, limits.counted);
  const groups = groupBy(ofWorkers.flat(), ({ provider, byok, model }) => JSON.stringify([provider, byok, model]));
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, limits.pauses)
    .map(([, pauses]) => merge(pauses, waiting));
}

/** The pauses of the same model or keys in several workers, with the latest reason. */
function merge(pauses: readonly WorkerPause[], waiting: readonly WaitingRuns[]): ProviderPause {
  const [latest] = pauses.toSorted((one, other) => other.until - one.until);
  if (!latest) throw new Error('there is no pause');
  const { provider, model, byok, reason, until } = latest;
  const most = (member: 'keys' | 'failures'): number => Math.max(...pauses.map((pause) => pause[member]));
  const isWaiting = (run: WaitingRuns): boolean =>
    run.provider === provider && run.byok === byok && (model === null || run.model === model);
  return {
    provider,
    model,
    byok,
    reason,
    keys: most('keys'),
    workers: pauses.length,
    failures: most('failures'),
    since: new Date(Math.min(...pauses.map(({ since }) => since))).toISOString(),
    until: new Date(until).toISOString(),
    waitingCalls: pauses.reduce((sum, { waitingCalls }) => sum + waitingCalls, 0),
    waitingRuns: waiting.filter(isWaiting).reduce((sum, { runs }) => sum + runs, 0),
  };
}
