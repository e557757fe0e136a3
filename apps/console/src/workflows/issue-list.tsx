import { workflowsTexts } from '../view-texts/workflows';
import type { PlacedIssue } from './issues';
import type { MapPath } from './map-graph';
import type { Selection } from './selection';

interface Props {
  issues: readonly PlacedIssue[];
  onShow: (path: MapPath, chosen: Selection) => void;
}

/** The faults of the server; one of a node or an edge opens its form, in its map if it is in one. */
export function IssueList({ issues, onShow }: Props) {
  return (
    <div className="notice bad" role="alert">
      <ul className="issues">
        {issues.map(({ path, message, maps, node, edge }) => (
          <li key={`${path} ${message}`}>
            {node !== undefined || edge !== undefined ? (
              <button
                type="button"
                onClick={() =>
                  onShow(maps, {
                    nodes: new Set(node === undefined ? [] : [node]),
                    edges: new Set(edge === undefined ? [] : [edge]),
                  })
                }
              >
                {[...maps, node ?? workflowsTexts.edge].join(' › ')}
              </button>
            ) : (
              <code>{path}</code>
            )}{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
