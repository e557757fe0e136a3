import { type CountedPage, type Page, type PageRequest, decodeOffset, encodeOffset } from '@lensforge/core';
import { ListResponse } from '@lensforge/edge';

/** A page of a list in the response envelope, with the number of all its items if it is counted. */
export const pageResponse = <T>({ items, limit, offset, nextCursor }: Page<T>, total?: number): ListResponse<T> =>
  new ListResponse(items, {
    limit,
    offset,
    ...(total !== undefined && { total }),
    hasNextPage: nextCursor !== undefined,
    ...(nextCursor !== undefined && { nextCursor }),
  });

/** A page of a list with a total, in the response envelope. */
export const countedPageResponse = <T>({ items, total, limit, offset, hasMore }: CountedPage<T>): ListResponse<T> =>
  new ListResponse(items, {
    limit,
    offset,
    total,
    hasNextPage: hasMore,
    ...(hasMore && { nextCursor: encodeOffset(offset + items.length) }),
  });

/** Adds the offset that a cursor of a list with a total stands for. */
export const withOffset = <W extends PageRequest>({
  cursor,
  offset = 0,
  ...request
}: W): Omit<W, 'cursor' | 'offset'> & { offset: number } => ({
  ...request,
  offset: offset + (cursor === undefined ? 0 : decodeOffset(cursor)),
});
