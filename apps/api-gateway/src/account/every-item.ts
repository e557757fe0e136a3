import type { Page, PageRequest } from '@lensforge/core';

const limit = 100;

/** All items of a listing with cursors, which is read page by page. */
export async function* everyItem<T>(list: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const page: Page<T> = await list({ limit, ...(cursor !== undefined && { cursor }) });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** The same of a listing with offsets. */
export async function* everyCountedItem<T>(
  list: (page: { limit: number; offset: number }) => Promise<{ items: readonly T[]; hasMore: boolean }>,
): AsyncGenerator<T> {
  for (let offset = 0; ; offset += limit) {
    const { items, hasMore } = await list({ limit, offset });
    yield* items;
    if (!hasMore) return;
  }
}
