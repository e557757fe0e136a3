import type { Context } from '@lensforge/core';
import { inTransaction, preparedStatement } from '@lensforge/database';
import type { NewRunEvent } from '../new-run-events.js';
import { appendNodeText } from '../nodes/append-node-text.js';
import type { HeldNode } from '../nodes/node-leases.js';
import type { ToolCallRef, ToolCallState } from './agent-step.js';
import { type LockedNode, lockHeldNode } from './lock-held-node.js';
import { recordProgress } from './record-progress.js';

export interface ToolCallMove extends ToolCallRef {
  from: readonly ToolCallState[];
  state: ToolCallState;
  approvalId?: string;
  /** With the states done and unknown. */
  result?: string;
  isError?: boolean;
  events?: readonly NewRunEvent[];
}

const update = preparedStatement(`
update agent_tool_calls
   set state = $6, approval_id = coalesce($7, approval_id), result = $8, is_error = $9,
       completed_at = case when $8::text is not null then now() end
 where run_id = $1 and node_key = $2 and path = $3 and step = $4 and position = $5 and state = any ($10)`);

/**
 * Changes the state of a tool call; false when the worker does not hold its node any more, or the state is another one. Locks
 * the node unless the transaction has done that.
 */
export function moveToolCall(
  ctx: Context,
  node: HeldNode,
  move: ToolCallMove,
  lockedBefore?: LockedNode,
): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const locked = lockedBefore ?? (await lockHeldNode(ctx, node));
    if (!locked) return false;
    const { path, step, position, from, state, approvalId = null, result = null, isError = null, events = [] } = move;
    const [, moved] = await ctx.db.query<[unknown, number]>(update, [
      node.runId,
      node.nodeKey,
      path,
      step,
      position,
      state,
      approvalId,
      result,
      isError,
      from,
    ]);
    if (moved === 0) return false;
    if (result !== null) await recordProgress(ctx, node, locked);
    if (events.length > 0) await appendNodeText(ctx, [{ ...node, events }]);
    return true;
  });
}
