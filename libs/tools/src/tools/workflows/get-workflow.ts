import { getWorkflow } from '@lensforge/workflows';
import { workflowId } from '../../parameters.js';
import { WorkflowResult, workflowResult } from '../../results/workflow.js';
import { tool } from '../../tool.js';

class Args {
  @workflowId()
  workflow_id!: string;
}

export const getWorkflowTool = tool({
  name: 'get_workflow',
  class: 'Read',
  rate: 'read',
  title: 'Read a workflow',
  description:
    'Reads a workflow with its newest graph and, when it is yours, its schedules. Use it before run_workflow: the inputs ' +
    'of the graph are the JSON Schema of its inputs. To find a workflow, use list_workflows; to follow a run of it, ' +
    'use get_workflow_run_status.',
  scope: 'workflows:read',
  args: Args,
  result: WorkflowResult,
  errors: ['NOT_FOUND'],
  run: async (ctx, { workflow_id }) => workflowResult(await getWorkflow(ctx, workflow_id)),
});
