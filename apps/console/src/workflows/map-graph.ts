import { type Graph, type GraphNode, changeNode, toGraph } from './graph';
import { toSettings } from './node-fields';

/** The ids of the maps that lead to a graph, from the outermost; empty for the graph of the workflow. */
export type MapPath = readonly string[];

/** The graph that a map runs for each item. */
export const graphOfMap = (node: GraphNode): Graph => toGraph(toSettings(node.settings)['graph']);

/** The graph at a path; undefined when there is no such map. */
export function graphAt(root: Graph, path: MapPath): Graph | undefined {
  const [id, ...rest] = path;
  if (id === undefined) return root;
  const map = root.nodes.find((node) => node.id === id && node.type === 'map');
  return map && graphAt(graphOfMap(map), rest);
}

/** The root after a change of the graph at a path; the same root if nothing changed. */
export function changeAt(root: Graph, path: MapPath, change: (graph: Graph) => Graph): Graph {
  const [id, ...rest] = path;
  if (id === undefined) return change(root);
  const map = root.nodes.find((node) => node.id === id && node.type === 'map');
  if (!map) return root;
  const before = graphOfMap(map);
  const graph = changeAt(before, rest, change);
  return graph === before ? root : changeNode(root, id, { settings: { ...toSettings(map.settings), graph } });
}

/** The part of a path that exists. */
export function existingPath(root: Graph, path: MapPath): MapPath {
  const known = path.findIndex((_, index) => !graphAt(root, path.slice(0, index + 1)));
  return known === -1 ? path : path.slice(0, known);
}
