import type { TokenDetails } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement, toJsonb } from '@lensforge/database';
import { type Fence, toFenceKey, spendOnRuns } from '@lensforge/runs';
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
  tokenDetails?: TokenDetails | null;
  /** In credits; more than the rest of the hold is not charged. */
  cost: number;
}

export interface JudgementRecord {
  held: HeldJudging;
  /** At most one of them has a cost. */
  judgements: readonly NewJudgement[];
}

/**
 * Stores the judgements of items that have none, and adds their cost to that of the run, in one statement. Every end of the
 * run charges that sum.
 */
const statement = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("battleId" uuid, "runId" uuid, attempt int, judgements jsonb)
), held as materialized (
  select r.id, r.attempt, i."battleId" as battle_id, i.judgements, greatest(r.credit_hold - r.spent_credits, 0) as rest
    from input i
    join runs r on r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.attempt = i.attempt
     and r.status = 'running'
   order by r.id for no key update of r
), stored as (
  insert into battle_judgements (battle_id, item, run_id, judgement, reasoning, judge, prompt_version, prompt_hash,
                                 token_input, token_output, token_details, credit_cost)
  select h.battle_id, j.item, h.id, j.judgement, j.reasoning, j.judge, j."promptVersion", j."promptHash", j.input, j.output,
         nullif(j."tokenDetails", 'null'), least(j.cost, h.rest)
    from held h, jsonb_to_recordset(h.judgements) as j(item text, judgement jsonb, reasoning text, judge text,
           "promptVersion" text, "promptHash" text, input integer, output integer, "tokenDetails" jsonb, cost bigint)
  on conflict (battle_id, item) do nothing
  returning run_id, token_input, token_output, token_details, credit_cost
), sums as (
  select run_id, sum(token_input) as input, sum(token_output) as output, sum_counts(token_details) as details, sum(credit_cost) as cost,
         count(*) as calls
    from stored where token_input + token_output + credit_cost > 0 group by run_id
), spent as (${spendOnRuns('sums')}
)
select id, attempt from held`);

/** Stores a judgement once; false when the attempt no longer holds the run, and then nothing is stored. */
export async function recordJudgement(ctx: Context, held: HeldJudging, judgement: NewJudgement): Promise<boolean> {
  const [isStored = false] = await recordJudgements(ctx, [{ held, judgements: [judgement] }]);
  return isStored;
}

/** Stores judgements of several runs, each once, for each run as recordJudgement does. No run may be given twice. */
export async function recordJudgements(ctx: Context, records: readonly JudgementRecord[]): Promise<boolean[]> {
  const input = records.map(({ held, judgements }) => ({ ...held, judgements: judgements.map(toJudgementRow) }));
  const rows = await ctx.db.query<Fence[]>(statement, [toJsonb(input)]);
  const written = new Set(rows.map(toFenceKey));
  return records.map(({ held: { runId: id, attempt } }) => written.has(toFenceKey({ id, attempt })));
}

const toJudgementRow = ({ judgement: { reasoning, ...judgement }, usage, ...others }: NewJudgement): object => ({
  ...others,
  ...usage,
  judgement,
  reasoning,
});
