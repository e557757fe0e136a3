import type { Scope } from './expression.js';
import type { GraphEdge } from './graph-shape.js';
import type { Graph, GraphNode } from './node-types.js';

export const emptyGraph: Graph = { nodes: [], edges: [] };

/** The nodes of a graph and of its nested graphs, with their paths. */
export function allNodes(graph: Graph, at = ''): { path: string; node: GraphNode }[] {
  return graph.nodes.flatMap((node, index) => {
    const path = `${at}nodes[${index}]`;
    return [{ path, node }, ...(node.type === 'map' ? allNodes(node.settings.graph, `${path}.settings.graph.`) : [])];
  });
}

type Link = Pick<GraphEdge, 'from' | 'to'>;
type LinkedNodes = { nodes: readonly { id: string }[]; edges: readonly Link[] };

/** The outgoing edges by node. */
export const outgoing = <E extends Link>(graph: { nodes: readonly { id: string }[]; edges: readonly E[] }) =>
  edgesBy(graph, 'from');

/** The incoming edges by node. */
export const incoming = <E extends Link>(graph: { nodes: readonly { id: string }[]; edges: readonly E[] }) =>
  edgesBy(graph, 'to');

function edgesBy<E extends Link>(
  { nodes, edges }: { nodes: readonly { id: string }[]; edges: readonly E[] },
  end: 'from' | 'to',
): Map<string, E[]> {
  const found = new Map<string, E[]>(nodes.map(({ id }) => [id, []]));
  for (const edge of edges) found.get(edge[end])?.push(edge);
  return found;
}

export const successors = (graph: LinkedNodes, id: string): string[] =>
  unique(graph.edges.filter(({ from }) => from === id).map(({ to }) => to));

export const predecessors = (graph: LinkedNodes, id: string): string[] =>
  unique(graph.edges.filter(({ to }) => to === id).map(({ from }) => from));

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Node ids in topological levels; nodes of a cycle are in no level. */
export function levels(graph: LinkedNodes): string[][] {
  const outgoingEdges = outgoing(graph);
  const waiting = new Map([...incoming(graph)].map(([id, edges]) => [id, edges.length]));
  const found: string[][] = [];
  let level = [...waiting].filter(([, count]) => count === 0).map(([id]) => id);
  while (level.length > 0) {
    found.push(level);
    const next: string[] = [];
    for (const { to } of level.flatMap((id) => outgoingEdges.get(id) ?? [])) {
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) next.push(to);
    }
    level = next;
  }
  return found;
}

/** The transitive predecessors by node. */
export function ancestors(graph: LinkedNodes): Map<string, Set<string>> {
  const incomingEdges = incoming(graph);
  const found = new Map<string, Set<string>>();
  for (const id of levels(graph).flat()) {
    const before = new Set<string>();
    for (const { from } of incomingEdges.get(id) ?? []) {
      before.add(from);
      for (const each of found.get(from) ?? []) before.add(each);
    }
    found.set(id, before);
  }
  return found;
}

/** The inputs that taken edges pass to a node; of two edges with the same input the later one wins. */
export function edgeInputs(
  edges: readonly GraphEdge[],
  outputOf: (nodeId: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    edges.flatMap(({ from, input, output }) =>
      input === undefined ? [] : [[input, getMember(outputOf(from), output)] as const],
    ),
  );
}

function getMember(value: unknown, path: string | undefined): unknown {
  let found = value;
  for (const name of path?.split('.') ?? []) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return null;
    found = (found as Record<string, unknown>)[name];
  }
  return found ?? null;
}

/** The result of a graph without `outputs`: the outputs of nodes without outgoing edges. */
export function leafOutputs(graph: Pick<Graph, 'nodes' | 'edges'>, scope: Scope): Record<string, unknown> {
  const outgoingEdges = outgoing(graph);
  return Object.fromEntries(
    graph.nodes.flatMap(({ id }) => {
      const node = scope.nodes?.[id];
      return outgoingEdges.get(id)?.length === 0 && node && node.status !== 'skipped'
        ? [[id, node.output] as const]
        : [];
    }),
  );
}
