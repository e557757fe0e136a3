import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';

/** The newest experiments of a lens or workflow over a dataset; none without a dataset. */
export function useExperiments(
  target: { lensId: string } | { workflowId: string },
  datasetId: string | undefined,
): readonly shapes.ExperimentItem[] {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: ['experiments', target, datasetId],
    queryFn: async () => (await client.experiments.list({ ...target, datasetId, limit: 100 })).items,
    enabled: datasetId !== undefined,
  });
  return data;
}
