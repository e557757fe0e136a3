import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/console';

interface Props {
  label: string;
  /** Only lenses of this account. */
  author?: string | undefined;
}

/** A field named `lens` for one of the lenses that the person finds. */
export function LensSelect({ label, author }: Props) {
  const client = useClient();
  const { data: lenses = [] } = useQuery({
    queryKey: ['lens-select', author],
    queryFn: async () => (await client.lenses.list({ limit: 100, ...(author !== undefined && { author }) })).items,
  });
  return (
    <label>
      {label}
      <select name="lens" required>
        {lenses.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
