import { workflowsTexts } from '../view-texts/workflows';
import type { Graph } from './graph';

/** The nodes as a list, for those who cannot use the picture. */
export function ChooseNode({ graph, onChoose }: { graph: Graph; onChoose: (id: string) => void }) {
  return (
    <>
      <p className="quiet">{graph.nodes.length === 0 ? workflowsTexts.noNodes : workflowsTexts.choose}</p>
      <div className="row">
        {graph.nodes.map(({ id }) => (
          <button type="button" key={id} onClick={() => onChoose(id)}>
            {id}
          </button>
        ))}
      </div>
      <p className="quiet">{workflowsTexts.keys}</p>
    </>
  );
}
