import type { RunCause } from '@lensforge/contracts';
import type { StoredExperiment } from './experiment.entity.js';

/** The cause of the runs of a cell: those of its answer and of its judges. */
export const causeOf = ({ id, calls }: Pick<StoredExperiment, 'id' | 'calls'>, repetition: number): RunCause => ({
  kind: 'experiment',
  experimentId: id,
  ...(calls && { calls: { ...calls, repetition } }),
});
