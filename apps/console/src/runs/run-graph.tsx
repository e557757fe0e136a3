import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Json } from '../ui/json';
import { Loading } from '../ui/states';
import { Status } from '../ui/status';
import { toGraph } from '../workflows/graph';
import { nothingChosen } from '../workflows/selection';
import type { NodeSpan } from './timeline';

const GraphCanvas = lazy(async () => ({ default: (await import('../workflows/graph-canvas')).GraphCanvas }));

const route = getRouteApi('/runs/$runId');

/** The newest graph of a workflow with the states of its nodes in a run; a chosen node shows its values. */
export function RunGraph({ workflowId, spans }: { workflowId: string; spans: ReadonlyMap<string, NodeSpan> }) {
  const { runId } = route.useParams();
  const client = useClient();
  const [chosen, setChosen] = useState(nothingChosen);
  const { data: workflow } = useQuery({
    queryKey: ['workflow', workflowId],
    queryFn: async () => client.workflows.get(workflowId),
  });
  const graph = toGraph(workflow?.headVersion.graph);
  // A run of an older version may have other nodes.
  if (graph.nodes.length === 0 || ![...spans.keys()].some((key) => graph.nodes.some(({ id }) => id === key)))
    return null;
  const states = new Map([...spans].map(([key, { status }]) => [key, status]));
  const [node] = chosen.nodes;
  return (
    <section className="panel" aria-label={texts.runs.graph}>
      <h2>{texts.runs.graph}</h2>
      <Suspense fallback={<Loading />}>
        <GraphCanvas graph={graph} states={states} chosen={chosen} onChoose={setChosen} />
      </Suspense>
      <div aria-live="polite">
        {node === undefined ? (
          <p className="quiet">{texts.runs.nodes.choose}</p>
        ) : (
          <NodeValues runId={runId} nodeKey={node} state={states.get(node)} />
        )}
      </div>
    </section>
  );
}

/** The input and output of a node, read again when its state changes. */
function NodeValues({ runId, nodeKey, state }: { runId: string; nodeKey: string; state: string | undefined }) {
  const client = useClient();
  const { data: nodes } = useQuery({
    queryKey: ['run', runId, 'nodes', 'of graph', state],
    queryFn: async () => (await client.runs.listNodes(runId, { limit: 100 })).items,
    placeholderData: keepPreviousData,
  });
  const node = nodes?.find((each) => each.nodeKey === nodeKey);
  return (
    <>
      <h3>
        {nodeKey} {state !== undefined && <Status value={state} />}
      </h3>
      {nodes && !node && <p className="quiet">{texts.runs.notReached}</p>}
      {node?.error && (
        <p className="notice bad">
          <strong>{node.error.code}</strong> {node.error.message}
        </p>
      )}
      {node && (
        <div className="columns">
          {(['input', 'output'] as const).map((member) => (
            <div key={member}>
              <h3>{texts.runs.nodes[member]}</h3>
              <Json value={node[member]} label={`${texts.runs.nodes[member]} ${nodeKey}`} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}
