import type { NodeStatus } from '@lensforge/contracts';
import { levels } from '@lensforge/workflows';
import type { Plan } from './plan.js';
import { itemPrefix } from './plan.js';

type Before = ReadonlyMap<string, { status: NodeStatus }>;

/**
 * The nodes of an earlier run that need not be done again: those that succeeded or were skipped, where the same is true of
 * all that they rest on. Of a map that is done again, the items of which every node is such a one.
 */
export function keptOf(plan: Plan, before: Before): string[] {
  return walk(plan, '', before).kept;
}

function walk(plan: Plan, prefix: string, before: Before): { kept: string[]; whole: boolean } {
  const kept: string[] = [];
  const settled = new Set<string>();
  for (const id of levels(plan.graph).flat()) {
    const planned = plan.nodes.get(id);
    const status = before.get(prefix + id)?.status;
    if (!planned || !status || !planned.coming.every(({ from }) => settled.has(from))) continue;
    if (status === 'succeeded' || status === 'skipped') {
      settled.add(id);
      kept.push(prefix + id);
    } else if (planned.inner) {
      kept.push(...wholeItems(planned.inner, prefix + id, before));
    }
  }
  return { kept, whole: settled.size === plan.graph.nodes.length };
}

function wholeItems(inner: Plan, mapKey: string, before: Before): string[] {
  const items = new Set<number>();
  for (const key of before.keys()) {
    if (key.startsWith(`${mapKey}[`)) items.add(Number.parseInt(key.slice(mapKey.length + 1), 10));
  }
  return [...items].flatMap((index) => {
    const { kept, whole } = walk(inner, itemPrefix(mapKey, index), before);
    return whole ? kept : [];
  });
}
