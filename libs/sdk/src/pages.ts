import { Call } from './call.js';

export interface PageMeta {
  requestId?: string;
  durationMs?: number;
  limit?: number;
  offset?: number;
  total?: number;
  hasNextPage?: boolean;
  nextCursor?: string;
}

/** One page of a list. */
export class Page<T> {
  constructor(
    readonly items: T[],
    readonly meta: PageMeta,
    private readonly read: (cursor: string) => ListCall<T>,
  ) {}

  get hasNextPage(): boolean {
    return this.meta.nextCursor !== undefined;
  }

  /** Requests the next page; undefined on the last one. */
  nextPage(): ListCall<T> | undefined {
    const { nextCursor } = this.meta;
    return nextCursor === undefined ? undefined : this.read(nextCursor);
  }
}

/** The result of a list: await it for the first page, or iterate over the items of all pages. */
export class ListCall<T> extends Call<Page<T>> implements AsyncIterable<T> {
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (let page: Page<T> | undefined = await this; page; page = await page.nextPage()) yield* page.items;
  }
}
