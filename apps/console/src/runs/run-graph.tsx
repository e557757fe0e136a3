import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy } from 'react';
import { useClient } from '../session/console';
import { texts } from '../texts';
import { Loading } from '../ui/states';
import { graphOf } from '../workflows/graph';
import type { NodeSpan } from './timeline';

const GraphCanvas = lazy(async () => ({ default: (await import('../workflows/graph-canvas')).GraphCanvas }));

/** The newest graph of a workflow with the states of its nodes in a run. */
export function RunGraph({ workflowId, spans }: { workflowId: string; spans: ReadonlyMap<string, NodeSpan> }) {
  const client = useClient();
  const { data: workflow } = useQuery({
    queryKey: ['workflow', workflowId],
    queryFn: async () => client.workflows.get(workflowId),
  });
  const graph = graphOf(workflow?.headVersion.graph);
  // A run of an older version may have other nodes.
  if (graph.nodes.length === 0 || ![...spans.keys()].some((key) => graph.nodes.some(({ id }) => id === key)))
    return null;
  const states = new Map([...spans].map(([key, { status }]) => [key, status]));
  return (
    <section className="panel">
      <h2>{texts.runs.graph}</h2>
      <Suspense fallback={<Loading />}>
        <GraphCanvas graph={graph} states={states} />
      </Suspense>
    </section>
  );
}
