import { randomBytes } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import type { StoredBattle } from './battle.entity.js';

/** The members of a battle that its creator sets. */
export interface BattleRow extends Pick<
  StoredBattle,
  | 'id'
  | 'title'
  | 'taskPrompt'
  | 'battleType'
  | 'judgingMode'
  | 'maxContenders'
  | 'aiJudgeModelKey'
  | 'rubric'
  | 'checks'
> {
  budgetCredits: number | string | null;
}

/** Inserts a battle of the caller in draft. */
export async function insertBattle(ctx: Context, battle: BattleRow): Promise<void> {
  await ctx.db.query(
    `insert into battles (id, title, task_prompt, judging_mode, max_contenders, ai_judge_model_key, rubric, checks,
                          budget_credits, battle_type, creator_account_id, blind_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [...changeable(battle), battle.battleType, ctx.actor.accountId, randomBytes(32), ctx.now()],
  );
}

/** Writes the changeable members of a battle. */
export async function updateRow(ctx: Context, battle: BattleRow): Promise<void> {
  await ctx.db.query(
    `update battles set title = $2, task_prompt = $3, judging_mode = $4, max_contenders = $5, ai_judge_model_key = $6,
                        rubric = $7, checks = $8, budget_credits = $9 where id = $1`,
    changeable(battle),
  );
}

const changeable = (battle: BattleRow): unknown[] => [
  battle.id,
  battle.title,
  battle.taskPrompt,
  battle.judgingMode,
  battle.maxContenders,
  battle.aiJudgeModelKey,
  battle.rubric && toJsonb(battle.rubric),
  battle.checks && toJsonb(battle.checks),
  battle.budgetCredits,
];
