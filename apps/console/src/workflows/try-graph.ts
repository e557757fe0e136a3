import { type Graph, type GraphEdge, type GraphNode, freeId, nodesBefore } from './graph';
import { toSettings } from './node-fields';

/** The member of the inputs with the results that are given. */
const given = '__given';

/** The results of the nodes before a node, and the item of its map. */
export interface GivenResults {
  nodes: Readonly<Record<string, unknown>>;
  item?: unknown;
}

interface OneNode {
  id: string;
  isInMap: boolean;
}

/** The inputs of a run of one node. */
export const addGiven = (inputs: object, results: GivenResults): Record<string, unknown> => ({
  ...inputs,
  [given]: results,
});

/** A graph that runs one node: the nodes before it have the results that are given. In a map it runs for one item. */
export function graphOfNode(graph: Graph, { id, isInMap }: OneNode): Graph {
  const before = [...nodesBefore(graph, id)];
  const known = before.map((each): GraphNode => {
    const result = `inputs.${given}.nodes[${JSON.stringify(each)}]`;
    return { id: each, type: 'transform', settings: { expression: result } };
  });
  const direct = graph.edges.flatMap(({ when: _, ...edge }): GraphEdge[] => (edge.to === id ? [edge] : []));
  // A node may read results from further before, too.
  const further = before.filter((each) => direct.every(({ from }) => from !== each));
  const one: Graph = {
    nodes: [...known, ...graph.nodes.filter((node) => node.id === id)],
    edges: [...direct, ...further.map((from) => ({ from, to: id }))],
  };
  const inputs = graph['inputs'] === undefined ? {} : { inputs: withGiven(graph['inputs']) };
  if (!isInMap) return { ...one, ...inputs };
  const settings = { items: `[inputs.${given}.item]`, graph: one };
  return { nodes: [{ id: freeId(one, 'map'), type: 'map', settings }], edges: [], ...inputs };
}

/** The schema of inputs with the results. */
function withGiven(schema: unknown): unknown {
  const { properties, ...rest } = toSettings(schema);
  return { ...rest, properties: { ...toSettings(properties), [given]: {} } };
}

/** The last results of the nodes before a node, as a beginning; null for those that have none. */
export const lastResults = (graph: Graph, id: string, outputs: ReadonlyMap<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...nodesBefore(graph, id)].map((each) => [each, outputs.get(each) ?? null]));
