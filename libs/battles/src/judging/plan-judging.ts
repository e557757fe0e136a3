import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import type { Model } from '@lensforge/models';
import { byokKeyChoice } from '@lensforge/runs';
import { asCreator } from '../as-creator.js';
import type { StoredBattle } from '../battle.entity.js';
import { hasModelJudge, judgeNamed } from '../judge-family.js';
import type { TextSizes } from './judging-cost.js';
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

/** Plans the judging of texts of these sizes. */
export async function planJudging(ctx: Context, battle: StoredBattle, sizes: TextSizes): Promise<JudgingPlan> {
  const total = countJudgements(battle, sizes.texts.length);
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
