import { record, text, uuid } from '@lensforge/contracts';
import { acceptWorkflowRun, readWorkflowRun } from '@lensforge/runs';
import { requireLenser } from '../../lenser.js';
import { workflowId } from '../../parameters.js';
import { RunStartedResult, runStarted } from '../../results/workflow.js';
import { tool } from '../../tool.js';

class Args {
  @workflowId()
  workflow_id!: string;

  @record({ description: 'The inputs of the workflow: see inputs in the graph of get_workflow.' })
  inputs: Record<string, unknown> = {};

  @text({ min: 1, max: 200, optional: true, description: 'A model for all nodes that use one.' })
  global_model_id?: string;

  @text({
    min: 1,
    max: 128,
    optional: true,
    description: 'A repeated call with the same key returns the run of the first call.',
  })
  idempotency_key?: string;
}

class Result extends RunStartedResult {
  @uuid()
  workflow_id!: string;
}

export const runWorkflowTool = tool({
  name: 'run_workflow',
  class: 'Execute',
  rate: 'run',
  title: 'Run a workflow',
  description:
    'Starts a run of a workflow on the platform and returns its id at once. Use it when the work has ' +
    'several steps that a workflow defines. Follow it with get_workflow_run_status. For one prompt that you carry out ' +
    'yourself, use run_lens. Inputs that do not fit come back as BAD_INPUT with what is missing.',
  scope: 'workflows:write',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'BAD_INPUT', 'MISSING_LENSER'],
  names: { modelOverride: 'global_model_id' },
  toRunId: ({ id }) => id,
  run: async (ctx, { workflow_id, inputs, global_model_id, idempotency_key }) => {
    requireLenser(ctx);
    const accepted = await acceptWorkflowRun(ctx, {
      workflowId: workflow_id,
      inputs,
      modelOverride: global_model_id,
      idempotencyKey: idempotency_key,
      onRepeat: 'existing',
    });
    return {
      ...runStarted(await readWorkflowRun(ctx, accepted.runId), accepted),
      workflow_id: workflow_id.toLowerCase(),
    };
  },
});
