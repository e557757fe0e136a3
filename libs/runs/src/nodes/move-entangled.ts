import type { RunEvent } from '@lensforge/contracts';
import { isTerminalNode } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import { endRun } from '../end-run.js';
import { openChildren } from './end-nodes.js';
import type { Moved, RunMove } from './move-nodes.js';
import { moveNodes } from './move-nodes.js';
import { settlePart } from './node-money.js';
import { holdNodes } from './node-sheets.js';

/** A move that has to do with credits or with other runs: it, they and their settlement are one commit. */
export function moveEntangled(ctx: Context, move: RunMove): Promise<Moved | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const { runId, end, hold } = move;
    await holdNodes(ctx.db, runId);
    const reserved = await reservedIn(ctx, runId);
    const [moved] = await moveNodes(ctx.db, [move]);
    if (!moved) return undefined;
    const ended = new Map(move.nodes.filter(({ status }) => isTerminalNode(status)).map((node) => [node.key, node]));
    for (const { nodeKey, cost } of reserved) {
      const node = ended.get(nodeKey);
      if (node) await settlePart(ctx, runId, nodeKey, cost + (node.cost ?? 0));
    }
    if (end && hold > 0) await settleCredits(ctx, { runId, cost: Math.min(move.spentBefore + move.spent, hold) });
    return { ...moved, events: [...moved.events, ...(await endChildrenOf(ctx, move, new Set(ended.keys())))] };
  });
}

const reservedIn = (ctx: Context, runId: string): Promise<{ nodeKey: string; cost: number }[]> =>
  ctx.db.query(
    `select node_key as "nodeKey", cost_credits::float8 as cost from node_results
      where run_id = $1 and reserved_credits > 0 order by node_key`,
    [runId],
  );

/** Runs whose node has ended before they did. */
async function endChildrenOf(ctx: Context, { runId, end }: RunMove, ended: ReadonlySet<string>): Promise<RunEvent[]> {
  const told: RunEvent[] = [];
  for (const { id, status: from, nodeKey } of await openChildren(ctx, runId)) {
    if (!end && !ended.has(nodeKey)) continue;
    const ending = {
      runId: id,
      from,
      status: 'canceled',
      reason: 'the run that it belongs to goes on without it',
    } as const;
    told.push(...((await endRun(ctx, ending)) ?? []));
  }
  return told;
}
