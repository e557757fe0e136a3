import { type LensVisibility, searchLenses } from '@lensforge/lenses';
import { limit, offset, searchQuery, visibility } from '../../parameters.js';
import { LensPageResult, lensPage } from '../../results/lens.js';
import { tool } from '../../tool.js';

class Args {
  @searchQuery('Words to look for. "…" keeps words together, - leaves out, or allows either.')
  query!: string;

  @visibility({ optional: true, description: 'Only lenses of this tier.' })
  visibility?: LensVisibility;

  @limit()
  limit = 20;

  @offset()
  offset = 0;
}

export const searchLensesTool = tool({
  name: 'search_lenses',
  class: 'Read',
  rate: 'expensive',
  title: 'Search lenses',
  description:
    'Finds lenses by words in their titles, descriptions and template texts, best match first; when nothing has the ' +
    'words, lenses with similar ones. Use it when you want to choose among several. To take the best match and fill it ' +
    'in at once, use find_and_run_lens; to browse without words, use list_lenses.',
  scope: 'lenses:read',
  args: Args,
  result: LensPageResult,
  run: async (ctx, args) => lensPage(await searchLenses(ctx, args)),
});
