import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { OptionPage, PickerOption, PickerSource } from './picker-source';
import { useSettled } from './use-settled';

export interface PickerOptions {
  options: PickerOption[];
  isLoading: boolean;
  error: Error | null;
  /** Undefined when all is loaded. */
  more: (() => void) | undefined;
}

const minSearchLength = 2;
/** Pages that a filter reads by itself until enough things match. */
const maxFilteredPages = 10;
const enough = 8;

const has = ({ name, value, about = '' }: PickerOption, text: string): boolean =>
  `${name} ${value} ${about}`.toLowerCase().includes(text);

const paging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: OptionPage) => page.cursor,
};

/** The things of a source that match a text: those that the server finds, and those on the loaded pages of the list. */
export function usePickerOptions(source: PickerSource, typed: string, isOpen: boolean): PickerOptions {
  const text = typed.trim().toLowerCase();
  const settled = useSettled(text);
  const { search } = source;
  const isSearch = search !== undefined && settled.length >= minSearchLength && text.length >= minSearchLength;
  const list = useInfiniteQuery({
    ...paging,
    queryKey: ['picker', ...source.key, 'list'],
    queryFn: async ({ pageParam }) => source.list(pageParam),
    enabled: isOpen,
  });
  const found = useInfiniteQuery({
    ...paging,
    queryKey: ['picker', ...source.key, 'search', settled],
    queryFn: async ({ pageParam }) => search?.(settled, pageParam) ?? { options: [], cursor: undefined },
    enabled: isOpen && isSearch,
    placeholderData: keepPreviousData,
  });
  const listPickerOptions = ({ data }: typeof list): PickerOption[] =>
    data?.pages.flatMap(({ options }) => options) ?? [];
  const matching = listPickerOptions(list).filter((option) => has(option, text));
  const options = [...(isSearch ? listPickerOptions(found) : []), ...matching];
  const unique = [...new Map(options.map((option) => [option.value, option])).values()];

  const query = isSearch ? found : list;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const pages = list.data?.pages.length ?? 0;
  const isFiltered = search === undefined && text !== '' && unique.length < enough && pages < maxFilteredPages;
  useEffect(() => {
    if (isOpen && isFiltered && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isOpen, isFiltered, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return {
    options: unique,
    isLoading: query.isFetching || (search !== undefined && text !== settled),
    error: query.error,
    more: hasNextPage ? () => void (isFetchingNextPage || fetchNextPage()) : undefined,
  };
}

interface Picked {
  /** Undefined while it is read, null when there is none that the person may see. */
  picked: PickerOption | null | undefined;
  /** Keeps a thing from the list, so that its name is known when it is picked. */
  remember: (option: PickerOption) => void;
}

/** The thing with a value. */
export function usePicked(source: PickerSource, value: string): Picked {
  const queries = useQueryClient();
  const toOptionKey = (value: string): readonly unknown[] => ['picker', ...source.key, 'one', value];
  const { data } = useQuery({
    queryKey: toOptionKey(value),
    queryFn: async () => (await source.find(value)) ?? null,
    enabled: value !== '',
  });
  return {
    picked: value === '' ? undefined : data,
    remember: (option) => queries.setQueryData(toOptionKey(option.value), option),
  };
}
