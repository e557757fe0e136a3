import { type Graph, type GraphEdge, type GraphNode, freeId } from './graph';

/** Nodes of a workflow with the edges among them, as the clipboard has them. */
interface CopiedNodes {
  format: 'lensforge.nodes';
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** Nodes as a text for the clipboard. */
export function copiedNodes(graph: Graph, ids: ReadonlySet<string>): string {
  const copied: CopiedNodes = {
    format: 'lensforge.nodes',
    nodes: graph.nodes.filter(({ id }) => ids.has(id)),
    edges: graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to)),
  };
  return JSON.stringify(copied, null, 2);
}

/** Adds copied nodes under ids that are free. Returns the same graph for any other text. */
export function pasteNodes(graph: Graph, text: string): { graph: Graph; ids: string[] } {
  const copied = readCopied(text);
  if (!copied) return { graph, ids: [] };
  const names = new Map<string, string>();
  let after = graph;
  for (const node of copied.nodes) {
    const isFree = after.nodes.every(({ id }) => id !== node.id);
    const id = isFree ? node.id : freeId(after, node.id.replace(/(?<!\d)\d+$/, ''));
    names.set(node.id, id);
    after = { ...after, nodes: [...after.nodes, { ...node, id }] };
  }
  const edges = copied.edges.flatMap((edge) => {
    const [from, to] = [names.get(edge.from), names.get(edge.to)];
    return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
  });
  return { graph: { ...after, edges: [...after.edges, ...edges] }, ids: [...names.values()] };
}

function readCopied(text: string): CopiedNodes | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { format, nodes, edges } = (value ?? {}) as Partial<CopiedNodes>;
  if (format !== 'lensforge.nodes' || !Array.isArray(nodes) || !Array.isArray(edges)) return undefined;
  const isNode = ({ id, type }: GraphNode): boolean => typeof id === 'string' && id !== '' && typeof type === 'string';
  return nodes.length > 0 && nodes.every(isNode) ? { format, nodes, edges } : undefined;
}
