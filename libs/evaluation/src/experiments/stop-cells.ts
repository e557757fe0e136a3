import { type Context, DomainError } from '@lensforge/core';
import { cancelRun } from '@lensforge/runs';
import type { StoredExperiment } from './experiment.entity.js';

/** Cancels the runs of cells and judges that have not ended. */
export async function stopCells(owner: Context, { id, answersOf }: StoredExperiment): Promise<void> {
  const rows = await owner.db.query<{ runId: string }[]>(
    `select run_id as "runId" from experiment_cells where experiment_id = $1 and state = 'running' and not $2
     union all select run_id from experiment_judgements where experiment_id = $1 and state = 'running'`,
    [id, answersOf !== null],
  );
  for (const { runId } of rows) {
    try {
      await cancelRun(owner, runId);
    } catch (reason) {
      // One that has ended in the meantime is collected as it ended.
      if (!(reason instanceof DomainError)) throw reason;
    }
  }
}
