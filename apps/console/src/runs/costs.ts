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
