import { sharedBudgetCauses } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type Excess, chargeAboveHold } from '@lensforge/credits';

/** SQL: true for a run whose nodes are held by workers and not the run itself: a workflow run, or that of a lens with tools. */
export const hasNodes = `(kind = 'workflow' or node_version > 0)`;

/** SQL for a run and all runs that its nodes have started, at any depth. */
export const runsBelow = `
with recursive tree as (
  select id, status from runs where id = $1
  union all
  select c.id, c.status from tree t join runs c on c.parent_run_id = t.id where c.cause ->> 'kind' = 'node'
)`;

/** SQL for a run and its chain of parent runs. */
const runsAbove = `
with recursive tree as (
  select id, parent_run_id, cause, budget_credits from runs where id = $1
  union all
  select p.id, p.parent_run_id, p.cause, p.budget_credits from tree t join runs p on p.id = t.parent_run_id
   where t.cause ->> 'kind' = 'node'
)`;

/** Locks runs in the order of their ids, so that two transactions cannot deadlock. */
const lock = (ctx: Context, runIds: readonly string[]): Promise<unknown> =>
  ctx.db.query('select 1 from runs where id = any ($1) order by id for update', [runIds]);

/** Locks a run and its open child runs until the commit. */
export async function lockTree(ctx: Context, runId: string): Promise<void> {
  const open = await ctx.db.query<{ id: string }[]>(
    `${runsBelow} select id from tree where status in ('queued', 'running') or id = $1`,
    [runId],
  );
  await lock(
    ctx,
    open.map(({ id }) => id),
  );
}

/** Gives a run and its parent runs at least this time before their deadlines, and locks them until the commit. */
export async function extendDeadlines(ctx: Context, runId: string, leastMs: number): Promise<void> {
  const above = await ctx.db.query<{ id: string }[]>(`${runsAbove} select id from tree`, [runId]);
  const ids = above.map(({ id }) => id);
  await lock(ctx, ids);
  await ctx.db.query(
    `update runs set deadline_at = now() + $2 * interval '1 ms'
      where id = any ($1) and status = 'running' and deadline_at < now() + $2 * interval '1 ms'`,
    [ids, leastMs],
  );
}

export interface Budget {
  runId: string;
  credits: number;
}

/** Returns the budgets that a run spends from, and locks their runs until the commit. */
export async function lockBudgets(ctx: Context, runId: string): Promise<Budget[]> {
  const budgets = await ctx.db.query<Budget[]>(
    `${runsAbove} select id as "runId", budget_credits::float8 as credits from tree where budget_credits is not null`,
    [runId],
  );
  await lock(ctx, [runId, ...budgets.map((budget) => budget.runId)]);
  return budgets;
}

/**
 * Charges a part of a run more than its hold, within the budgets of the run and its parent runs, and returns the amount.
 * The caller has locked the budgets.
 */
export async function chargePartAboveHold(
  ctx: Context,
  { runId, part, amount }: Required<Excess>,
  { alreadyCharged = 0 } = {},
): Promise<number> {
  const above = await ctx.db.query<{ id: string; credits: number | null; isShared: boolean }[]>(
    `${runsAbove} select id, budget_credits::float8 as credits, coalesce(cause ->> 'kind' = any ($2), false) as "isShared"
       from tree`,
    [runId, sharedBudgetCauses],
  );
  if (above.some(({ isShared }) => isShared)) return 0;
  let most = amount;
  for (const { id, credits } of above) {
    if (credits !== null) most = Math.min(most, credits - (await sumReservedCredits(ctx, id)) - alreadyCharged);
  }
  return most > 0 ? chargeAboveHold(ctx, { runId, part, amount: most }) : 0;
}

/** Sums the costs and holds of the nodes of a run and its child runs. */
export async function sumReservedCredits(ctx: Context, runId: string): Promise<number> {
  const [sum] = await ctx.db.query<[{ promised: number }]>(
    `${runsBelow} select coalesce(sum(n.reserved_credits + case when n.type = 'workflow' then 0 else n.cost_credits end), 0)::float8
                       as promised
       from tree t join node_results n on n.run_id = t.id`,
    [runId],
  );
  return sum.promised;
}

/**
 * Adds the costs of child runs to their canceled nodes and to the run. To be called once, in the transaction that cancels
 * the nodes.
 */
export const countCanceled = (ctx: Context, runId: string, nodeKeys: readonly string[]): Promise<unknown> =>
  ctx.db.query(
    `with counted as (
       update node_results n set cost_credits = c.spent_credits, model_calls = c.model_calls,
              tokens_used = coalesce(c.token_input, 0) + coalesce(c.token_output, 0)
         from runs c
        where n.run_id = $1 and n.node_key = any ($2) and n.type = 'workflow' and n.status = 'canceled'
          and c.parent_run_id = $1 and c.cause ->> 'kind' = 'node' and c.cause ->> 'nodeKey' = n.node_key
       returning c.spent_credits, c.model_calls, c.token_input, c.token_output, c.token_details
     ), sums as (
       select sum(spent_credits) as spent, sum(model_calls) as calls, sum(token_input) as input, sum(token_output) as output,
              sum_counts(token_details) as details
         from counted having count(*) > 0
     )
     update runs r set spent_credits = r.spent_credits + s.spent, model_calls = r.model_calls + s.calls,
            token_input = coalesce(r.token_input, 0) + coalesce(s.input, 0),
            token_output = coalesce(r.token_output, 0) + coalesce(s.output, 0),
            token_details = add_counts(r.token_details, s.details),
            credit_cost = case when r.completed_at is not null then r.spent_credits + s.spent end,
            billing_status = case when r.completed_at is not null and r.spent_credits + s.spent > 0 then 'charged'
                                  else r.billing_status end
       from sums s where r.id = $1`,
    [runId, nodeKeys],
  );
