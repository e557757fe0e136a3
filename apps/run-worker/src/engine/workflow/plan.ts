import {
  type Graph,
  type GraphEdge,
  type GraphNode,
  incoming,
  listExpressions,
  outgoing,
  referencedNodes,
} from '@lensforge/workflows';
import { once } from '../../once.js';

export interface PlannedEdge extends GraphEdge {
  /** The index of the edge in its graph. */
  id: string;
}

export interface PlannedNode {
  node: GraphNode;
  incoming: readonly PlannedEdge[];
  outgoing: readonly PlannedEdge[];
  /** The distinct target nodes of its outgoing edges. */
  targets: readonly string[];
  /** The plan of the graph of a map node. */
  inner: Plan | undefined;
  /** The distinct expressions in its settings. */
  expressions: readonly string[];
  /** The nodes that these expressions may refer to; found by the first call, because it parses them. */
  referredNodes: () => readonly string[];
}

/** A graph with indexes for decisions. */
export interface Plan {
  graph: Graph;
  nodes: ReadonlyMap<string, PlannedNode>;
  roots: readonly string[];
}

export function planGraph(graph: Graph): Plan {
  const edges = graph.edges.map((edge, index) => ({ ...edge, id: String(index) }));
  const outgoingEdges = outgoing({ nodes: graph.nodes, edges });
  const incomingEdges = incoming({ nodes: graph.nodes, edges });
  const ids = graph.nodes.map(({ id }) => id);
  const nodes = new Map(
    graph.nodes.map((node): [string, PlannedNode] => {
      const out = outgoingEdges.get(node.id) ?? [];
      const expressions = [...new Set(listExpressions(node).map(({ text }) => text))];
      const planned = {
        node,
        incoming: incomingEdges.get(node.id) ?? [],
        outgoing: out,
        targets: [...new Set(out.map(({ to }) => to))],
        inner: node.type === 'map' ? planGraph(node.settings.graph) : undefined,
        expressions,
        referredNodes: once(() => referencedNodes(expressions, ids)),
      };
      return [node.id, planned];
    }),
  );
  return { graph, nodes, roots: ids.filter((id) => incomingEdges.get(id)?.length === 0) };
}

/** The graph of a run, or the graph of a map for one item. `map[3].` is the prefix of the node keys of item 3. */
export interface Scope {
  prefix: string;
  plan: Plan;
  /** The map and the index of the item. */
  of: { mapKey: string; index: number } | undefined;
}

export interface NodePosition {
  scope: Scope;
  planned: PlannedNode;
}

/** Finds node keys in the graph of a run, and caches their scopes. */
export class NodePositions {
  private readonly scopes = new Map<string, Scope>();

  constructor(readonly plan: Plan) {}

  scope(prefix: string): Scope {
    const known = this.scopes.get(prefix);
    if (known) return known;
    const scope = this.find(prefix);
    this.scopes.set(prefix, scope);
    return scope;
  }

  of(key: string): NodePosition {
    const at = key.lastIndexOf('.') + 1;
    const scope = this.scope(key.slice(0, at));
    const planned = scope.plan.nodes.get(key.slice(at));
    if (!planned) throw new Error(`the graph has no node at ${key}`);
    return { scope, planned };
  }

  private find(prefix: string): Scope {
    if (prefix === '') return { prefix, plan: this.plan, of: undefined };
    const [, mapKey, index] = /^(.+)\[(\d+)\]\.$/.exec(prefix) ?? [];
    const plan = mapKey === undefined ? undefined : this.of(mapKey).planned.inner;
    if (mapKey === undefined || !plan) throw new Error(`the graph has no scope ${prefix}`);
    return { prefix, plan, of: { mapKey, index: Number(index) } };
  }
}

export const itemPrefix = (mapKey: string, index: number): string => `${mapKey}[${index}].`;
