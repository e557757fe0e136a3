import { integer, text } from './field.js';

const limit = { min: 1, max: 100, description: 'How many items at most.' } as const;
const cursor = {
  min: 1,
  max: 200,
  optional: true,
  description: 'meta.nextCursor of the page before this one.',
} as const;

/** How a page of a list that grows is asked for. */
export class PageQuery {
  @integer(limit)
  limit = 20;

  @integer({ min: 0, max: 10_000, description: 'How many items to leave out, after the cursor if there is one.' })
  offset = 0;

  @text(cursor)
  cursor?: string;
}

/** The same for a short list that most callers read as a whole. */
export class ShortListQuery extends PageQuery {
  override limit = 100;
}

/** The same for a list whose pages are counted from its beginning, however far down. */
export class CountedPageQuery {
  @integer(limit)
  limit = 20;

  @integer({ min: 0, description: 'How many items to leave out, after the cursor if there is one.' })
  offset = 0;

  @text(cursor)
  cursor?: string;
}
