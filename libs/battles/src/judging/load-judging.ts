import type { Context } from '@lensforge/core';
import { notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { battleById, contendersOf } from '../access.js';
import type { StoredBattle } from '../battle.entity.js';
import type { StoredContender } from '../contender.entity.js';
import type { CheckJudgement, PairJudgement, RubricJudgement } from './judgements.js';

/** A judgement of one of the modes. */
export type Judgement = PairJudgement | RubricJudgement | CheckJudgement;

export interface StoredJudgement {
  item: string;
  runId: string;
  judgement: Judgement;
  tokenOutput: number;
  creditCost: number;
}

export interface LoadedJudging {
  battle: StoredBattle;
  /** All contenders, by slot. */
  contenders: StoredContender[];
  /** The texts by contender, by slot; contenders without a submission are absent. */
  texts: ReadonlyMap<string, string>;
  /** The judgements so far, of all runs. */
  stored: StoredJudgement[];
}

const textsStatement = preparedStatement(
  'select contender_id as "contenderId", content_text as text from battle_submissions where battle_id = $1',
);

const judgementsStatement = preparedStatement(`
select item, run_id as "runId", judgement || jsonb_build_object('reasoning', reasoning) as judgement,
       token_output as "tokenOutput", credit_cost::float8 as "creditCost"
  from battle_judgements where battle_id = $1`);

/** Loads everything that a judging run judges, and the judgements so far. It is for the platform: it checks no access. */
export async function loadJudging(ctx: Context, battleId: string): Promise<LoadedJudging> {
  const battle = await battleById(ctx, battleId);
  if (!battle) throw notFound('battle', battleId);
  const contenders = await contendersOf(ctx, battleId);
  const submissions = await ctx.db.query<{ contenderId: string; text: string }[]>(textsStatement, [battleId]);
  const textOf = new Map(submissions.map(({ contenderId, text }) => [contenderId, text]));
  const texts = contenders.flatMap(({ id }): [string, string][] => {
    const text = textOf.get(id);
    return text === undefined ? [] : [[id, text]];
  });
  const stored = await ctx.db.query<StoredJudgement[]>(judgementsStatement, [battleId]);
  return { battle, contenders, texts: new Map(texts), stored };
}
