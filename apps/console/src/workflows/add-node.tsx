import { useId, useState } from 'react';
import { workflowsTexts } from '../view-texts/workflows';
import { nodeTypes } from './graph';

/** A button that opens the list of node types, each with a line about it. */
export function AddNode({ onAdd }: { onAdd: (type: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div
      className="add-node"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false);
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {workflowsTexts.addNode}
      </button>
      <ul id={id} hidden={!isOpen} aria-label={workflowsTexts.nodeType}>
        {nodeTypes.map((type) => (
          <li key={type}>
            <button
              type="button"
              onClick={() => {
                onAdd(type);
                setOpen(false);
              }}
            >
              <strong>{type}</strong>
              <span className="quiet">{workflowsTexts.nodeTypes[type]}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
