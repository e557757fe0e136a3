import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Loading } from '../ui/states';
import { toGraph } from '../workflows/graph';
import { onlyNodes, pickOnly, nothingChosen } from '../workflows/selection';
import type { NodeSpan } from './timeline';

const GraphCanvas = lazy(async () => ({ default: (await import('../workflows/graph-canvas')).GraphCanvas }));

interface Props {
  workflowId: string;
  spans: ReadonlyMap<string, NodeSpan>;
  chosen: string | null | undefined;
  onChoose: (nodeKey: string | null) => void;
}

/** The newest graph of a workflow with the states of its nodes in a run. */
export function RunGraph({ workflowId, spans, chosen, onChoose }: Props) {
  const client = useClient();
  const { data: workflow } = useQuery({
    queryKey: ['workflow', workflowId],
    queryFn: async () => client.workflows.get(workflowId),
  });
  const graph = toGraph(workflow?.headVersion.graph);
  // A run of an older version may have other nodes.
  if (graph.nodes.length === 0 || ![...spans.keys()].some((key) => graph.nodes.some(({ id }) => id === key)))
    return null;
  const states = new Map([...spans].map(([key, { status }]) => [key, status]));
  const shown = chosen ? onlyNodes([chosen]) : nothingChosen;
  return (
    <section className="panel" aria-label={texts.runs.graph}>
      <h2>{texts.runs.graph}</h2>
      <Suspense fallback={<Loading />}>
        <GraphCanvas
          graph={graph}
          states={states}
          chosen={shown}
          onChoose={(step) => onChoose(pickOnly(step(shown).nodes) ?? null)}
        />
      </Suspense>
    </section>
  );
}
