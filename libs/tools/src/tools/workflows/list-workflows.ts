import { uuid } from '@lensforge/contracts';
import { type WorkflowVisibility, listWorkflows } from '@lensforge/workflows';
import { limit, offset, workflowVisibility } from '../../parameters.js';
import { WorkflowPageResult, workflowPage } from '../../results/workflow.js';
import { tool } from '../../tool.js';

class Args {
  @limit()
  limit = 20;

  @offset()
  offset = 0;

  @workflowVisibility({
    optional: true,
    description: 'Only workflows of this visibility; private and unlisted ones are listed for their owner.',
  })
  visibility?: WorkflowVisibility;

  @uuid({ optional: true, description: 'Only workflows of this lenser.' })
  lenser_id?: string;
}

export const listWorkflowsTool = tool({
  name: 'list_workflows',
  class: 'Read',
  rate: 'list',
  title: 'List workflows',
  description:
    'Lists the workflows you can find, newest first: public ones of all authors, and all of your own. Use it to find ' +
    'a workflow to run. When you have its id and want to know what it does or takes, use get_workflow. Items carry no graph.',
  scope: 'workflows:read',
  args: Args,
  result: WorkflowPageResult,
  run: async (ctx, { lenser_id: accountId, ...rest }) => workflowPage(await listWorkflows(ctx, { ...rest, accountId })),
});
