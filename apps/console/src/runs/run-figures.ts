import type { shapes } from '@lensforge/sdk';

export interface RunFigures {
  count: number;
  failed: number;
  medianMs: number | undefined;
  credits: number;
  /** Equal parts of the time from the oldest run to the newest. */
  bars: { succeeded: number; failed: number }[];
}

const isFailed = ({ status }: shapes.RunItem): boolean => status === 'failed' || status === 'timed_out';

/** Figures of the runs of a list. */
export function figuresOf(runs: readonly shapes.RunItem[], parts = 40): RunFigures {
  const times = runs.map(({ createdAt }) => Date.parse(createdAt));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const bars = Array.from({ length: runs.length === 0 ? 0 : parts }, () => ({ succeeded: 0, failed: 0 }));
  for (const run of runs) {
    const share = to === from ? 0 : (Date.parse(run.createdAt) - from) / (to - from);
    const bar = bars[Math.min(parts - 1, Math.floor(share * parts))];
    if (bar) bar[isFailed(run) ? 'failed' : 'succeeded'] += 1;
  }
  const durations = runs
    .flatMap(({ startedAt, completedAt }) =>
      startedAt !== null && completedAt !== null ? [Date.parse(completedAt) - Date.parse(startedAt)] : [],
    )
    .sort((a, b) => a - b);
  return {
    count: runs.length,
    failed: runs.filter(isFailed).length,
    medianMs: durations[Math.floor(durations.length / 2)],
    credits: runs.reduce((sum, { creditCost }) => sum + (creditCost ?? 0), 0),
    bars,
  };
}
