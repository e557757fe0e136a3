import type { GraphNode } from '@lensforge/workflows';
import type { Failed } from './node-events.js';

const maxPassingTries = 3;
const maxPauseMs = 3_600_000;

/** The pause before the next attempt of a failed node; undefined when there must be none. `random` is from 0 to 1. */
export function retryPause(
  { retry: policy }: Pick<GraphNode, 'retry'>,
  { retry, afterMs = 0, endsRun }: Failed,
  { tries, random, msToDeadline }: { tries: number; random: () => number; msToDeadline: number },
): number | undefined {
  if (endsRun || retry === 'final') return undefined;
  const most = policy?.attempts ?? (retry === 'passing' ? maxPassingTries : 1);
  if (tries + 1 >= most) return undefined;
  const grown = (policy?.delaySeconds ?? 1) * 1000 * (policy?.factor ?? 2) ** tries;
  const delayMs = Math.round(Math.max(Math.min(grown, maxPauseMs) * (0.5 + random() / 2), afterMs));
  return delayMs < msToDeadline ? delayMs : undefined;
}
