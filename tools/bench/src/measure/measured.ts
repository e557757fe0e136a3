import type { Cores, Finding } from '../report/row.js';
import type { BenchPlatform } from '../stage/bench-platform.js';
import { watchCores } from '../stage/process-figures.js';

/** What came of some work, and how busy everybody was meanwhile. */
export async function watched<T>(stage: BenchPlatform, work: () => Promise<T>): Promise<{ outcome: T; cores: Cores }> {
  const stop = await watchCores(stage.pids());
  const outcome = await work();
  return { outcome, cores: await stop() };
}

export const finding = (value: number, cores?: Cores): Finding => ({ value, ...(cores && { cores }) });
