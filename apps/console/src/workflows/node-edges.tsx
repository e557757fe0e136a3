import { memo, useCallback } from 'react';
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
  const put = useCallback(
    (other: string, isBefore: boolean) => {
      const step = isBefore ? connect : disconnect;
      onChange((graph) => step(graph, other, id));
    },
    [onChange, id],
  );
  return (
    <>
      {others.length > 0 && (
        <fieldset>
          <legend>{workflowsTexts.connectTo}</legend>
          {others.map((other) => (
            <Before key={other.id} id={other.id} isBefore={before.has(other.id)} onPut={put} />
          ))}
        </fieldset>
      )}
      <EdgeButtons graph={graph} id={id} onChoose={onChoose} />
    </>
  );
}

interface BeforeProps {
  id: string;
  isBefore: boolean;
  onPut: (id: string, isBefore: boolean) => void;
}

/** Drawn again for its own changes alone: there are as many as nodes. */
const Before = memo(({ id, isBefore, onPut }: BeforeProps) => (
  <label>
    <input type="checkbox" checked={isBefore} onChange={(event) => onPut(id, event.currentTarget.checked)} /> {id}
  </label>
));

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
