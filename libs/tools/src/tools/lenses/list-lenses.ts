import { flag, oneOf, uuid } from '@lensforge/contracts';
import { type LensStatus, type LensVisibility, listLenses } from '@lensforge/lenses';
import { lensStatuses, limit, offset, visibility } from '../../parameters.js';
import { LensPageResult, lensPage } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @limit()
  limit = 20;

  @offset()
  offset = 0;

  @visibility({ optional: true, description: 'Only lenses of this tier.' })
  visibility?: LensVisibility;

  @oneOf(lensStatuses, {
    optional: true,
    description: 'Only lenses in this state; drafts are visible only to their owner.',
  })
  status?: LensStatus;

  @uuid({ optional: true, description: 'Only lenses of this lenser.' })
  lenser_id?: string;

  @flag({ description: 'Includes your own archived lenses.' })
  include_archived = false;
}

export const listLensesTool = tool({
  name: 'list_lenses',
  class: 'Read',
  rate: 'list',
  title: 'List lenses',
  description:
    'Lists the prompt templates (lenses) you can see, newest first: what others have published, and your own. Use it to ' +
    'browse, or to page through the lenses of one author. When you know what the lens is about, use search_lenses; when ' +
    'you have its id, use get_lens. Items carry the parameters but not the template text.',
  scope: 'lenses:read',
  args: Args,
  result: LensPageResult,
  run: async (ctx, { lenser_id: accountId, include_archived: includeArchived, ...rest }) =>
    lensPage(await listLenses(ctx, { ...rest, accountId, includeArchived })),
});
