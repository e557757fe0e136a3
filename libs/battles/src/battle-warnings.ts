import type { Context } from '@lensforge/core';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';
import { hasModelJudge, judgedByOwnFamily } from './judge-family.js';

const awaitsSubmissions: readonly string[] = ['voting', 'scoring', 'closed', 'published'];

/** Warnings that say nothing about a single contender. */
export function countWarnings(
  { status, battleType }: StoredBattle,
  { contenders, submitted }: { contenders: readonly StoredContender[]; submitted: number },
): string[] {
  if (status === 'archived') return [];
  const count = contenders.length;
  const kinds = new Set(contenders.map(({ contenderType }) => contenderType === 'human'));
  return [
    ...(count < 2 ? [`The battle has ${count === 0 ? 'no contenders' : 'one contender'}; a battle needs two.`] : []),
    ...(battleType === 'human_vs_ai' && count > 1 && kinds.size < 2
      ? ['The battle is human against AI, and has contenders of one kind only.']
      : []),
    ...(awaitsSubmissions.includes(status) && submitted < count
      ? [`${count - submitted} of ${count} contenders have no submission.`]
      : []),
  ];
}

/** All warnings about a battle in its present status, for callers who may know who takes part. */
export async function battleWarnings(
  ctx: Context,
  battle: StoredBattle,
  parts: { contenders: readonly StoredContender[]; submitted: number },
): Promise<string[]> {
  return [...countWarnings(battle, parts), ...(await judgeWarnings(ctx, battle, parts.contenders))];
}

async function judgeWarnings(
  ctx: Context,
  battle: StoredBattle,
  contenders: readonly StoredContender[],
): Promise<string[]> {
  const { status, judgingMode, aiJudgeModelKey, checks } = battle;
  if (status === 'archived') return [];
  if (judgingMode === 'auto_score' && (checks ?? []).length === 0) {
    return ['The battle has no checks: each answer that is not empty scores 1.'];
  }
  if (!hasModelJudge(judgingMode)) return [];
  if (aiJudgeModelKey === null)
    return ['The battle has no judge model: the offline judge scores by measurable features.'];
  const { judge, own } = await judgedByOwnFamily(ctx, aiJudgeModelKey, contenders);
  if (!judge) return [`The judge model ${aiJudgeModelKey} cannot be used any more.`];
  if (own.length === 0) return [];
  const names = own.map(({ displayName }) => displayName).join(', ');
  return [`The judge model ${aiJudgeModelKey} is of the same provider as the model of ${names}.`];
}
