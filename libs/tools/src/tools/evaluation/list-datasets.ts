import { flag, list, nestedKind, text } from '@lensforge/contracts';
import { listDatasets } from '@lensforge/evaluation';
import { limit, offset } from '../../parameters.js';
import { DatasetResult, datasetResult } from '../../results/evaluation.js';
import { tool } from '../../tool.js';

class Args {
  @limit()
  limit = 20;

  @offset()
  offset = 0;

  @text({ min: 1, max: 200, optional: true, description: 'A part of the name.' })
  query?: string;
}

class Result {
  @list(nestedKind(() => DatasetResult))
  items!: DatasetResult[];

  @flag()
  has_more!: boolean;
}

export const listDatasetsTool = tool({
  name: 'list_datasets',
  class: 'Read',
  rate: 'list',
  title: 'List datasets',
  description:
    'Lists your datasets, the newest first: named cases with parameters and expected answers, over which start_experiment ' +
    'tries lenses and workflows. Use save_dataset_cases to make one.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  run: async (ctx, { query: q, ...page }) => {
    const { items, nextCursor } = await listDatasets(ctx, { ...page, q });
    return { items: items.map(datasetResult), has_more: nextCursor !== undefined };
  },
});
