import { isRecord } from '@lensforge/contracts';
import type { Graph } from './node-types.js';
import type { GraphEdge } from './graph-shape.js';

export interface Change {
  /** The path within the node, such as settings.params.Text. */
  path: string;
  before: unknown;
  after: unknown;
}

export interface GraphDiff {
  nodes: { added: string[]; removed: string[]; changed: { id: string; changes: Change[] }[] };
  edges: { added: GraphEdge[]; removed: GraphEdge[] };
  /** Changes of inputs and outputs. */
  changes: Change[];
}

/** The difference of two graphs; nodes are matched by id, edges by all their members. */
export function diffGraphs(before: Graph, after: Graph): GraphDiff {
  const [oldNodes, newNodes] = [before, after].map(({ nodes }) => new Map(nodes.map((node) => [node.id, node])));
  const changed = before.nodes.flatMap((node) => {
    const now = newNodes?.get(node.id);
    const changes = now ? changesBetween(node, now, '') : [];
    return changes.length > 0 ? [{ id: node.id, changes }] : [];
  });
  const ends = ({ inputs, outputs }: Graph) => ({ inputs: inputs ?? null, outputs: outputs ?? null });
  return {
    nodes: {
      added: after.nodes.map(({ id }) => id).filter((id) => !oldNodes?.has(id)),
      removed: before.nodes.map(({ id }) => id).filter((id) => !newNodes?.has(id)),
      changed,
    },
    edges: { added: without(after.edges, before.edges), removed: without(before.edges, after.edges) },
    changes: changesBetween(ends(before), ends(after), ''),
  };
}

function without(edges: readonly GraphEdge[], others: readonly GraphEdge[]): GraphEdge[] {
  const known = new Set(others.map(toEdgeName));
  return edges.filter((edge) => !known.has(toEdgeName(edge)));
}

const toEdgeName = ({ from, to, output, input, when }: GraphEdge): string =>
  JSON.stringify([from, to, output ?? null, input ?? null, when ?? null]);

function changesBetween(before: unknown, after: unknown, path: string): Change[] {
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesBetween(before[name], after[name], path ? `${path}.${name}` : name));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((each, index) => changesBetween(each, after[index], `${path}[${index}]`));
  }
  return JSON.stringify(before) === JSON.stringify(after)
    ? []
    : [{ path, before: before ?? null, after: after ?? null }];
}
