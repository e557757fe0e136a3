import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';

/** The newest experiments of a lens or workflow over a dataset, as of the end of one; none without a dataset. */
export function useExperiments(
  target: { lensId: string } | { workflowId: string },
  datasetId: string | undefined,
  endedAt: string | null = null,
): readonly shapes.ExperimentItem[] {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: ['experiments', target, datasetId, endedAt],
    queryFn: async () => (await client.experiments.list({ ...target, datasetId, limit: 100 })).items,
    enabled: datasetId !== undefined,
    placeholderData: keepPreviousData,
  });
  return data;
}
