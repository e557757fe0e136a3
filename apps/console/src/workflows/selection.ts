/** The chosen nodes by id, and the chosen edges by index. */
export interface Selection {
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<number>;
}

export const nothingChosen: Selection = { nodes: new Set(), edges: new Set() };

export const onlyNodes = (ids: Iterable<string>): Selection => ({ nodes: new Set(ids), edges: new Set() });

export const onlyEdge = (index: number): Selection => ({ nodes: new Set(), edges: new Set([index]) });

export const pickOnly = <T>(set: ReadonlySet<T>): T | undefined => (set.size === 1 ? [...set][0] : undefined);
