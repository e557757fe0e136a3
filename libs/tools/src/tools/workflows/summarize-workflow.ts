import { integer, nested, uuid } from '@lensforge/contracts';
import { countNodeResults, readWorkflowRun, toolRunStatus } from '@lensforge/runs';
import { runId } from '../../parameters.js';
import { CostResult, toCostResult, runStatus } from '../../results/workflow.js';
import { toResult } from '../../results/to-result.js';
import { tool } from '../../tool.js';

class Args {
  @runId()
  run_id!: string;
}

class Counts {
  @integer({ min: 0 })
  total!: number;

  @integer({ min: 0 })
  completed!: number;

  @integer({ min: 0 })
  failed!: number;

  @integer({ min: 0 })
  skipped!: number;
}

class Result {
  @uuid()
  run_id!: string;

  @uuid()
  workflow_id!: string;

  @runStatus()
  status!: string;

  @integer({ min: 0, nullable: true, description: 'Until now while it goes on; null before its start.' })
  duration_ms!: number | null;

  @integer({ min: 0 })
  spent_credits!: number;

  @integer({ min: 0, nullable: true })
  budget_credits!: number | null;

  @nested(() => CostResult)
  cost_metadata!: CostResult;

  @nested(() => Counts)
  nodes!: Counts;
}

export const summarizeWorkflowTool = tool({
  name: 'summarize_workflow',
  class: 'Read',
  rate: 'read',
  title: 'Sum up a workflow run',
  description:
    'Sums up a run of a workflow: how it ended, how long it took, what it cost, and how many nodes completed, failed or ' +
    'were skipped. Use it to report on a run. For the outputs of its nodes, use get_workflow_run_logs.',
  scope: 'workflows:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, { run_id }) => {
    const run = await readWorkflowRun(ctx, run_id);
    return toResult(Result, run, {
      run_id: run.id,
      status: toolRunStatus[run.status],
      cost_metadata: toCostResult(run),
      nodes: await countNodeResults(ctx, run_id),
    });
  },
});
