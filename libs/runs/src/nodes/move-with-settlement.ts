import { isTerminalNode } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import { endRun } from '../end/end-run.js';
import { releaseOpenSteps } from '../end/release-open-steps.js';
import { openChildren } from '../end/end-nodes.js';
import { type NodeMove, type RunMove, moveNodes } from './move-nodes.js';
import { chargePartAboveHold, countCanceled, lockBudgets, lockTree } from '../run-tree.js';
import { type ReservedNode, reservedNodes, settleStoppedNode } from '../end/settle-stopped-node.js';

/** Commits a move that settles credits or ends other runs, in one transaction. */
export function moveWithSettlement(ctx: Context, move: RunMove): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const { runId } = move;
    // Parent runs are locked before their children, and here only for a cost above the hold.
    if ((await reservedNodes(ctx, runId)).some((node) => computeExcess(node, move) > 0)) await lockBudgets(ctx, runId);
    await lockTree(ctx, runId);
    if (!(await isCurrent(ctx, move))) return false;
    const ended = new Map(move.nodes.filter(({ status }) => isTerminalNode(status)).map((node) => [node.key, node]));
    const open = await reservedNodes(ctx, runId);
    const payable = await withPayableCosts(ctx, move, open);
    // The costs of the run must be complete before the move that may end it.
    for (const reserved of open) {
      const node = ended.get(reserved.nodeKey);
      if (node) await settleNode(ctx, runId, { reserved, node });
    }
    const [moved] = await moveNodes(ctx, [payable]);
    if (!moved) throw new Error(`run ${runId} has changed although it is locked`);
    await endChildren(ctx, move, new Set(ended.keys()));
    const canceled = move.nodes.filter(({ status, type }) => status === 'canceled' && type === 'workflow');
    if (canceled.length > 0) await countCanceled(ctx, runId, toKeys(canceled));
    return true;
  });
}

/** The cost of a node above its hold; 0 for one that does not end with the move, or whose steps are settled alone. */
function computeExcess({ nodeKey, hasSteps, hold, cost: before }: ReservedNode, { nodes }: RunMove): number {
  const ended = nodes.find(({ key, status }) => key === nodeKey && isTerminalNode(status));
  return !ended || hasSteps ? 0 : before + (ended.cost ?? 0) - hold;
}

/** The move with the costs that its nodes are charged: those above their holds as far as budgets and balance allow. */
async function withPayableCosts(ctx: Context, move: RunMove, open: readonly ReservedNode[]): Promise<RunMove> {
  const unpaid = new Map<string, number>();
  let alreadyCharged = 0;
  for (const reserved of open) {
    const amount = computeExcess(reserved, move);
    if (amount <= 0) continue;
    const { nodeKey: part } = reserved;
    const charged = await chargePartAboveHold(ctx, { runId: move.runId, part, amount }, { alreadyCharged });
    alreadyCharged += charged;
    unpaid.set(part, amount - charged);
  }
  if (unpaid.size === 0) return move;
  const nodes = move.nodes.map((node) =>
    unpaid.has(node.key) ? { ...node, cost: (node.cost ?? 0) - (unpaid.get(node.key) ?? 0) } : node,
  );
  return { ...move, nodes, spent: [...unpaid.values()].reduce((spent, amount) => spent - amount, move.spent) };
}

const toKeys = (nodes: readonly { key: string }[]): string[] => nodes.map(({ key }) => key);

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
  const { status, error, key, cost = 0 } = node;
  const isStopped = status === 'canceled' || status === 'timed_out' || error?.code === 'LIMIT_REACHED';
  if (isStopped) await settleStoppedNode(ctx, runId, reserved);
  else if (reserved.hasSteps) await releaseOpenSteps(ctx, runId, key, { charges: false });
  else await settleCredits(ctx, { runId, part: key, cost: Math.min(reserved.cost + cost, reserved.hold) });
}

/** Cancels the child runs whose nodes have ended. */
async function endChildren(ctx: Context, { runId, end }: RunMove, ended: ReadonlySet<string>): Promise<void> {
  for (const { id, status: from, nodeKey } of await openChildren(ctx, runId)) {
    if (!end && !ended.has(nodeKey)) continue;
    await endRun(ctx, { runId: id, from, status: 'canceled', reason: 'its parent run continues without it' });
  }
}
