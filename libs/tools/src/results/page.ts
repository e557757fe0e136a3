import { flag, integer } from '@lensforge/contracts';

/** The position of a page in its list. */
export class PageResult {
  @integer()
  limit!: number;

  @integer()
  offset!: number;

  @flag()
  has_more!: boolean;
}

interface Page<T> {
  items: readonly T[];
  total: number;
  limit: number;
  offset: number;
  hasMore: boolean;
}

export const pageResult = <T, R>({ items, total, limit, offset, hasMore }: Page<T>, resultOf: (item: T) => R) => ({
  items: items.map((item) => resultOf(item)),
  total,
  limit,
  offset,
  has_more: hasMore,
});
