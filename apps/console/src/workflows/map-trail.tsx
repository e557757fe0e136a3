import { workflowsTexts } from '../view-texts/workflows';
import type { MapPath } from './map-graph';

interface Props {
  path: MapPath;
  onOpen: (path: MapPath) => void;
}

/** The maps that were opened, with a way back to each graph around the open one. */
export function MapTrail({ path, onOpen }: Props) {
  if (path.length === 0) return null;
  return (
    <nav aria-label={workflowsTexts.trail}>
      <ol className="trail">
        {[workflowsTexts.rootGraph, ...path].map((name, depth) => (
          <li key={path.slice(0, depth).join('/')}>
            {depth === path.length ? (
              <span aria-current="true">{name}</span>
            ) : (
              <button type="button" onClick={() => onOpen(path.slice(0, depth))}>
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
