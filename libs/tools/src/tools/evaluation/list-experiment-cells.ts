import { cellFilters, flag, integer, list, nestedKind, oneOf, text } from '@lensforge/contracts';
import { listCells } from '@lensforge/evaluation';
import { experimentId, offset } from '../../parameters.js';
import { CellResult, cellResult } from '../../results/evaluation.js';
import { tool } from '../../tool.js';

class Args {
  @experimentId()
  experiment_id!: string;

  @oneOf(cellFilters, {
    optional: true,
    description: 'failed: without a score or not passed; worse, better: of cases with another mean than the baseline.',
  })
  only?: (typeof cellFilters)[number];

  @text({ min: 1, max: 100, optional: true, description: 'Only cells of this arm.' })
  arm?: string;

  @text({ min: 1, max: 200, optional: true, description: 'Only cells of the case with this key.' })
  key?: string;

  @integer({ min: 1, max: 50, description: 'Maximum number of items.' })
  limit = 10;

  @offset()
  offset = 0;
}

class Result {
  @list(nestedKind(() => CellResult))
  items!: CellResult[];

  @flag()
  has_more!: boolean;
}

export const listExperimentCellsTool = tool({
  name: 'list_experiment_cells',
  class: 'Read',
  rate: 'list',
  title: 'List cells of an experiment',
  description:
    'Lists the answers of an experiment by case, with their scores and the reasons. Use it with only "failed" or "worse" to ' +
    'see what to change in a prompt.',
  scope: 'lenses:read',
  args: Args,
  result: Result,
  errors: ['NOT_FOUND', 'BAD_INPUT'],
  run: async (ctx, { experiment_id: experimentId, only, arm, key, ...page }) => {
    const { items, nextCursor } = await listCells(ctx, { experimentId, only, arm, key }, page);
    return { items: items.map(cellResult), has_more: nextCursor !== undefined };
  },
});
