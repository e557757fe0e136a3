import { nested, uuid } from '@lensforge/contracts';
import { readWorkflowRun, retryRun } from '@lensforge/runs';
import { runId } from '../../parameters.js';
import { RunStartedResult, runStarted } from '../../results/workflow.js';
import { tool } from '../../tool.js';

class Args {
  @runId('A run that has failed or was cancelled.')
  run_id!: string;
}

class Result {
  @nested(() => RunStartedResult)
  new_run!: RunStartedResult;

  @uuid()
  original_run_id!: string;
}

export const retryWorkflowTool = tool({
  name: 'retry_workflow',
  class: 'Execute',
  rate: 'run',
  title: 'Run a workflow again',
  description:
    'Retries a run that failed or was cancelled, with the same version and inputs, and answers with the new run; the ' +
    'old one stays as it is. Use it when the cause has gone, or may have. With other inputs, use run_workflow. A run that ' +
    'has completed or is running cannot be retried.',
  scope: 'workflows:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  run: async (ctx, { run_id }) => {
    const { id } = await readWorkflowRun(ctx, run_id);
    const retried = await retryRun(ctx, { runId: id });
    return { new_run: runStarted(await readWorkflowRun(ctx, retried.runId), retried), original_run_id: id };
  },
});
