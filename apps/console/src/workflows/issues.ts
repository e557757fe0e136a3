import type { Issue } from '../ui/issues';
import type { Graph } from './graph';
import { type MapPath, graphAt, graphOfMap } from './map-graph';

/** A fault at the node or edge that it concerns; neither for one of a whole graph. */
export interface PlacedIssue extends Issue {
  /** The maps whose graph has the node or edge. */
  maps: MapPath;
  node?: string;
  /** The index of an edge. */
  edge?: number;
  /** The member of the node or edge, such as `settings.url`. */
  member: string;
}

const placed = /^(?:graph\.)?(nodes|edges)[.[](\d+)\]?\.?(.*)$/s;
const withinMap = /^settings\.graph\.?/;

/** The names of what is chosen in a member, which is empty before that. */
const chosenIn: Readonly<Record<string, string>> = {
  'settings.lensId': 'a lens',
  'settings.workflowId': 'a workflow',
  'settings.agent': 'an AI lenser',
};

/** Finds the nodes and edges of faults in the graph that was sent, and in the graphs of its maps. */
export const placeIssues = (issues: readonly Issue[], root: Graph): PlacedIssue[] =>
  issues.map((issue) => {
    const place = placeIn(root, issue.path, []);
    const node = graphAt(root, place.maps)?.nodes.find(({ id }) => id === place.node);
    const missing = readMember(node, place.member) === '' ? chosenIn[place.member] : undefined;
    return { ...issue, ...place, ...(missing !== undefined && { message: `choose ${missing}` }) };
  });

const readMember = (node: unknown, member: string): unknown =>
  member.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], node);

function placeIn({ nodes }: Graph, path: string, maps: MapPath): Omit<PlacedIssue, keyof Issue> {
  const [, list, at, member = path] = placed.exec(path) ?? [];
  if (list === 'edges') return { maps, edge: Number(at), member };
  const node = list === 'nodes' ? nodes[Number(at)] : undefined;
  if (!node) return { maps, member };
  const inner = member.replace(withinMap, '');
  if (node.type !== 'map' || inner === member || !placed.test(inner)) return { maps, node: node.id, member };
  return placeIn(graphOfMap(node), inner, [...maps, node.id]);
}

/** The faults whose node or edge is still as it was sent; the others may be mended, which the next check tells. */
export const keepOpen = (issues: readonly PlacedIssue[], sent: Graph, now: Graph): PlacedIssue[] =>
  issues.filter((issue) => {
    const [before, after] = [graphAt(sent, issue.maps), graphAt(now, issue.maps)];
    if (!before || !after) return false;
    const edge = before.edges[issue.edge ?? -1];
    if (edge) return after.edges.some((each) => isSame(each, edge));
    const isNode = ({ id }: { id: string }): boolean => id === issue.node;
    return isSame(before.nodes.find(isNode) ?? before, after.nodes.find(isNode) ?? after);
  });

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The faults of the graph at a path. Those deeper within a map belong to that map. */
export const issuesAt = (issues: readonly PlacedIssue[], path: MapPath): PlacedIssue[] =>
  issues.flatMap((issue): PlacedIssue[] => {
    if (path.some((id, index) => issue.maps[index] !== id)) return [];
    const map = issue.maps[path.length];
    if (map === undefined) return [issue];
    const { message } = issue;
    return [{ path: issue.path, message, maps: path, node: map, member: 'settings.graph' }];
  });

/** The messages about a member of a node or edge, and about the members within it. */
export const messagesAt = (issues: readonly PlacedIssue[], member: string): string[] =>
  issues
    .filter((issue) => issue.member === member || ['.', '['].some((sign) => issue.member.startsWith(member + sign)))
    .map(({ message }) => message);
