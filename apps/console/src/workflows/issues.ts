import type { Graph } from './graph';

/** A fault of a graph as the server names it, such as `nodes[3].settings.url`. */
export interface Issue {
  path: string;
  message: string;
}

/** A fault at the node or edge that it concerns; neither for one of the whole graph. */
export interface PlacedIssue extends Issue {
  node?: string;
  /** The index of an edge. */
  edge?: number;
  /** The member of the node or edge, such as `settings.url`. */
  member: string;
}

/** The faults that an error of the server lists. */
export function issuesOf(error: unknown): Issue[] {
  const { details } = (error ?? {}) as { details?: { issues?: unknown } | null };
  return Array.isArray(details?.issues) ? (details.issues as Issue[]) : [];
}

const placed = /^(?:graph\.)?(nodes|edges)[.[](\d+)\]?\.?(.*)$/;

/** Finds the nodes and edges of faults in the graph that was sent. A fault within a map belongs to the map. */
export const placeIssues = (issues: readonly Issue[], { nodes }: Graph): PlacedIssue[] =>
  issues.map(({ path, message }) => {
    const [, list, at, member = path] = placed.exec(path) ?? [];
    if (list === 'edges') return { path, message, edge: Number(at), member };
    const node = list === 'nodes' ? nodes[Number(at)]?.id : undefined;
    return { path, message, member, ...(node !== undefined && { node }) };
  });

/** The messages about a member of a node or edge, and about the members within it. */
export const messagesAt = (issues: readonly PlacedIssue[], member: string): string[] =>
  issues
    .filter((issue) => issue.member === member || issue.member.startsWith(`${member}.`))
    .map(({ message }) => message);
