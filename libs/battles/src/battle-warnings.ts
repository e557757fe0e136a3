import type { RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { ReadableBattle } from './access.js';
import type { StoredBattle } from './battle.entity.js';
import { judgingStatus } from './battle-runs.js';
import type { StoredContender } from './contender.entity.js';
import { submittedIds } from './entries.js';
import { hasModelJudge, judgedByOwnFamily } from './judge-family.js';
import { statusWarnings } from './status-warnings.js';

const awaitsSubmissions: readonly string[] = ['voting', 'scoring', 'closed', 'published'];

interface Participation {
  contenders: readonly StoredContender[];
  /** The contenders who have submitted. */
  submitted: ReadonlySet<string>;
}

/** Warnings that say nothing about a single contender. */
export function countWarnings(
  { status, battleType }: StoredBattle,
  { contenders, submitted }: Participation,
): string[] {
  if (status === 'archived') return [];
  const count = contenders.length;
  const kinds = new Set(contenders.map(({ contenderType }) => contenderType === 'human'));
  return [
    ...(count < 2 ? [`The battle has ${count === 0 ? 'no contenders' : 'one contender'}; a battle needs two.`] : []),
    ...(battleType === 'human_vs_ai' && count > 1 && kinds.size < 2
      ? ['The battle is human against AI, and has contenders of one kind only.']
      : []),
    ...(awaitsSubmissions.includes(status) && submitted.size < count
      ? [`${count - submitted.size} of ${count} contenders have no submission.`]
      : []),
  ];
}

/** All warnings about a battle in its present status, for callers who may know who takes part. */
export const battleWarnings = async (ctx: Context, battle: StoredBattle, parts: Participation): Promise<string[]> =>
  findWarnings(ctx, battle, { ...parts, judging: (await judgingStatus(ctx, battle))?.status ?? null });

/** The same for a known status of the judging. */
export async function findWarnings(
  ctx: Context,
  battle: StoredBattle,
  { judging, ...parts }: Participation & { judging: RunStatus | null },
): Promise<string[]> {
  return [
    ...countWarnings(battle, parts),
    ...(await judgeWarnings(ctx, battle, parts.contenders)),
    ...statusWarnings({ battle, judging, ...parts }),
  ];
}

/** The warnings of a battle after a change in the current transaction, for its creator. */
export const readWarnings = async (
  ctx: Context,
  { battle, contenders }: Pick<ReadableBattle, 'battle' | 'contenders'>,
): Promise<string[]> => battleWarnings(ctx, battle, { contenders, submitted: await submittedIds(ctx, battle.id) });

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
