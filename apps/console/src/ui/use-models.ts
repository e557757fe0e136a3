import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';

/** The models that a run can use; empty until they are read. */
export function useModels(): shapes.ModelItem[] {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: ['models'],
    queryFn: async () => (await client.models.list({ limit: 100 })).items,
  });
  return data;
}
