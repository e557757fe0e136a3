import { isTerminalNode } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { endRun } from '../end/end-run.js';
import { releaseOpenSteps } from '../agent-steps/release-open-steps.js';
import { hasSteps, openChildren } from './end-nodes.js';
import type { RunMove } from './move-nodes.js';
import { moveNodes } from './move-nodes.js';
import { settlePart } from './reserve-for-node.js';
import { countCanceled, lockTree } from './run-tree.js';

/** Commits a move that settles credits or ends other runs, in one transaction. */
export function moveWithSettlement(ctx: Context, move: RunMove): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const { runId } = move;
    await lockTree(ctx, runId);
    const reserved = await nodesWithReservation(ctx, runId);
    const [moved] = await moveNodes(ctx, [move]);
    if (!moved) return false;
    const ended = new Map(move.nodes.filter(({ status }) => isTerminalNode(status)).map((node) => [node.key, node]));
    for (const { nodeKey, cost } of reserved) {
      const node = ended.get(nodeKey);
      if (!node) continue;
      if (hasSteps(node.type)) await releaseOpenSteps(ctx, runId, nodeKey);
      else await settlePart(ctx, runId, nodeKey, cost + (node.cost ?? 0));
    }
    await endChildrenOf(ctx, move, new Set(ended.keys()));
    const canceled = move.nodes.filter(({ status, type }) => status === 'canceled' && type === 'workflow');
    if (canceled.length > 0) await countCanceled(ctx, runId, keysOf(canceled));
    return true;
  });
}

const keysOf = (nodes: readonly { key: string }[]): string[] => nodes.map(({ key }) => key);

const nodesWithReservation = (ctx: Context, runId: string): Promise<{ nodeKey: string; cost: number }[]> =>
  ctx.db.query(
    `select node_key as "nodeKey", cost_credits::float8 as cost from node_results
      where run_id = $1 and reserved_credits > 0 order by node_key`,
    [runId],
  );

/** Cancels the child runs whose nodes have ended. */
async function endChildrenOf(ctx: Context, { runId, end }: RunMove, ended: ReadonlySet<string>): Promise<void> {
  for (const { id, status: from, nodeKey } of await openChildren(ctx, runId)) {
    if (!end && !ended.has(nodeKey)) continue;
    await endRun(ctx, { runId: id, from, status: 'canceled', reason: 'its parent run continues without it' });
  }
}
