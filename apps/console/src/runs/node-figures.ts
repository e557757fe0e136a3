import type { shapes } from '@lensforge/sdk';

/** The nodes of one id together, such as all items of a map. */
export interface NodeCost {
  nodeId: string;
  type: string;
  count: number;
  tokens: number;
  credits: number;
  ms: number;
}

export const getDuration = ({ startedAt, completedAt }: Pick<shapes.RunNodeItem, 'startedAt' | 'completedAt'>) =>
  startedAt !== null && completedAt !== null ? Date.parse(completedAt) - Date.parse(startedAt) : undefined;

type Times = Pick<shapes.RunNodeItem, 'startedAt' | 'completedAt'>;

export interface Bounds {
  from: number;
  to: number;
}

/** The time that nodes cover; those that have not ended go on until `now`. */
export function computeBounds(nodes: readonly Times[], now: number): Bounds {
  let from = Infinity;
  let to = -Infinity;
  for (const { startedAt, completedAt } of nodes) {
    if (startedAt === null) continue;
    from = Math.min(from, Date.parse(startedAt));
    to = Math.max(to, completedAt === null ? now : Date.parse(completedAt));
  }
  return from === Infinity ? { from: now, to: now + 1 } : { from, to: Math.max(to, from + 1) };
}

/** The place of a node that has started within the bounds, in per cent. */
export function placeNode({ startedAt, completedAt }: Times, { from, to }: Bounds) {
  if (startedAt === null) return undefined;
  const share = 100 / (to - from);
  const end = completedAt === null ? to : Date.parse(completedAt);
  return { x: (Date.parse(startedAt) - from) * share, width: Math.max(0.6, (end - Date.parse(startedAt)) * share) };
}

/** How many maps a node is in; deeper than three is not possible. */
export const getDepth = (nodeKey: string): number => nodeKey.split('].').length - 1;

/** The costs of nodes by their ids, the highest first. */
export function sumCosts(nodes: readonly shapes.RunNodeItem[]): NodeCost[] {
  const costs = new Map<string, NodeCost>();
  for (const node of nodes) {
    const { nodeId, type, tokensUsed, costCredits } = node;
    const cost = costs.get(nodeId) ?? { nodeId, type, count: 0, tokens: 0, credits: 0, ms: 0 };
    costs.set(nodeId, {
      ...cost,
      count: cost.count + 1,
      tokens: cost.tokens + tokensUsed,
      credits: cost.credits + costCredits,
      ms: cost.ms + (getDuration(node) ?? 0),
    });
  }
  return [...costs.values()].sort((a, b) => b.credits - a.credits || b.tokens - a.tokens || b.ms - a.ms);
}
