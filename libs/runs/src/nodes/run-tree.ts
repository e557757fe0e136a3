import type { Context } from '@lensforge/core';

/** A run and those that nodes of it have started, as deep as they go. */
export const runsBelow = `
with recursive tree as (
  select id, status from runs where id = $1
  union all
  select c.id, c.status from tree t join runs c on c.parent_run_id = t.id where c.cause ->> 'kind' = 'node'
)`;

/** The run itself, and those whose nodes have led to it. */
const above = `
with recursive tree as (
  select id, parent_run_id, cause, budget_credits from runs where id = $1
  union all
  select p.id, p.parent_run_id, p.cause, p.budget_credits from tree t join runs p on p.id = t.parent_run_id
   where t.cause ->> 'kind' = 'node'
)`;

/** Always in the order of ids, which is from above to below, so that two who hold several never wait for each other. */
const hold = (ctx: Context, runIds: readonly string[]): Promise<unknown> =>
  ctx.db.query('select 1 from runs where id = any ($1) order by id for update', [runIds]);

/** Until the commit nothing moves in this run and in those below it. */
export async function lockTree(ctx: Context, runId: string): Promise<void> {
  const open = await ctx.db.query<{ id: string }[]>(
    `${runsBelow} select id from tree where status in ('queued', 'running') or id = $1`,
    [runId],
  );
  await hold(
    ctx,
    open.map(({ id }) => id),
  );
}

export interface Budget {
  runId: string;
  credits: number;
}

/** The budgets that a run spends from. Until the commit nobody else promises anything of them. */
export async function lockBudgets(ctx: Context, runId: string): Promise<Budget[]> {
  const budgets = await ctx.db.query<Budget[]>(
    `${above} select id as "runId", budget_credits::float8 as credits from tree where budget_credits is not null`,
    [runId],
  );
  await hold(ctx, [runId, ...budgets.map((budget) => budget.runId)]);
  return budgets;
}

/** What the nodes of a run and of those below it have cost and may yet cost. */
export async function reservedCreditsOf(ctx: Context, runId: string): Promise<number> {
  const [sum] = await ctx.db.query<[{ promised: number }]>(
    `${runsBelow} select coalesce(sum(n.reserved_credits + case when n.type = 'workflow' then 0 else n.cost_credits end), 0)::float8
                       as promised
       from tree t join node_results n on n.run_id = t.id`,
    [runId],
  );
  return sum.promised;
}

/**
 * What runs have cost whose node was canceled before it could say so: it counts for the node and its run all the same.
 * To be called in the transaction that cancels the nodes, once.
 */
export const countCanceled = (ctx: Context, runId: string, nodeKeys: readonly string[]): Promise<unknown> =>
  ctx.db.query(
    `with counted as (
       update node_results n set cost_credits = c.spent_credits, model_calls = c.model_calls,
              tokens_used = coalesce(c.token_input, 0) + coalesce(c.token_output, 0)
         from runs c
        where n.run_id = $1 and n.node_key = any ($2) and n.type = 'workflow' and n.status = 'canceled'
          and c.parent_run_id = $1 and c.cause ->> 'kind' = 'node' and c.cause ->> 'nodeKey' = n.node_key
       returning c.spent_credits, c.model_calls, c.token_input, c.token_output
     ), sums as (
       select sum(spent_credits) as spent, sum(model_calls) as calls, sum(token_input) as input, sum(token_output) as output
         from counted having count(*) > 0
     )
     update runs r set spent_credits = r.spent_credits + s.spent, model_calls = r.model_calls + s.calls,
            token_input = coalesce(r.token_input, 0) + coalesce(s.input, 0),
            token_output = coalesce(r.token_output, 0) + coalesce(s.output, 0),
            credit_cost = case when r.completed_at is not null then r.spent_credits + s.spent end,
            billing_status = case when r.completed_at is not null and r.spent_credits + s.spent > 0 then 'charged'
                                  else r.billing_status end
       from sums s where r.id = $1`,
    [runId, nodeKeys],
  );
