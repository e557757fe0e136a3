import type { JudgingMode } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { type Model, modelNamed, usableModels } from '@lensforge/models';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';

/** True for modes in which a model judges, if the battle has one. */
export const hasModelJudge = (mode: JudgingMode): boolean => mode === 'ai_judge' || mode === 'rubric_score';

type Lenser = Pick<StoredContender, 'contenderType' | 'lenserAccountId'>;

interface JudgedFamily<C> {
  /** The judge model; absent when it is not offered any more. */
  judge: Model | undefined;
  /** The AI contenders whose model is of the judge's provider. */
  own: C[];
}

/** The judge model of a battle, with the contenders of its own family. */
export async function judgedByOwnFamily<C extends Lenser>(
  ctx: Context,
  aiJudgeModelKey: string,
  contenders: readonly C[],
): Promise<JudgedFamily<C>> {
  const judge = await judgeNamed(ctx, aiJudgeModelKey);
  const ai = contenders.filter(({ contenderType }) => contenderType !== 'human');
  if (!judge || ai.length === 0) return { judge, own: [] };
  const families = await readJudgeFamilies(
    ctx,
    ai.map(({ lenserAccountId }) => lenserAccountId),
  );
  return { judge, own: ai.filter((each) => families.get(each.lenserAccountId) === judge.providerKey) };
}

/** Refuses a judge model that is not offered or cannot answer JSON. */
export async function requireJudge(ctx: Context, aiJudgeModelKey: string): Promise<void> {
  if (await judgeNamed(ctx, aiJudgeModelKey)) return;
  throw badInput(
    'aiJudgeModelKey',
    'names no model with the capability json; GET /v1/models?capability=json lists them',
  );
}

/**
 * Refuses a judge of the model family of a contender, while there is a judge of another family. The path of the issue is
 * the member that the caller can change.
 */
export async function refuseOwnFamily(
  ctx: Context,
  { judgingMode, aiJudgeModelKey }: Pick<StoredBattle, 'judgingMode' | 'aiJudgeModelKey'>,
  { contenders, path }: { contenders: readonly Lenser[]; path: 'aiJudgeModelKey' | 'contenderRefId' },
): Promise<void> {
  if (!hasModelJudge(judgingMode) || aiJudgeModelKey === null) return;
  const { judge, own } = await judgedByOwnFamily(ctx, aiJudgeModelKey, contenders);
  if (!judge || own.length === 0) return;
  const others = (await usableModels(ctx.db)).filter(
    (model) => canJudge(model) && model.providerKey !== judge.providerKey && model.providerKey !== 'offline',
  );
  if (others.length === 0) return;
  const fault = `the judge model ${judge.key} and the model of a contender are of the same provider, ${judge.providerKey}`;
  throw badInput(path, `${fault}; choose a judge of another provider, such as ${others[0]?.key}`);
}

const canJudge = ({ capabilities }: Model): boolean => capabilities.includes('json');

/** An enabled model that can judge. */
export async function judgeNamed({ db }: Context, aiJudgeModelKey: string): Promise<Model | undefined> {
  const model = await modelNamed(db, aiJudgeModelKey);
  return model && canJudge(model) ? model : undefined;
}

/** The provider of the model of each AI lenser, as far as the platform offers the model. */
async function readJudgeFamilies(
  { db }: Context,
  aiLenserIds: readonly string[],
): Promise<Map<string, string | undefined>> {
  const rows = await db.query<{ id: string; modelKey: string | null }[]>(
    'select account_id as id, ai_model_key as "modelKey" from ai_lensers where account_id = any($1)',
    [aiLenserIds],
  );
  const defaultModel = (await usableModels(db)).find(({ isDefault }) => isDefault);
  return new Map(
    await Promise.all(
      rows.map(async ({ id, modelKey }): Promise<[string, string | undefined]> => {
        const model = modelKey === null ? defaultModel : await modelNamed(db, modelKey);
        return [id, model?.providerKey];
      }),
    ),
  );
}
