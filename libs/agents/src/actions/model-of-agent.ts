import type { Context } from '@lensforge/core';
import type { OwnAiLenser } from '@lensforge/identity';

interface ModelChoice {
  modelOverride?: string;
  fundingSource?: 'user_byok_cloud';
  byokKeyRefId?: string;
}

/** The model of an AI lenser; one at an endpoint of its owner needs the BYOK key of that endpoint. */
export async function modelOfAgent(
  { db }: Context,
  { aiModelKey, owner }: Pick<OwnAiLenser, 'aiModelKey' | 'owner'>,
): Promise<ModelChoice> {
  if (aiModelKey === null) return {};
  const [named] = await db.query<{ keyId: string | null }[]>(
    `select null::uuid as "keyId" from models
      where byok_key_id is null and enabled and $1 in (key, provider_key || '/' || key, id::text)
     union all
     select k.id from byok_keys k join models m on m.byok_key_id = k.id
      where k.account_id = $2 and k.revoked_at is null and $1 in (m.key, m.provider_key || '/' || m.key, m.id::text)
      limit 1`,
    [aiModelKey, owner.id],
  );
  const keyId = named?.keyId ?? null;
  return {
    modelOverride: aiModelKey,
    ...(keyId !== null && { fundingSource: 'user_byok_cloud', byokKeyRefId: keyId }),
  };
}
