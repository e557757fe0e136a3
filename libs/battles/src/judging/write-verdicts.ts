import { type TokenDetails, battleChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement, recordRunChanges, toJsonb } from '@lensforge/database';
import { type Fence, toFenceKey } from '@lensforge/runs';
import type { Verdict } from './judgements.js';
import type { HeldJudging } from './record-judgement.js';

/** The sums of a judging run, over all of its attempts. */
export interface JudgingSums {
  tokenInput: number;
  tokenOutput: number;
  tokenDetails: TokenDetails | null;
  cost: number;
}

export interface VerdictRecord {
  held: HeldJudging;
  verdicts: readonly Verdict[];
}

const statement = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("battleId" uuid, "runId" uuid, attempt int, verdicts jsonb)
), battle as materialized (
  select id, judging_total as total from battles
   where id = any (array(select "battleId" from input)) and status = 'scoring' order by id for no key update
), held as materialized (
  select r.id, r.attempt, b.id as battle_id, b.total, i.verdicts, r.token_input, r.token_output, r.token_details,
         r.spent_credits
    from input i
    join battle b on b.id = i."battleId"
    join runs r on r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.attempt = i.attempt
     and r.status = 'running'
   order by r.id for no key update of r
), written as (
  insert into battle_verdicts (contender_id, battle_id, verdict, score, reasoning)
  select v."contenderId", h.battle_id, v.verdict, v.score, v.reasoning
    from held h, jsonb_to_recordset(h.verdicts) as v ("contenderId" uuid, verdict text, score float8, reasoning text)
  on conflict (contender_id) do nothing
), judged as materialized (
  select h.battle_id, h.total, (select count(*)::int from battle_judgements where battle_id = h.battle_id) as judged,
         coalesce((select (payload ->> 'judged')::int from battle_events
                    where battle_id = h.battle_id and type = 'judging.progress' order by sequence desc limit 1), 0) as known
    from held h
), moved as (
  update battles b set last_sequence = b.last_sequence + 1
    from judged j where b.id = any (array(select battle_id from judged)) and b.id = j.battle_id and j.judged > j.known
  returning b.id, b.last_sequence, j.judged, j.total
), appended as (
  insert into battle_events (battle_id, sequence, type, payload, occurred_at)
  select id, last_sequence, 'judging.progress', jsonb_build_object('judged', judged, 'total', total), clock_timestamp()
    from moved
)
select h.id, h.attempt, coalesce(h.token_input, 0) as "tokenInput", coalesce(h.token_output, 0) as "tokenOutput",
       h.token_details as "tokenDetails",
       h.spent_credits::float8 as cost, h.battle_id as "battleId", m.last_sequence as "lastSequence"
  from held h left join moved m on m.id = h.battle_id`);

type Written = Fence & JudgingSums & { battleId: string; lastSequence: number | null };

/**
 * Writes the verdict of each contender that has none, with the progress of the judging, in one statement for several runs.
 * Undefined for a run that the attempt no longer holds, or whose battle is no longer scoring; nothing of it is written.
 * Battles are locked before runs, as by their closing.
 */
export async function writeVerdicts(
  ctx: Context,
  records: readonly VerdictRecord[],
): Promise<(JudgingSums | undefined)[]> {
  const input = records.map(({ held, verdicts }) => ({ ...held, verdicts }));
  const rows = await ctx.db.query<Written[]>(statement, [toJsonb(input)]);
  recordRunChanges(ctx, {
    positions: rows.flatMap(({ battleId, lastSequence }) =>
      lastSequence === null ? [] : [{ channel: battleChannel(battleId), lastSequence }],
    ),
  });
  const written = new Map(rows.map((row) => [toFenceKey(row), row]));
  return records.map(({ held: { runId: id, attempt } }) => {
    const row = written.get(toFenceKey({ id, attempt }));
    if (!row) return undefined;
    const { tokenInput, tokenOutput, tokenDetails, cost } = row;
    return { tokenInput, tokenOutput, tokenDetails, cost };
  });
}
