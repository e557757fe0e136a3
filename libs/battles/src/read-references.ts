import type { Battle } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { modelNamed } from '@lensforge/models';

export interface LenserReference {
  id: string;
  kind: 'human' | 'ai' | 'community';
  handle: string;
  displayName: string;
  /** The model of an AI lenser; null for the default model and for people. */
  modelKey: string | null;
}

export interface ModelReference {
  key: string;
  provider: string;
  displayName: string;
}

export interface References {
  lensers: LenserReference[];
  models: ModelReference[];
}

/** The lensers and models that a view of a battle names. What the view withholds cannot be found here either. */
export async function readReferences(
  ctx: Context,
  { creatorId, contenders, aiJudgeModelKey }: Battle,
): Promise<References> {
  const ids = [creatorId, ...contenders.flatMap(({ contenderRefId }) => contenderRefId ?? [])];
  const lensers = await ctx.db.query<LenserReference[]>(
    `select a.id, case a.kind when 'agent' then 'ai' when 'person' then 'human' else a.kind end as kind, a.handle, a.display_name as "displayName",
            l.ai_model_key as "modelKey"
       from accounts a left join ai_lensers l on l.account_id = a.id where a.id = any($1) order by a.id`,
    [ids],
  );
  const keys = new Set([aiJudgeModelKey, ...lensers.map(({ modelKey }) => modelKey)].filter((key) => key !== null));
  const models: ModelReference[] = [];
  for (const key of keys) {
    const model = await modelNamed(ctx.db, key);
    if (model) models.push({ key, provider: model.providerKey, displayName: model.displayName });
  }
  return { lensers, models };
}
