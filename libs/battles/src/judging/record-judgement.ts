import type { Context } from '@lensforge/core';
import { preparedStatement, toJsonb } from '@lensforge/database';
import type { Judgement } from './load-judging.js';

/** A judging run as its worker holds it; the attempt fences every write. */
export interface HeldJudging {
  battleId: string;
  runId: string;
  attempt: number;
}

export interface NewJudgement {
  /** The key of the item, unique within the battle. */
  item: string;
  judgement: Judgement;
  /** The model, `offline` or `checks`. */
  judge: string;
  promptVersion: string | null;
  promptHash: string | null;
  usage: { input: number; output: number };
  /** In credits; more than the rest of the hold is not charged. */
  cost: number;
}

/**
 * Stores the judgements of items that have none, and adds their cost to that of the run, in one statement. Every end of the
 * run charges that sum.
 */
const statement = preparedStatement(`
with held as (
  select id, greatest(credit_hold - spent_credits, 0) as rest from runs
   where id = $1 and attempt = $2 and status = 'running' limit 1 for no key update
), stored as (
  insert into battle_judgements (battle_id, item, run_id, judgement, reasoning, judge, prompt_version, prompt_hash,
                                 token_input, token_output, credit_cost)
  select $3, j.item, h.id, j.judgement, j.reasoning, j.judge, j."promptVersion", j."promptHash", j.input, j.output,
         least(j.cost, h.rest)
    from held h, jsonb_to_recordset($4::jsonb) as j(item text, judgement jsonb, reasoning text, judge text,
           "promptVersion" text, "promptHash" text, input integer, output integer, cost bigint)
  on conflict (battle_id, item) do nothing
  returning run_id, token_input, token_output, credit_cost
), sums as (
  select run_id, sum(token_input) as input, sum(token_output) as output, sum(credit_cost) as cost, count(*) as calls
    from stored where token_input + token_output + credit_cost > 0 group by run_id
), spent as (
  update runs r
     set spent_credits = r.spent_credits + s.cost, token_input = coalesce(r.token_input, 0) + s.input,
         token_output = coalesce(r.token_output, 0) + s.output, model_calls = r.model_calls + s.calls
    from sums s where r.id = $1 and r.id = s.run_id
)
select 1 from held`);

/** Stores a judgement once; false when the attempt no longer holds the run, and then nothing is stored. */
export const recordJudgement = (ctx: Context, held: HeldJudging, judgement: NewJudgement): Promise<boolean> =>
  recordJudgements(ctx, held, [judgement]);

/** Stores judgements of which at most one has a cost, each once; false as for a single one. */
export async function recordJudgements(
  ctx: Context,
  { battleId, runId, attempt }: HeldJudging,
  judgements: readonly NewJudgement[],
): Promise<boolean> {
  const rows = judgements.map(({ judgement: { reasoning, ...judgement }, usage, ...others }) => ({
    ...others,
    ...usage,
    judgement,
    reasoning,
  }));
  const held = await ctx.db.query<unknown[]>(statement, [runId, attempt, battleId, toJsonb(rows)]);
  return held.length > 0;
}
