import type { Context } from '@lensforge/core';
import { preparedStatement, toJsonb } from '@lensforge/database';
import type { Verdict } from './judgements.js';
import type { HeldJudging } from './record-judgement.js';

/** The sums of a judging run, over all of its attempts. */
export interface JudgingSums {
  tokenInput: number;
  tokenOutput: number;
  cost: number;
}

const statement = preparedStatement(`
with battle as materialized (
  select id from battles where id = $1 and status = 'scoring' for share
), held as (
  select r.* from battle b join runs r on r.id = $2 and r.attempt = $3 and r.status = 'running'
   limit 1 for no key update of r
), written as (
  insert into battle_verdicts (contender_id, battle_id, verdict, score, reasoning)
  select v."contenderId", $1, v.verdict, v.score, v.reasoning
    from held, jsonb_to_recordset($4::jsonb) as v ("contenderId" uuid, verdict text, score float8, reasoning text)
  on conflict (contender_id) do nothing
)
select coalesce(token_input, 0) as "tokenInput", coalesce(token_output, 0) as "tokenOutput",
       spent_credits::float8 as cost
  from held`);

/**
 * Writes the verdict of each contender that has none, in one statement. Undefined when the attempt no longer holds the run
 * or the battle is no longer scoring; then nothing is written. The battle is locked before the run, as by its closing.
 */
export async function writeVerdicts(
  ctx: Context,
  { battleId, runId, attempt }: HeldJudging,
  verdicts: readonly Verdict[],
): Promise<JudgingSums | undefined> {
  const [sums] = await ctx.db.query<JudgingSums[]>(statement, [battleId, runId, attempt, toJsonb(verdicts)]);
  return sums;
}
