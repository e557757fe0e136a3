import { isTerminalNode } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import { endRun } from '../end/end-run.js';
import { releaseOpenSteps } from '../end/release-open-steps.js';
import { openChildren } from '../end/end-nodes.js';
import { type NodeMove, type RunMove, moveNodes } from './move-nodes.js';
import { countCanceled, lockTree } from '../run-tree.js';
import { type ReservedNode, hasSteps, reservedNodes, settleStoppedNode } from '../end/settle-stopped-node.js';

/** Commits a move that settles credits or ends other runs, in one transaction. */
export function moveWithSettlement(ctx: Context, move: RunMove): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const { runId } = move;
    await lockTree(ctx, runId);
    if (!(await isCurrent(ctx, move))) return false;
    const ended = new Map(move.nodes.filter(({ status }) => isTerminalNode(status)).map((node) => [node.key, node]));
    // The costs of the run must be complete before the move that may end it.
    for (const reserved of await reservedNodes(ctx, runId)) {
      const node = ended.get(reserved.nodeKey);
      if (node) await settleNode(ctx, runId, { reserved, node });
    }
    const [moved] = await moveNodes(ctx, [move]);
    if (!moved) throw new Error(`run ${runId} has changed although it is locked`);
    await endChildrenOf(ctx, move, new Set(ended.keys()));
    const canceled = move.nodes.filter(({ status, type }) => status === 'canceled' && type === 'workflow');
    if (canceled.length > 0) await countCanceled(ctx, runId, keysOf(canceled));
    return true;
  });
}

const keysOf = (nodes: readonly { key: string }[]): string[] => nodes.map(({ key }) => key);

/** True unless the run has ended or changed since the move was decided. The run is locked. */
async function isCurrent(ctx: Context, { runId, version, attempt }: RunMove): Promise<boolean> {
  const [run] = await ctx.db.query<unknown[]>(
    `select from runs where id = $1 and status = 'running' and node_version = $2 and ($3::int is null or attempt = $3)`,
    [runId, version, attempt],
  );
  return run !== undefined;
}

/** Settles the hold of a node that ends with the move. One that was stopped is charged for the text that it has streamed. */
async function settleNode(
  ctx: Context,
  runId: string,
  { reserved, node }: { reserved: ReservedNode; node: NodeMove },
): Promise<void> {
  const { status, error, key, type, cost = 0 } = node;
  const isStopped = status === 'canceled' || status === 'timed_out' || error?.code === 'LIMIT_REACHED';
  if (isStopped) await settleStoppedNode(ctx, runId, reserved);
  else if (hasSteps(type)) await releaseOpenSteps(ctx, runId, key, { charges: false });
  else await settleCredits(ctx, { runId, part: key, cost: reserved.cost + cost });
}

/** Cancels the child runs whose nodes have ended. */
async function endChildrenOf(ctx: Context, { runId, end }: RunMove, ended: ReadonlySet<string>): Promise<void> {
  for (const { id, status: from, nodeKey } of await openChildren(ctx, runId)) {
    if (!end && !ended.has(nodeKey)) continue;
    await endRun(ctx, { runId: id, from, status: 'canceled', reason: 'its parent run continues without it' });
  }
}
