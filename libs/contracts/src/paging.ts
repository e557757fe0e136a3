import { integer, text } from './field.js';

/** How a page of a list that grows is asked for. */
export class PageQuery {
  @integer({ min: 1, max: 100, description: 'How many items at most.' })
  limit = 20;

  @text({ min: 1, max: 200, optional: true, description: 'meta.nextCursor of the page before this one.' })
  cursor?: string;
}
