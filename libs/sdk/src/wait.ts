import type { StreamOptions } from './event-stream.js';
import type { ExperimentEvent, RunEvent } from './events.js';
import type { ExperimentsMethods, RunsMethods } from './generated/resources.js';
import type { Experiment, PlatformRunStatus } from './generated/shapes.js';

export interface WaitOptions<E = RunEvent> extends StreamOptions {
  /** Called for each event. */
  onEvent?: ((event: E) => void) | undefined;
}

export type WaitForRun = (runId: string, options?: WaitOptions) => Promise<PlatformRunStatus>;
export type WaitForExperiment = (experimentId: string, options?: WaitOptions<ExperimentEvent>) => Promise<Experiment>;

/** Follows a run to its end and reads it. A run that failed is returned, too: its status tells. */
export const waitForRun =
  (runs: RunsMethods): WaitForRun =>
  async (runId, { onEvent, ...options } = {}) => {
    for await (const event of runs.events(runId, {}, options)) onEvent?.(event);
    return runs.get(runId, { signal: options.signal });
  };

/** Follows an experiment to its end and reads it with its verdict. */
export const waitForExperiment =
  (experiments: ExperimentsMethods): WaitForExperiment =>
  async (experimentId, { onEvent, ...options } = {}) => {
    for await (const event of experiments.events(experimentId, options)) onEvent?.(event);
    return experiments.get(experimentId, { signal: options.signal });
  };
