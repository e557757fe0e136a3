import type { Context } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import type { NewRunEvent } from '../execute/new-run-events.js';
import { appendNodeText } from '../nodes/append-node-text.js';
import type { HeldNode } from '../nodes/node-leases.js';
import { settlePart } from '../nodes/reserve-for-node.js';
import type { NewToolCall, StepRef } from './agent-step.js';
import { partOf } from './agent-step.js';
import { lockHeldNode } from './lock-held-node.js';
import { recordProgress } from './record-progress.js';

export interface StepResult extends StepRef {
  /** Null for a judge. */
  agentId: string | null;
  text: string;
  tokenInput: number;
  tokenOutput: number;
  /** At most the hold of the step. */
  cost: number;
  reduced: number;
  activeMs: number;
  calls: readonly NewToolCall[];
  events: readonly NewRunEvent[];
}

/**
 * Stores a step with its tool calls and events, settles its hold and counts its cost for the node and the run. Returns
 * false when the worker does not hold the node any more.
 */
export function storeStep(ctx: Context, node: HeldNode, result: StepResult): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await lockHeldNode(ctx, node))) return false;
    const { runId, nodeKey } = node;
    const { path, step, agentId, text, tokenInput, tokenOutput, cost, reduced, activeMs, calls, events } = result;
    const [reserved] = await ctx.db.query<{ amount: number }[]>(
      `select reserved_credits::float8 as amount from agent_steps
        where run_id = $1 and node_key = $2 and path = $3 and step = $4`,
      [runId, nodeKey, path, step],
    );
    const amount = reserved?.amount ?? 0;
    if (amount > 0) await settlePart(ctx, runId, partOf(nodeKey, result), cost);
    await ctx.db.query(
      `with stored as (
         insert into agent_steps as s (run_id, node_key, path, step, agent_id, status, text, token_input, token_output,
                                       cost_credits, reduced, active_ms, completed_at)
         values ($1, $2, $3, $4, $5, 'done', $6, $7, $8, $9, $10, $11, now())
         on conflict (run_id, node_key, path, step) do update
           set status = 'done', reserved_credits = 0, text = excluded.text, token_input = excluded.token_input,
               token_output = excluded.token_output, cost_credits = excluded.cost_credits, reduced = excluded.reduced,
               active_ms = excluded.active_ms, completed_at = excluded.completed_at
       ), called as (
         insert into agent_tool_calls (run_id, node_key, path, step, position, call_id, name, input, metadata, tool_id, state)
         select $1, $2, $3, $4, position, c ->> 'callId', c ->> 'name', c -> 'input', nullif(c -> 'metadata', 'null'),
                c ->> 'toolId', 'pending'
           from jsonb_array_elements($12::jsonb) with ordinality as calls (c, position)
       ), counted as (
         update node_results set reserved_credits = reserved_credits - $13, cost_credits = cost_credits + $9,
                model_calls = model_calls + 1, tokens_used = tokens_used + $7 + $8
          where run_id = $1 and node_key = $2
       )
       update runs set spent_credits = spent_credits + $9, model_calls = model_calls + 1,
              token_input = coalesce(token_input, 0) + $7, token_output = coalesce(token_output, 0) + $8
        where id = $1`,
      [
        runId,
        nodeKey,
        path,
        step,
        agentId,
        text,
        tokenInput,
        tokenOutput,
        cost,
        reduced,
        activeMs,
        toJsonb(calls),
        amount,
      ],
    );
    await recordProgress(ctx, node);
    await appendNodeText(ctx, [{ ...node, events }]);
    return true;
  });
}
