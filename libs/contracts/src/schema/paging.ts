import { integer, text } from './field.js';

const offsetDescription = 'The number of items to skip, after the cursor if there is one.';

/** The paging parameters of a list without a maximum offset. */
export class CountedPageQuery {
  @integer({ min: 1, max: 100, description: 'The maximum number of items.' })
  limit = 20;

  @integer({ min: 0, description: offsetDescription })
  offset = 0;

  @text({ min: 1, max: 200, optional: true, description: 'meta.nextCursor of the previous page.' })
  cursor?: string;
}

/** The paging parameters of a list. */
export class PageQuery extends CountedPageQuery {
  @integer({ min: 0, max: 10_000, description: offsetDescription })
  override offset = 0;
}

/** The paging parameters of a short list that most callers read in one page. */
export class ShortListQuery extends PageQuery {
  override limit = 100;
}
