import type { Context } from '@lensforge/core';
import { inTransaction, preparedStatement, recordRunChanges, toJsonb } from '@lensforge/database';
import type { NewRunEvent } from '../execute/new-run-events.js';
import { insertRunEvents, storedRunEvents } from '../execute/new-run-events.js';
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
  /** Credits are held for the step. */
  hasHold: boolean;
  reduced: number;
  activeMs: number;
  calls: readonly NewToolCall[];
  events: readonly NewRunEvent[];
}

/**
 * Locks the node and stores the step, unless it is stored already. Without the permission of $14 it stores no step with a hold,
 * which has to be settled in the same transaction, and none of a node that has lost workers. The hold is read from the rows as
 * they were before the statement; both rows are locked, so that PostgreSQL checks the conditions on their newest versions.
 */
const store = preparedStatement(`
with node as materialized (
  select n.lost_attempts from runs r join node_results n on n.run_id = r.id
   where r.id = $1 and r.status = 'running' and n.node_key = $2 and n.attempt = $3 and n.status = 'running'
   limit 1 for update of r, n
), before as (
  select reserved_credits as held from agent_steps where run_id = $1 and node_key = $2 and path = $4 and step = $5
), stored as (
  insert into agent_steps as s (run_id, node_key, path, step, agent_id, status, text, token_input, token_output,
                                cost_credits, reduced, active_ms, completed_at)
  select $1, $2, $4, $5, $6, 'done', $7, $8, $9, $10, $11, $12, now() from node
   where $14 or (lost_attempts = 0 and not exists (select from before where held > 0))
  on conflict (run_id, node_key, path, step) do update
    set status = 'done', reserved_credits = 0, text = excluded.text, token_input = excluded.token_input,
        token_output = excluded.token_output, cost_credits = excluded.cost_credits, reduced = excluded.reduced,
        active_ms = excluded.active_ms, completed_at = excluded.completed_at
    where s.status <> 'done'
  returning s.step
), called as (
  insert into agent_tool_calls (run_id, node_key, path, step, position, call_id, name, input, metadata, tool_id,
                                state, result, is_error, completed_at)
  select $1, $2, $4, $5, position, c ->> 'callId', c ->> 'name', c -> 'input', nullif(c -> 'metadata', 'null'),
         c ->> 'toolId', case when c ? 'result' then 'done' else 'pending' end, c -> 'result' ->> 'text',
         (c -> 'result' ->> 'isError')::boolean, case when c ? 'result' then now() end
    from stored, jsonb_array_elements($13::jsonb) with ordinality as calls (c, position)
), counted as (
  update node_results
     set reserved_credits = reserved_credits - coalesce((select held from before), 0), cost_credits = cost_credits + $10,
         model_calls = model_calls + 1, tokens_used = tokens_used + $8 + $9
   where run_id = $1 and node_key = $2 and exists (select from stored)
), moved as (
  update runs set last_sequence = last_sequence + jsonb_array_length($15::jsonb), spent_credits = spent_credits + $10,
         model_calls = model_calls + 1, token_input = coalesce(token_input, 0) + $8,
         token_output = coalesce(token_output, 0) + $9
   where id = $1 and exists (select from stored)
  returning id, last_sequence - jsonb_array_length($15::jsonb) as before
), numbered as (
  select id, before, $15::jsonb as events from moved
), new_events as (${insertRunEvents('numbered')}
)
select m.before, iso(now()) as at, coalesce((select held from before), 0)::float8 as held from moved m`);

/**
 * Stores a step with its tool calls and events, settles its hold and counts its cost for the node and the run. Returns
 * false when the worker does not hold the node any more.
 */
export async function storeStep(ctx: Context, node: HeldNode, result: StepResult): Promise<boolean> {
  if (!result.hasHold && (await storeOnce(ctx, node, result))) return true;
  return inTransaction(ctx, async (ctx) => {
    const locked = await lockHeldNode(ctx, node);
    if (!locked) return false;
    const stored = await storeOnce(ctx, node, result, true);
    if (!stored) return true;
    if (stored.held > 0) await settlePart(ctx, node.runId, partOf(node.nodeKey, result), result.cost);
    await recordProgress(ctx, node, locked);
    return true;
  });
}

/** Undefined when the statement has stored nothing. */
async function storeOnce(
  ctx: Context,
  { runId, nodeKey, attempt }: HeldNode,
  { path, step, agentId, text, tokenInput, tokenOutput, cost, reduced, activeMs, calls, events }: StepResult,
  settlesHold = false,
): Promise<{ held: number } | undefined> {
  const [stored] = await ctx.db.query<{ before: number; at: string; held: number }[]>(store, [
    runId,
    nodeKey,
    attempt,
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
    settlesHold,
    toJsonb(events),
  ]);
  if (stored) recordRunChanges(ctx, { events: storedRunEvents(events, { ...stored, runId }) });
  return stored;
}
