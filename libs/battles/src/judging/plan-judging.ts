import { type Context, DomainError } from '@lensforge/core';
import { maxJudgedCharacters } from '@lensforge/judges';
import type { Model } from '@lensforge/models';
import { byokKeyChoice } from '@lensforge/runs';
import { asCreator } from '../as-creator.js';
import type { StoredBattle } from '../battle.entity.js';
import { hasModelJudge, judgeNamed } from '../judge-family.js';
import { expectedCost } from './judging-cost.js';
import { countJudgements } from './judging-settings.js';

export interface JudgingPlan {
  /** The model that judges; absent where the offline judge or checks do. */
  judge: Model | undefined;
  /** The creator's BYOK key, if it is of the provider of the judge. */
  byokKeyId: string | undefined;
  /** The number of judgements. */
  total: number;
  /** The expected cost in credits, without repairs of answers. */
  needed: number;
}

/** Plans the judging of the submissions so far. */
export const planJudging = async (ctx: Context, battle: StoredBattle): Promise<JudgingPlan> =>
  planFor(
    ctx,
    battle,
    (await readSizes(ctx, battle.id)).filter((bytes) => bytes !== null),
  );

const expectedTextBytes = 4000;

/** The expected cost of the judging, when some contenders have not submitted yet. */
export async function estimateJudging(ctx: Context, battle: StoredBattle): Promise<number> {
  const sizes = await readSizes(ctx, battle.id);
  return (
    await planFor(
      ctx,
      battle,
      sizes.map((bytes) => bytes ?? expectedTextBytes),
    )
  ).needed;
}

/** The bytes of the text of each contender, as far as a judge reads it; null for one that has none. */
async function readSizes(ctx: Context, battleId: string): Promise<(number | null)[]> {
  const rows = await ctx.db.query<{ bytes: number | null }[]>(
    `select octet_length(left(s.content_text, $2)) as bytes
       from battle_contenders c left join battle_submissions s on s.contender_id = c.id where c.battle_id = $1`,
    [battleId, maxJudgedCharacters],
  );
  return rows.map(({ bytes }) => bytes);
}

async function planFor(ctx: Context, battle: StoredBattle, texts: readonly number[]): Promise<JudgingPlan> {
  const sizes = { task: Buffer.byteLength(battle.taskPrompt), texts };
  const total = countJudgements(battle, texts.length);
  const judge = await modelJudge(ctx, battle);
  const byokKeyId = judge && (await keyFor(ctx, battle, judge));
  const compared = battle.judgingMode === 'ai_judge' ? 2 : 1;
  const needed = judge && byokKeyId === undefined ? expectedCost(judge, { total, compared, sizes }) : 0;
  return { judge, byokKeyId, total, needed };
}

/** The model that the battle names as its judge; undefined if it names none, an offline one, or one that is not offered. */
async function modelJudge(
  ctx: Context,
  { judgingMode, aiJudgeModelKey }: Pick<StoredBattle, 'judgingMode' | 'aiJudgeModelKey'>,
): Promise<Model | undefined> {
  if (!hasModelJudge(judgingMode) || aiJudgeModelKey === null) return undefined;
  const judge = await judgeNamed(ctx, aiJudgeModelKey);
  return judge?.providerKey === 'offline' ? undefined : judge;
}

/** The reason why no model judges although the battle names one; undefined where none should. */
export async function reasonWithoutModel(ctx: Context, battle: StoredBattle): Promise<string | undefined> {
  const { judgingMode, aiJudgeModelKey: key } = battle;
  if (!hasModelJudge(judgingMode) || key === null) return undefined;
  const judge = await judgeNamed(ctx, key);
  if (judge?.providerKey === 'offline') return undefined;
  const reason = judge
    ? `The budget of the battle does not pay for the judge ${key}`
    : `The judge ${key} is not offered`;
  return `${reason}, so that the offline judge judged all texts.`;
}

/** The BYOK key of the battle, if it can still be used and is of the judge's provider. */
async function keyFor(ctx: Context, battle: StoredBattle, judge: Model): Promise<string | undefined> {
  const { fundingSource, byokKeyId } = battle;
  if (fundingSource !== 'user_byok_cloud' || byokKeyId === null) return undefined;
  try {
    const key = await byokKeyChoice(asCreator(ctx, battle), { fundingSource, byokKeyRefId: byokKeyId });
    return key?.provider === judge.providerKey ? key.id : undefined;
  } catch (reason) {
    if (reason instanceof DomainError) return undefined;
    throw reason;
  }
}
