import type { TokenDetails } from '@lensforge/contracts';
import { type Context, batchCalls, groupBy } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { inTransaction, perDatabase, preparedStatement, recordRunChanges, toJsonb } from '@lensforge/database';
import type { EntityManager } from 'typeorm';
import { type EventsPosition, type NewRunEvent, insertRunEvents, storedRunEvents } from '../new-run-events.js';
import type { HeldNode } from '../nodes/node-leases.js';
import { type StepRef, toStepPart } from '../step-ref.js';
import type { NewToolCall } from './agent-step.js';
import { chargePartAboveHold, lockBudgets } from '../run-tree.js';
import { lockHeldNode } from './lock-held-node.js';
import { recordProgress } from './record-progress.js';

export interface StepResult extends StepRef {
  /** Null for a judge. */
  agentId: string | null;
  text: string;
  tokenInput: number;
  tokenOutput: number;
  tokenDetails?: TokenDetails | null;
  /** Charged above the hold as far as the limits allow. */
  cost: number;
  /** The credits that are held for the step. */
  hold: number;
  /** The most that all steps of the node may cost. */
  maxCredits: number | null;
  reduced: number;
  activeMs: number;
  calls: readonly NewToolCall[];
  events: readonly NewRunEvent[];
}

/**
 * Locks the nodes and stores their steps, unless they are stored already; at most one step of each run. Without
 * `settlesHold` it stores no step with a hold, which has to be settled in the same transaction, and none of a node that has
 * lost workers. Holds are read from the rows as they were before the statement; runs and nodes are locked, so that
 * PostgreSQL checks the conditions on their newest versions.
 */
