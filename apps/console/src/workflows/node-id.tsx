import { useId, useState } from 'react';
import { workflowsTexts } from '../view-texts/workflows';

interface Props {
  id: string;
  /** The reason why the node cannot have an id. */
  faultOf: (id: string) => string | undefined;
  onRename: (id: string) => void;
}

/** The id of a node. It changes when the field is left or with Enter; Escape gives the old one back. */
export function NodeId({ id, faultOf, onRename }: Props) {
  const faultId = useId();
  const [draft, setDraft] = useState<string>();
  const fault = draft === undefined ? undefined : faultOf(draft);
  const commit = (): void => {
    if (draft === undefined || fault !== undefined) return;
    setDraft(undefined);
    if (draft !== id) onRename(draft);
  };
  return (
    <div>
      <label>
        {workflowsTexts.id}
        <input
          value={draft ?? id}
          spellCheck={false}
          aria-invalid={fault !== undefined}
          aria-describedby={faultId}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            if (event.key === 'Escape') setDraft(undefined);
          }}
        />
      </label>
      <div id={faultId} role="status">
        {fault !== undefined && <p className="notice bad">{fault}</p>}
      </div>
    </div>
  );
}
