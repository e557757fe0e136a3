import { text, uuid } from '@lensforge/contracts';
import { type WorkflowVisibility, createWorkflow, getWorkflow } from '@lensforge/workflows';
import { asLenser, requireLenser } from '../../lenser.js';
import { title, workflowVisibility } from '../../parameters.js';
import { WorkflowResult, workflowResult } from '../../results/workflow.js';
import { tool } from '../../tool.js';

class Args {
  @title({ description: 'The purpose of the workflow, in a few words.' })
  title!: string;

  @text({ max: 2000, description: 'Its work and its requirements.' })
  description = '';

  @workflowVisibility({ description: 'public: everyone; unlisted: everyone who knows the id; private: you.' })
  visibility: WorkflowVisibility = 'private';

  @uuid({ optional: true, description: 'The owner; you when left out.' })
  lenser_id?: string;
}

export const createWorkflowTool = tool({
  name: 'create_workflow',
  class: 'Write',
  rate: 'create',
  title: 'Create a workflow',
  description:
    'Creates a workflow of yours with an empty graph, private unless you say otherwise. Use it to start one; its graph is ' +
    'drawn in the console or saved through the REST API. For a single prompt, create_lens is enough. To run an existing ' +
    'one, use run_workflow.',
  scope: 'workflows:write',
  args: Args,
  result: WorkflowResult,
  errors: ['FORBIDDEN', 'MISSING_LENSER'],
  run: async (caller, { lenser_id, title, description, visibility }) => {
    const ctx = await asLenser(caller, lenser_id);
    requireLenser(ctx);
    const { workflowId } = await createWorkflow(ctx, { title, description, visibility });
    return workflowResult(await getWorkflow(ctx, workflowId));
  },
});
