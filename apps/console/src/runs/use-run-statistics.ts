import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { type RunRange, type TimeSpan, getSpan } from './run-ranges';

const refreshMs = 15_000;

export interface ChartFilters {
  kind?: shapes.RunStatisticsQuery['kind'];
  lensId?: string | undefined;
  workflowId?: string | undefined;
  tag?: string | undefined;
}

/** The counts of the caller's runs that match, over a range or between two times. */
export function useRunStatistics({ tag, ...filters }: ChartFilters, span: RunRange | TimeSpan) {
  const client = useClient();
  const query = { ...filters, ...(tag !== undefined && { tag: [tag] }) };
  return useStatistics(['run-statistics', query, span], () =>
    client.runs.getStatistics({ ...query, ...getSpan(span) }),
  );
}

/** Counts of runs, read again while they are shown. */
export function useStatistics(queryKey: readonly unknown[], read: () => PromiseLike<shapes.RunStatistics>) {
  return useQuery({
    queryKey,
    queryFn: async () => read(),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
}
