import { type Context, badInput } from '@lensforge/core';

const named = `
  select from (
    select id, key, provider_key from models where byok_key_id is null and enabled
    union all
    select m.id, m.key, m.provider_key from byok_keys k join models m on m.byok_key_id = k.id
     where k.account_id = $2 and k.revoked_at is null) m
   where $1 in (m.key, m.provider_key || '/' || m.key, m.id::text) limit 1`;

/**
 * Refuses the name of a model that the owner could not use: it must be in the catalogue or at an endpoint of a BYOK key of
 * the owner. A provider that no worker can call at the moment is no fault, since a run may come much later.
 */
export async function requireModel({ db }: Context, ownerId: string, aiModelKey: string): Promise<void> {
  const found = await db.query<unknown[]>(named, [aiModelKey, ownerId]);
  if (found.length > 0) return;
  throw badInput(
    'aiModelKey',
    'names no model that its owner can use; GET /v1/models lists the models of the platform',
  );
}
