import { dateTime, integer, nested, uuid } from '@lensforge/contracts';
import { readWorkflowRun, toolRunStatus } from '@lensforge/runs';
import { runId } from '../../parameters.js';
import { CostResult, toCostResult, runStatus } from '../../results/workflow.js';
import { toResult } from '../../results/to-result.js';
import { tool } from '../../tool.js';

class Args {
  @runId()
  run_id!: string;
}

class Result {
  @uuid()
  id!: string;

  @runStatus()
  status!: string;

  @dateTime({ nullable: true })
  started_at!: string | null;

  @dateTime({ nullable: true })
  completed_at!: string | null;

  @integer({ min: 0 })
  spent_credits!: number;

  @integer({ min: 0, nullable: true, description: 'The most that it may spend; null without a limit.' })
  budget_credits!: number | null;

  @nested(() => CostResult)
  cost_metadata!: CostResult;
}

export const getWorkflowRunStatusTool = tool({
  name: 'get_workflow_run_status',
  class: 'Read',
  rate: 'read',
  title: 'Status of a workflow run',
  description:
    'Reads the progress of a workflow run and what it has cost. Use it to wait for a run: ask again after a few seconds ' +
    'until status is completed, failed or cancelled. For the outputs of the nodes, use get_workflow_run_logs; for the outcome ' +
    'at a glance, use summarize_workflow.',
  scope: 'workflows:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND'],
  run: async (ctx, { run_id }) => {
    const run = await readWorkflowRun(ctx, run_id);
    return toResult(Result, run, { status: toolRunStatus[run.status], cost_metadata: toCostResult(run) });
  },
});
