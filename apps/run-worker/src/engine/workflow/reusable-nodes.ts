import type { NodeStatus } from '@lensforge/contracts';
import { levels } from '@lensforge/workflows';
import { type Plan, itemPrefix } from './plan.js';

type Before = ReadonlyMap<string, { status: NodeStatus }>;

/**
 * The keys of nodes of an earlier run whose results a retry reuses: nodes that succeeded or were skipped, like all nodes
 * that they depend on. Of a map that runs again, the nodes of completely reusable items.
 */
export function reusableNodes(plan: Plan, before: Before): string[] {
  return walk(plan, '', before).reusable;
}

function walk(plan: Plan, prefix: string, before: Before): { reusable: string[]; complete: boolean } {
  const reusable: string[] = [];
  const settled = new Set<string>();
  for (const id of levels(plan.graph).flat()) {
    const planned = plan.nodes.get(id);
    const status = before.get(prefix + id)?.status;
    if (!planned || !status || !planned.incoming.every(({ from }) => settled.has(from))) continue;
    if (status === 'succeeded' || status === 'skipped') {
      settled.add(id);
      reusable.push(prefix + id);
    } else if (planned.inner) {
      reusable.push(...completeItems(planned.inner, prefix + id, before));
    }
  }
  return { reusable, complete: settled.size === plan.graph.nodes.length };
}

function completeItems(inner: Plan, mapKey: string, before: Before): string[] {
  const items = new Set<number>();
  for (const key of before.keys()) {
    if (key.startsWith(`${mapKey}[`)) items.add(Number.parseInt(key.slice(mapKey.length + 1), 10));
  }
  return [...items].flatMap((index) => {
    const { reusable, complete } = walk(inner, itemPrefix(mapKey, index), before);
    return complete ? reusable : [];
  });
}
