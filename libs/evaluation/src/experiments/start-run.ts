import { DomainError } from '@lensforge/core';
import type { AcceptedRun } from '@lensforge/runs';

/** Why no more runs start; `later` when they may start in a while. */
export type Stop = { reason: string } | 'later';

export type Start = { runId: string } | { error: string } | { stop: Stop };

/** The lowest priority among the waiting runs of the account. */
export const lowestPriority = -10;

export const budgetIsUsed: Stop = { reason: 'its budget does not suffice for another run' };

/** Starts a run; a refusal is an error of this run alone, or a reason to start no more. */
export async function startRun(accept: () => Promise<AcceptedRun>): Promise<Start> {
  try {
    const { runId } = await accept();
    return { runId };
  } catch (reason) {
    if (!(reason instanceof DomainError)) throw reason;
    const { code, message, details } = reason;
    if (code === 'RATE_LIMITED' || code === 'THROTTLED') return { stop: 'later' };
    if (code === 'INSUFFICIENT_CREDITS') {
      return { stop: details?.['limitOf'] === 'run' ? budgetIsUsed : { reason: message } };
    }
    return { error: message };
  }
}

/** The stop that counts: one for want of credits, then one for a while, then one of the budget. */
export function firstStop(starts: readonly Start[]): Stop | undefined {
  const stops = starts.flatMap((start) => ('stop' in start ? [start.stop] : []));
  return (
    stops.find((stop) => stop !== 'later' && stop !== budgetIsUsed) ??
    stops.find((stop) => stop === 'later') ??
    stops[0]
  );
}
