import { type Context, groupBy, notFound } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { battlesById, contendersIn } from '../access.js';
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
  'select contender_id as "contenderId", content_text as text from battle_submissions where battle_id = any($1::uuid[])',
);

const judgementsStatement = preparedStatement(`
select battle_id as "battleId", item, run_id as "runId", judgement || jsonb_build_object('reasoning', reasoning) as judgement,
       token_output as "tokenOutput", credit_cost::float8 as "creditCost"
  from battle_judgements where battle_id = any($1::uuid[])`);

/** Loads everything that a judging run judges, and the judgements so far. It is for the platform: it checks no access. */
export async function loadJudging(ctx: Context, battleId: string): Promise<LoadedJudging> {
  const [loaded] = await loadJudgings(ctx, [battleId]);
  if (!loaded) throw notFound('battle', battleId);
  return loaded;
}

/** Loads several judgings; undefined for a battle that does not exist. */
export async function loadJudgings(ctx: Context, battleIds: readonly string[]): Promise<(LoadedJudging | undefined)[]> {
  const battles = new Map((await battlesById(ctx, battleIds)).map((battle) => [battle.id, battle]));
  const contenders = groupBy(await contendersIn(ctx, battleIds), ({ battleId }) => battleId);
  const submissions = await ctx.db.query<{ contenderId: string; text: string }[]>(textsStatement, [battleIds]);
  const textOf = new Map(submissions.map(({ contenderId, text }) => [contenderId, text]));
  const judgements = await ctx.db.query<(StoredJudgement & { battleId: string })[]>(judgementsStatement, [battleIds]);
  const stored = groupBy(judgements, ({ battleId }) => battleId);
  return battleIds.map((battleId) => {
    const battle = battles.get(battleId);
    if (!battle) return undefined;
    const own = contenders.get(battleId) ?? [];
    const texts = own.flatMap(({ id }): [string, string][] => {
      const text = textOf.get(id);
      return text === undefined ? [] : [[id, text]];
    });
    return { battle, contenders: own, texts: new Map(texts), stored: stored.get(battleId) ?? [] };
  });
}
