import type { Client } from '@lensforge/sdk';
import { useQuery } from '@tanstack/react-query';
import { createContext, use, useMemo } from 'react';
import { useClient } from '../session/console';
import { type Completion, completionsFor } from './completions';
import type { Graph } from './graph';
import { type MapPath, graphAt } from './map-graph';

/** The names and values with which expressions of a graph are completed and tried. */
export interface ExpressionScope {
  workflowId: string;
  graph: Graph;
  /** The graph is that of a map, which has an item. */
  isInMap: boolean;
  /** The text of the inputs with which the workflow would run. */
  inputs: string;
  /** The newest run of the person. */
  runId: string | undefined;
  outputs: ReadonlyMap<string, unknown>;
}

export const ExpressionScopeContext = createContext<ExpressionScope | undefined>(undefined);

/** The tag of runs that run one node, with results that are not theirs. */
export const trialTag = 'node-trial';

const newestRun = async (client: Client, workflowId: string) => {
  const { items } = await client.workflows.listRuns(workflowId, { limit: 20 });
  const runId = items.find(({ tags }) => !tags.includes(trialTag))?.id;
  if (runId === undefined) return { runId, outputs: new Map<string, unknown>() };
  const nodes = (await client.runs.listNodes(runId, { limit: 100, status: 'succeeded' })).items;
  return { runId, outputs: new Map(nodes.map(({ nodeKey, output }) => [nodeKey, output])) };
};

const noOutputs: ReadonlyMap<string, unknown> = new Map();

/**
 * The graph at a path with the results of the newest run of the person. A map has no results for its nodes: they run once
 * for each item.
 */
export function useExpressionScope(
  { workflowId, inputs }: Pick<ExpressionScope, 'workflowId' | 'inputs'>,
  root: Graph,
  path: MapPath,
): ExpressionScope {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['workflow', workflowId, 'newest run'],
    queryFn: async () => newestRun(client, workflowId),
  });
  return useMemo(() => {
    const isInMap = path.length > 0;
    const graph = { ...(graphAt(root, path) ?? root), inputs: root['inputs'] };
    const common = { workflowId, inputs, graph, isInMap };
    return isInMap
      ? { ...common, runId: undefined, outputs: noOutputs }
      : { ...common, runId: data?.runId, outputs: data?.outputs ?? noOutputs };
  }, [workflowId, inputs, root, path, data]);
}

/** The completions for the expressions of a node. */
export function useCompletions(nodeId: string | undefined): { scope: ExpressionScope | undefined; all: Completion[] } {
  const scope = use(ExpressionScopeContext);
  const all = useMemo(
    () => (scope ? completionsFor(scope.graph, nodeId, { outputs: scope.outputs, isInMap: scope.isInMap }) : []),
    [scope, nodeId],
  );
  return { scope, all };
}
