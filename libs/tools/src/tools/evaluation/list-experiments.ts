import { flag, list, nestedKind, uuid } from '@lensforge/contracts';
import { listExperiments } from '@lensforge/evaluation';
import { limit, offset } from '../../parameters.js';
import { ExperimentItemResult, experimentItem } from '../../results/evaluation.js';
import { tool } from '../../tool.js';

class Args {
  @limit()
  limit = 20;

  @offset()
  offset = 0;

  @uuid({ optional: true, description: 'Only experiments of this lens.' })
  lens_id?: string;

  @uuid({ optional: true, description: 'Only experiments of this workflow.' })
  workflow_id?: string;

  @uuid({ optional: true, description: 'Only experiments with this dataset.' })
  dataset_id?: string;
}

class Result {
  @list(nestedKind(() => ExperimentItemResult))
  items!: ExperimentItemResult[];

  @flag()
  has_more!: boolean;
}

export const listExperimentsTool = tool({
  name: 'list_experiments',
  class: 'Read',
  rate: 'list',
  title: 'List experiments',
  description:
    'Lists your experiments, the newest first, with their progress and the results of their gates. Use it to find one; ' +
    'get_experiment has its scores.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  run: async (ctx, { lens_id: lensId, workflow_id: workflowId, dataset_id: datasetId, ...page }) => {
    const { items, nextCursor } = await listExperiments(ctx, { ...page, lensId, workflowId, datasetId });
    return { items: items.map(experimentItem), has_more: nextCursor !== undefined };
  },
});
