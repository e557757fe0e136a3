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
 * Stores the judgement of an item that has none, and adds its cost to that of the run, in one statement. Every end of the
 * run charges that sum.
 */
const statement = preparedStatement(`
with held as (
  select id, greatest(credit_hold - spent_credits, 0) as rest from runs
   where id = $1 and attempt = $2 and status = 'running' for no key update
), stored as (
  insert into battle_judgements (battle_id, item, run_id, judgement, reasoning, judge, prompt_version, prompt_hash,
                                 token_input, token_output, credit_cost)
  select $3, $4, h.id, $5::jsonb, $6, $7, $8, $9, $10, $11, least($12::bigint, h.rest) from held h
  on conflict (battle_id, item) do nothing
  returning run_id, token_input, token_output, credit_cost
), spent as (
  update runs r
     set spent_credits = r.spent_credits + s.credit_cost, token_input = coalesce(r.token_input, 0) + s.token_input,
         token_output = coalesce(r.token_output, 0) + s.token_output, model_calls = r.model_calls + 1
    from stored s where r.id = $1 and r.id = s.run_id and s.token_input + s.token_output + s.credit_cost > 0
)
select 1 from held`);

/** Stores a judgement once; false when the attempt no longer holds the run, and then nothing is stored. */
export async function recordJudgement(
  ctx: Context,
  { battleId, runId, attempt }: HeldJudging,
  { item, judgement, judge, promptVersion, promptHash, usage, cost }: NewJudgement,
): Promise<boolean> {
  const { reasoning, ...rest } = judgement;
  const held = await ctx.db.query<unknown[]>(statement, [
    runId,
    attempt,
    battleId,
    item,
    toJsonb(rest),
    storable(reasoning),
    judge,
    promptVersion,
    promptHash,
    usage.input,
    usage.output,
    cost,
  ]);
  return held.length > 0;
}

/** Reasons of checks may quote a text. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