const store = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    "runId" uuid, "nodeKey" text, "attempt" int, "path" text, "step" int, "agentId" uuid, "text" text, "tokenInput" int,
    "tokenOutput" int, "tokenDetails" jsonb, "cost" bigint, "reduced" int, "activeMs" int, "calls" jsonb, "events" jsonb, "settlesHold" boolean)
), held as materialized (
  select i.*, n.lost_attempts, coalesce(s.reserved_credits, 0) as hold
    from input i join runs r on r.id = i."runId"
         join node_results n on n.run_id = i."runId" and n.node_key = i."nodeKey"
         left join agent_steps s
           on s.run_id = i."runId" and s.node_key = i."nodeKey" and s.path = i."path" and s.step = i."step"
   where r.id = any (array(select "runId" from input)) and n.run_id = any (array(select "runId" from input))
     and r.status = 'running' and n.status = 'running' and n.attempt = i."attempt"
   order by r.id for update of r, n
), stored as (
  insert into agent_steps as s (run_id, node_key, path, step, agent_id, status, text, token_input, token_output,
                                cost_credits, reduced, active_ms, completed_at)
  select "runId", "nodeKey", "path", "step", "agentId", 'done', "text", "tokenInput", "tokenOutput", "cost", "reduced",
         "activeMs", now()
    from held where "settlesHold" or (lost_attempts = 0 and hold = 0)
  on conflict (run_id, node_key, path, step) do update
    set status = 'done', reserved_credits = 0, text = excluded.text, token_input = excluded.token_input,
        token_output = excluded.token_output, cost_credits = excluded.cost_credits, reduced = excluded.reduced,
        active_ms = excluded.active_ms, completed_at = excluded.completed_at
    where s.status <> 'done'
  returning s.run_id
), called as (
  insert into agent_tool_calls (run_id, node_key, path, step, position, call_id, name, input, metadata, tool_id,
                                state, result, is_error, completed_at)
  select h."runId", h."nodeKey", h."path", h."step", position, c ->> 'callId', c ->> 'name', c -> 'input',
         nullif(c -> 'metadata', 'null'), c ->> 'toolId', case when c ? 'result' then 'done' else 'pending' end,
         c -> 'result' ->> 'text', (c -> 'result' ->> 'isError')::boolean, case when c ? 'result' then now() end
    from stored s join held h on h."runId" = s.run_id,
         jsonb_array_elements(h."calls") with ordinality as calls (c, position)
), counted as (
  update node_results n
     set reserved_credits = n.reserved_credits - h.hold, cost_credits = n.cost_credits + h."cost",
         model_calls = n.model_calls + 1, tokens_used = n.tokens_used + h."tokenInput" + h."tokenOutput"
    from stored s join held h on h."runId" = s.run_id
   where n.run_id = any (array(select "runId" from input)) and n.run_id = h."runId" and n.node_key = h."nodeKey"
), moved as (
  update runs r
     set last_sequence = r.last_sequence + jsonb_array_length(h."events"), spent_credits = r.spent_credits + h."cost",
         model_calls = r.model_calls + 1, token_input = coalesce(r.token_input, 0) + h."tokenInput",
         token_output = coalesce(r.token_output, 0) + h."tokenOutput",
         token_details = add_counts(r.token_details, h."tokenDetails")
    from stored s join held h on h."runId" = s.run_id
   where r.id = any (array(select "runId" from input)) and r.id = h."runId"
  returning r.id, r.last_sequence - jsonb_array_length(h."events") as before, h."events" as events, h.hold
), new_events as (${insertRunEvents('moved')}
)
select id as "runId", before, iso(now()) as at, hold::float8 as hold from moved`);

interface NewStep {
  node: HeldNode;
  result: StepResult;
}

/** Concurrent agents of a worker store their steps with one statement. */
const storing = perDatabase((db) =>
  batchCalls((steps: NewStep[]) => storeTogether(db, steps), { maxSize: 50, concurrency: 2 }),
);

/**
 * Stores a step with its tool calls and events, settles its hold and counts its cost for the node and the run. Returns
 * false when the worker does not hold the node any more.
 */
export async function storeStep(ctx: Context, node: HeldNode, result: StepResult): Promise<boolean> {
  const stored = result.hold > 0 ? undefined : await storeWithOthers(ctx, { node, result });
  if (stored) {
    publishStep(ctx, result, stored);
    return true;
  }
  return inTransaction(ctx, async (ctx) => {
    const isAbove = result.cost > result.hold;
    if (isAbove) await lockBudgets(ctx, node.runId);
    const locked = await lockHeldNode(ctx, node);
    if (!locked) return false;
    const payable = isAbove ? await withPayableCost(ctx, node, result) : result;
    const [step] = await storeEach(ctx.db, [{ node, result: payable }], { settlesHold: true });
    if (!step) return true;
    publishStep(ctx, payable, step);
    const cost = Math.min(payable.cost, step.hold);
    if (step.hold > 0) await settleCredits(ctx, { runId: node.runId, part: toStepPart(node.nodeKey, result), cost });
    await recordProgress(ctx, node, locked);
    return true;
  });
}

/** The step with the cost that it is charged: that above its hold as far as its node, budgets and the balance allow. */
async function withPayableCost(ctx: Context, { runId, nodeKey }: HeldNode, result: StepResult): Promise<StepResult> {
  const { path, step, maxCredits } = result;
  const [open] = await ctx.db.query<{ hold: number; used: number }[]>(
    `select s.reserved_credits::float8 as hold, (n.cost_credits + n.reserved_credits)::float8 as used
       from agent_steps s join node_results n on n.run_id = s.run_id and n.node_key = s.node_key
      where s.run_id = $1 and s.node_key = $2 and s.path = $3 and s.step = $4 and s.status <> 'done'`,
    [runId, nodeKey, path, step],
  );
  if (!open) return result;
  const left = maxCredits === null ? Infinity : maxCredits - open.used;
  const amount = Math.min(result.cost - open.hold, left);
  const part = toStepPart(nodeKey, result);
  const charged = amount > 0 ? await chargePartAboveHold(ctx, { runId, part, amount }) : 0;
  const cost = Math.min(result.cost, open.hold + charged);
  const events = result.events.map((event) =>
    event.type === 'agent.step' ? { type: event.type, payload: { ...event.payload, creditCost: cost } } : event,
  );
  return { ...result, cost, events };
}

/** Undefined when the step has to be stored alone; so each step has its own error. */
async function storeWithOthers(ctx: Context, step: NewStep): Promise<StoredRow | undefined> {
  if (ctx.db.queryRunner) return (await storeEach(ctx.db, [step]))[0];
  return storing
    .of(ctx)(step)
    .catch(() => undefined);
}

function publishStep(ctx: Context, { events }: StepResult, position: EventsPosition): void {
  recordRunChanges(ctx, { events: storedRunEvents(events, position) });
}

interface StoredRow extends EventsPosition {
  hold: number;
}

/** Stores the steps; one statement stores one step of each run. The result is undefined where nothing was stored. */
async function storeTogether(db: EntityManager, steps: readonly NewStep[]): Promise<(StoredRow | undefined)[]> {
  const runs = [...groupBy(steps, ({ node }) => node.runId).values()];
  const found = new Map<NewStep, StoredRow>();
  for (let at = 0; runs.some((ofRun) => at < ofRun.length); at += 1) {
    const together = runs.flatMap((ofRun) => ofRun.slice(at, at + 1));
    const rows = new Map((await storeEach(db, together)).map((row) => [row.runId, row]));
    for (const step of together) {
      const row = rows.get(step.node.runId);
      if (row) found.set(step, row);
    }
  }
  return steps.map((step) => found.get(step));
}

/** Each step has a run of its own. */
const storeEach = (db: EntityManager, steps: readonly NewStep[], { settlesHold = false } = {}): Promise<StoredRow[]> =>
  db.query<StoredRow[]>(store, [
    toJsonb(
      steps.map(({ node: { runId, nodeKey, attempt }, result }) => ({
        ...result,
        runId,
        nodeKey,
        attempt,
        settlesHold,
      })),
    ),
  ]);
