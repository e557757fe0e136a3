import { useEffect, useId, useRef, useState } from 'react';
import { workflowsTexts } from '../view-texts/workflows';
import { nodeTypes } from './graph';

interface Props {
  name?: string;
  /** The list is open at first. */
  isOpenAtFirst?: boolean;
  onAdd: (type: string) => void;
}

/** A button that opens the list of node types, each with a line about it. */
export function AddNode({ name = workflowsTexts.addNode, isOpenAtFirst = false, onAdd }: Props) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (isOpenAtFirst) list.current?.querySelector('button')?.focus();
  }, [isOpenAtFirst]);
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
        {name}
      </button>
      <ul id={id} ref={list} hidden={!isOpen} aria-label={workflowsTexts.nodeType}>
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
