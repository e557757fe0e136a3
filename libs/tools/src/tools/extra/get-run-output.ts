import { integer } from '@lensforge/contracts';
import { runId } from '../../parameters.js';
import { RunOutputResult, awaitOutput, maxWaitMs } from '../../results/run-output.js';
import { tool } from '../../tool.js';

class Args {
  @runId()
  run_id!: string;

  @integer({ min: 0, max: maxWaitMs / 1000, description: 'The seconds to wait for its end.' })
  wait_seconds = 0;
}

export const getRunOutputTool = tool({
  name: 'get_run_output',
  class: 'Read',
  rate: 'read',
  waitsMs: maxWaitMs,
  title: 'Output of a run',
  description:
    'Reads the answer of a run, and waits for its end if wait_seconds says so. Use it after execute_lens for a run that goes on. ' +
    'For the steps of a workflow, use get_workflow_run_logs.',
  scope: 'lenses:read',
  args: Args,
  result: RunOutputResult,
  errors: ['NOT_FOUND'],
  run: (ctx, { run_id, wait_seconds }) => awaitOutput(ctx, run_id, wait_seconds * 1000),
});
