/** A node of a workflow; members that the editor does not know are kept. */
export interface GraphNode {
  id: string;
  type: string;
  title?: string;
  settings?: unknown;
  [member: string]: unknown;
}

export interface GraphEdge {
  from: string;
  to: string;
  when?: string;
  [member: string]: unknown;
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  [member: string]: unknown;
}

export const nodeTypes = [
  'lens',
  'transform',
  'assert',
  'http',
  'map',
  'workflow',
  'delay',
  'approval',
  'webhook_wait',
  'agent',
  'vote',
] as const;

/** The settings with which a node of a type begins. */
export const firstSettings: Readonly<Record<string, object>> = {
  lens: { lensId: '', params: {} },
  transform: { expression: 'inputs' },
  assert: { condition: 'true' },
  http: { method: 'GET', url: 'https://example.com/' },
  map: { items: 'inputs.items', graph: { nodes: [], edges: [] } },
  workflow: { workflowId: '', inputs: {} },
  delay: { seconds: 60 },
  approval: { message: 'May it go on?' },
  webhook_wait: {},
  agent: { agent: '', prompt: '' },
  vote: { agents: [], prompt: '' },
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The graph of a version; what has no nodes or edges has none. */
export function toGraph(value: unknown): Graph {
  const given = isObject(value) ? value : {};
  const list = <T>(items: unknown): T[] => (Array.isArray(items) ? (items as T[]) : []);
  return { ...given, nodes: list<GraphNode>(given['nodes']), edges: list<GraphEdge>(given['edges']) };
}

/** An id that no node of the graph has: the name with a number. */
export const freeId = ({ nodes }: Graph, type: string): string => {
  for (let number = 1; ; number += 1) {
    const id = `${type}${number}`;
    if (nodes.every((node) => node.id !== id)) return id;
  }
};

/** Adds a node of a type, after another one if it is given. Returns the graph and the id of the node. */
export function addNode(graph: Graph, type: string, after?: string): [Graph, string] {
  const id = freeId(graph, type);
  const nodes = [...graph.nodes, { id, type, settings: firstSettings[type] ?? {} }];
  const edges = after === undefined ? graph.edges : [...graph.edges, { from: after, to: id }];
  return [{ ...graph, nodes, edges }, id];
}

/**
 * Puts a node of a type onto an edge. The condition stays before it; a value that the edge passed on under a name is then
 * the output of the new node.
 */
export function insertNode(graph: Graph, at: number, type: string): [Graph, string | undefined] {
  const edge = graph.edges[at];
  if (!edge) return [graph, undefined];
  const id = freeId(graph, type);
  const { when, input } = edge;
  const parts: GraphEdge[] = [
    { from: edge.from, to: id, ...(when !== undefined && { when }) },
    { from: id, to: edge.to, ...(input !== undefined && { input }) },
  ];
  const nodes = [...graph.nodes, { id, type, settings: firstSettings[type] ?? {} }];
  return [{ ...graph, nodes, edges: graph.edges.flatMap((each, index) => (index === at ? parts : [each])) }, id];
}

export const removeNode = (graph: Graph, id: string): Graph => removeParts(graph, { nodes: new Set([id]) });

/** Removes nodes with their edges, and edges by their index. */
export function removeParts(
  graph: Graph,
  { nodes, edges = new Set() }: { nodes: ReadonlySet<string>; edges?: ReadonlySet<number> },
): Graph {
  if (nodes.size === 0 && edges.size === 0) return graph;
  return {
    ...graph,
    nodes: graph.nodes.filter(({ id }) => !nodes.has(id)),
    edges: graph.edges.filter(({ from, to }, index) => !edges.has(index) && !nodes.has(from) && !nodes.has(to)),
  };
}

/** Changes members of an edge; an empty text removes a member. */
export const changeEdge = (graph: Graph, at: number, change: Readonly<Record<string, string>>): Graph => ({
  ...graph,
  edges: graph.edges.map((edge, index) =>
    index === at
      ? (Object.fromEntries(Object.entries({ ...edge, ...change }).filter(([, value]) => value !== '')) as GraphEdge)
      : edge,
  ),
});

/** The nodes that run before a node, whose results its expressions can read. */
export function nodesBefore({ edges }: Graph, id: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: string): void => {
    for (const { from, to } of edges)
      if (to === node && !found.has(from)) {
        found.add(from);
        visit(from);
      }
  };
  visit(id);
  return found;
}

export const changeNode = (graph: Graph, id: string, change: Partial<GraphNode>): Graph => ({
  ...graph,
  nodes: graph.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
});

const follows = (graph: Graph, from: string, wanted: string): boolean =>
  from === wanted || graph.edges.some((edge) => edge.from === from && follows(graph, edge.to, wanted));

/** Connects two nodes; unchanged if they are connected, or if the graph would run in a circle. */
export function connect(graph: Graph, from: string, to: string): Graph {
  if (graph.edges.some((edge) => edge.from === from && edge.to === to) || follows(graph, to, from)) return graph;
  return { ...graph, edges: [...graph.edges, { from, to }] };
}

export const disconnect = (graph: Graph, from: string, to: string): Graph => ({
  ...graph,
  edges: graph.edges.filter((edge) => edge.from !== from || edge.to !== to),
});
