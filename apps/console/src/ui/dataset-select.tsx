import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useMemo, useState } from 'react';
import { useClient } from '../session/console';
import { listDatasetOptions } from './dataset-source';
import { Picker } from './picker';

/** The newest dataset of the person; undefined until it is read, and without one. */
export function useNewestDataset(): shapes.Dataset | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['datasets', 'newest'],
    queryFn: async () => (await client.datasets.list({ limit: 1 })).items,
  });
  return data?.[0];
}

interface Props {
  label: string;
  /** The dataset that is picked at first. */
  newest: Pick<shapes.Dataset, 'id'>;
}

/** A field named `dataset` for one of the datasets of the person. */
export function DatasetSelect({ label, newest }: Props) {
  const client = useClient();
  const [datasetId, setDatasetId] = useState(newest.id);
  const source = useMemo(() => listDatasetOptions(client), [client]);
  return <Picker label={label} name="dataset" value={datasetId} source={source} onPick={setDatasetId} />;
}
