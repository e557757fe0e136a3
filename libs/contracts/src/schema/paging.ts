import { integer, text } from './field.js';

const limit = { min: 1, max: 100, description: 'The maximum number of items.' };
const cursor = { min: 1, max: 200, optional: true, description: 'meta.nextCursor of the previous page.' };
const offset = { min: 0, description: 'The number of items to skip, after the cursor if there is one.' };

/** The paging parameters of a list without a maximum offset. */
export class CountedPageQuery {
  @integer(limit)
  limit = 20;

  @integer(offset)
  offset = 0;

  @text(cursor)
  cursor?: string;
}

/** The paging parameters of a list. */
export class PageQuery {
  @integer(limit)
  limit = 20;

  @integer({ ...offset, max: 10_000 })
  offset = 0;

  @text(cursor)
  cursor?: string;
}

/** The paging parameters of a short list that most callers read in one page. */
export class ShortListQuery extends PageQuery {
  override limit = 100;
}
