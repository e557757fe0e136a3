import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

/** A page of a list, and the cursor of the next one. */
interface Page<T> {
  items: T[];
  meta: { nextCursor?: string | null };
}

/** The pages of a list so far, and a function that loads the next one. */
export interface Paged<T> {
  items: T[];
  isLoading: boolean;
  error: Error | null;
  /** True while the list is read again by itself, which it is not with several pages. */
  isLive: boolean;
  /** Undefined when all is loaded. */
  more: (() => void) | undefined;
  retry: () => void;
}

/** Reads a list page by page. Only the first page is read again after `refreshMs`. */
export function usePaged<T>(
  queryKey: QueryKey,
  list: (cursor: string | undefined) => PromiseLike<Page<T>>,
  refreshMs?: number,
): Paged<T> {
  const isLive = (pages: readonly unknown[] = []): boolean => refreshMs !== undefined && pages.length === 1;
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }): Promise<Page<T>> => list(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.meta.nextCursor ?? undefined,
    // Reading many pages again would cost more than it shows.
    refetchInterval: ({ state }) => (isLive(state.data?.pages) && refreshMs) || false,
  });
  const pages = query.data?.pages;
  // A list can have thousands of pages, and is drawn at each step of a scroll.
  const items = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]);
  return {
    items,
    isLive: isLive(pages),
    isLoading: query.isPending,
    error: query.error,
    more: query.hasNextPage ? () => void (query.isFetchingNextPage || query.fetchNextPage()) : undefined,
    retry: () => void query.refetch(),
  };
}
