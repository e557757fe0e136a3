import type { NodeStatus } from '@lensforge/contracts';
import { levels } from '@lensforge/workflows';
import { type Plan, itemPrefix } from './plan.js';

type Before = ReadonlyMap<string, { status: NodeStatus }>;

interface EarlierRun {
  /** The plan of its version, which may be another one. */
  plan: Plan;
  nodes: Before;
  /** A node that runs again although it succeeded. */
  repeatNode?: string | undefined;
}

/**
 * The keys of nodes of an earlier run whose results a retry reuses: nodes that succeeded or were skipped and are the same in
 * this version, like all nodes that they depend on. Of a map that runs again, the nodes of completely reusable items.
 */
export function reusableNodes(plan: Plan, { plan: earlier, nodes, repeatNode }: EarlierRun): string[] {
  const isSame = (id: string): boolean => describeNode(plan, id) === describeNode(earlier, id);
  return walk(plan, '', nodes, (id) => id !== repeatNode && (plan === earlier || isSame(id))).reusable;
}

/** The members of a node on which its result depends, with its incoming edges; undefined without such a node. */
function describeNode({ nodes }: Plan, id: string): string | undefined {
  const planned = nodes.get(id);
  if (!planned) return undefined;
  const { title: _, ...node } = planned.node;
  const edges = planned.incoming.map(({ id: _, ...edge }) => JSON.stringify(edge));
  return JSON.stringify([node, edges.toSorted()]);
}

function walk(
  plan: Plan,
  prefix: string,
  before: Before,
  mayReuse: (id: string) => boolean = () => true,
): { reusable: string[]; complete: boolean } {
  const reusable: string[] = [];
  const settled = new Set<string>();
  for (const id of levels(plan.graph).flat()) {
    const planned = plan.nodes.get(id);
    const status = before.get(prefix + id)?.status;
    if (!planned || !status || !mayReuse(id) || !planned.incoming.every(({ from }) => settled.has(from))) continue;
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
