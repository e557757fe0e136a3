import { useMemo, useState } from 'react';
import { useClient } from '../session/console';
import { listLensOptions } from './lens-source';
import { Picker } from './picker';

interface Props {
  label: string;
  /** Only lenses of this account. */
  author?: string | undefined;
}

/** A field named `lens` for one of the lenses that the person finds. */
export function LensSelect({ label, author }: Props) {
  const client = useClient();
  const [lensId, setLensId] = useState('');
  const source = useMemo(() => listLensOptions(client, author), [client, author]);
  return <Picker label={label} name="lens" value={lensId} source={source} onPick={setLensId} />;
}
