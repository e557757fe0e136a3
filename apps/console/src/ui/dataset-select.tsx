import { useQuery } from '@tanstack/react-query';
import type { shapes } from '@lensforge/sdk';
import { useClient } from '../session/console';
import { SelectField } from './field';

/** The newest datasets of the person; an empty list until they are read. */
export function useDatasets(): readonly shapes.Dataset[] {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: ['datasets', 'to choose'],
    queryFn: async () => (await client.datasets.list({ limit: 100 })).items,
  });
  return data;
}

interface Props {
  label: string;
  datasets: readonly shapes.Dataset[];
}

/** A field named `dataset` for one of the datasets. */
export const DatasetSelect = ({ label, datasets }: Props) => (
  <SelectField label={label} name="dataset">
    {datasets.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </SelectField>
);
