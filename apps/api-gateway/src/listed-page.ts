import type { Page } from '@lensforge/core';
import type { Listed } from '@lensforge/edge';
import { listed } from '@lensforge/edge';

/** A page of a list that grows, as the envelope tells it. */
export const listedPage = <T>({ items, limit, nextCursor }: Page<T>): Listed<T> =>
  listed(items, { limit, hasNextPage: nextCursor !== undefined, ...(nextCursor !== undefined && { nextCursor }) });
