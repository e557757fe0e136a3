import type { Graph, GraphEdge } from './graph';
import type { Mark, Marks } from './graph-canvas';

/** The parts of a diff of the server that a picture shows. */
export interface GraphDiff {
  nodes: { added: readonly string[]; removed: readonly string[]; changed: readonly { id: string }[] };
  edges: { added: readonly object[]; removed: readonly object[] };
}

/** Members in one order, so that the edges of a graph and those of a diff can be compared. */
const describeEdge = (edge: object): string => {
  const { from, to, output, input, when } = edge as GraphEdge;
  return JSON.stringify([from, to, output, input, when]);
};

/** Two versions as one graph: the newer one with what was removed, and marks for each difference. */
export function unitedGraph(before: Graph, after: Graph, diff: GraphDiff): { graph: Graph; marks: Marks } {
  const removed = new Set(diff.nodes.removed);
  const nodes = [...after.nodes, ...before.nodes.filter(({ id }) => removed.has(id))];
  const goneEdges = new Set(diff.edges.removed.map(describeEdge));
  const newEdges = new Set(diff.edges.added.map(describeEdge));
  const gone = before.edges.filter((edge) => goneEdges.has(describeEdge(edge)));
  const marksOfNodes: [string, Mark][] = [
    ...diff.nodes.changed.map(({ id }): [string, Mark] => [id, 'changed']),
    ...diff.nodes.added.map((id): [string, Mark] => [id, 'added']),
    ...diff.nodes.removed.map((id): [string, Mark] => [id, 'removed']),
  ];
  const marksOfEdges: [number, Mark][] = [
    ...after.edges.flatMap((edge, index): [number, Mark][] =>
      newEdges.has(describeEdge(edge)) ? [[index, 'added']] : [],
    ),
    ...gone.map((_, index): [number, Mark] => [after.edges.length + index, 'removed']),
  ];
  return {
    graph: { nodes, edges: [...after.edges, ...gone] },
    marks: { nodes: new Map(marksOfNodes), edges: new Map(marksOfEdges) },
  };
}
