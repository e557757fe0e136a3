import type { StreamOptions } from './event-stream.js';
import type { RunEvent } from './events.js';
import type { RunsMethods } from './generated/resources.js';
import type { PlatformRunStatus } from './generated/shapes.js';

export interface WaitOptions extends StreamOptions {
  /** Called for each event of the run. */
  onEvent?: ((event: RunEvent) => void) | undefined;
}

export type WaitForRun = (runId: string, options?: WaitOptions) => Promise<PlatformRunStatus>;

/** Follows a run to its end and reads it. A run that failed is returned, too: its status tells. */
export const waitForRun =
  (runs: RunsMethods): WaitForRun =>
  async (runId, { onEvent, ...options } = {}) => {
    for await (const event of runs.events(runId, {}, options)) onEvent?.(event);
    return runs.get(runId, { signal: options.signal });
  };
