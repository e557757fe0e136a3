import { workflowsTexts } from '../view-texts/workflows';
import { type Graph, connect, disconnect } from './graph';

interface Props {
  graph: Graph;
  id: string;
  onChange: (step: (graph: Graph) => Graph) => void;
  onChoose: (index: number) => void;
}

/** The nodes after which a node runs, and its edges, to change their conditions. */
export function NodeEdges({ graph, id, onChange, onChoose }: Props) {
  const before = new Set(graph.edges.filter(({ to }) => to === id).map(({ from }) => from));
  const others = graph.nodes.filter((node) => node.id !== id);
  return (
    <>
      {others.length > 0 && (
        <fieldset>
          <legend>{workflowsTexts.connectTo}</legend>
          {others.map((other) => (
            <label key={other.id}>
              <input
                type="checkbox"
                checked={before.has(other.id)}
                onChange={(event) => {
                  const step = event.currentTarget.checked ? connect : disconnect;
                  onChange((graph) => step(graph, other.id, id));
                }}
              />{' '}
              {other.id}
            </label>
          ))}
        </fieldset>
      )}
      <EdgeButtons graph={graph} id={id} onChoose={onChoose} />
    </>
  );
}

function EdgeButtons({ graph, id, onChoose }: Omit<Props, 'onChange'>) {
  const edges = graph.edges.flatMap((edge, index) => (edge.from === id || edge.to === id ? [{ ...edge, index }] : []));
  if (edges.length === 0) return null;
  return (
    <div className="row" role="group" aria-label={workflowsTexts.edges}>
      {edges.map(({ from, to, when, index }) => (
        <button type="button" key={index} onClick={() => onChoose(index)}>
          {from} → {to} {when !== undefined && <span className="quiet">{workflowsTexts.conditional}</span>}
        </button>
      ))}
    </div>
  );
}
