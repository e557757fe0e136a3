import { flag, integer, record, text, uuid } from '@lensforge/contracts';
import { runLens } from '@lensforge/lenses';
import { recordLensRun } from '@lensforge/runs';
import { requireLenser } from '../../lenser.js';
import { lensId, paramValues, versionId } from '../../parameters.js';
import { toResult } from '../../results/to-result.js';
import { tool } from '../../tool.js';

class Args {
  @lensId()
  lens_id!: string;

  @versionId()
  version_id?: string;

  @paramValues('A value for each parameter, by its label; upper and lower case are the same.')
  param_values: Record<string, string> = {};

  @uuid({
    optional: true,
    description:
      'Writes a tracking record: a pending run of this workflow, which is never executed. Needs workflows:write.',
  })
  workflow_id?: string;
}

class Result {
  @text({ max: 1_000_000, description: 'For you to carry out.' })
  resolved_prompt!: string;

  @text()
  lens_title!: string;

  @text()
  lens_description!: string;

  @uuid({ nullable: true })
  run_id!: string | null;

  @uuid()
  lens_id!: string;

  @uuid()
  version_id!: string;

  @record()
  params_used!: Record<string, unknown>;

  @integer({ min: 0 })
  estimated_input_tokens!: number;

  @flag({ description: 'True when a tracking record was written.' })
  persisted!: boolean;

  @text({ description: 'What to do with the prompt.' })
  next_step!: string;
}

export const runLensTool = tool({
  name: 'run_lens',
  class: 'Execute',
  rate: 'read',
  rateWith: { workflow_id: 'run' },
  title: 'Run a lens',
  description:
    'Puts values into a lens and answers with resolved_prompt, a finished prompt that you then carry out yourself: no ' +
    'model is called here. Use it when you know the lens. When all you have is a description of the task, use ' +
    'find_and_run_lens. Required parameters without a value come back as MISSING_PARAMS with their labels: ask the ' +
    'user for them. Parts of values are never taken for parameters. With workflow_id the prompt is recorded as a pending ' +
    'run of that workflow; report its outcome as next_step says.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'MISSING_PARAMS', 'MISSING_LENSER'],
  names: { params: 'param_values' },
  run: async (ctx, { lens_id, version_id, param_values: paramValues, workflow_id: workflowId }) => {
    if (workflowId !== undefined) requireLenser(ctx);
    const order = { lensId: lens_id, version: version_id, paramValues, workflowId };
    return toResult(Result, await runLens(ctx, order, recordLensRun));
  },
});
