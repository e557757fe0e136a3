import type { CountedPage, Page, PageRequest } from '@lensforge/core';
import { decodeOffset, encodeOffset } from '@lensforge/core';
import type { Listed } from '@lensforge/edge';
import { listed } from '@lensforge/edge';

/** A page of a list that grows, as the envelope shows it. */
export const listedPage = <T>({ items, limit, offset, nextCursor }: Page<T>): Listed<T> =>
  listed(items, {
    limit,
    offset,
    hasNextPage: nextCursor !== undefined,
    ...(nextCursor !== undefined && { nextCursor }),
  });

/** A page of a list whose length is known, as the envelope shows it. */
export const listedCountedPage = <T>({ items, total, limit, offset, hasMore }: CountedPage<T>): Listed<T> =>
  listed(items, {
    ...{ limit, offset, total, hasNextPage: hasMore },
    ...(hasMore && { nextCursor: encodeOffset(offset + items.length) }),
  });

/** Where a page of such a list begins: its cursor says how many items come before it. */
export const placeIn = <W extends PageRequest>({
  cursor,
  offset = 0,
  ...wish
}: W): Omit<W, 'cursor' | 'offset'> & { offset: number } => ({
  ...wish,
  offset: offset + (cursor === undefined ? 0 : decodeOffset(cursor)),
});
