import type { Cores, Finding } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { watchCores } from '../setup/process-figures.js';

/** The result of a measurement, and the load of all processes during it. */
export async function watched<T>(setup: BenchPlatform, work: () => Promise<T>): Promise<{ outcome: T; cores: Cores }> {
  const stop = await watchCores(setup.pids());
  const outcome = await work();
  return { outcome, cores: await stop() };
}

export const finding = (value: number, cores?: Cores): Finding => ({ value, ...(cores && { cores }) });
