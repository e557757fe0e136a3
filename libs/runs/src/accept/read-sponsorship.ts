import type { Sponsorship } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { readLimitUse } from '@lensforge/credits';
import { ownSponsorship } from '@lensforge/lenses';

/** Returns the sponsor pool of the caller's own lens with its usage. */
export async function readSponsorship(ctx: Context, lensId: string): Promise<Sponsorship> {
  const pool = await ownSponsorship(ctx, lensId);
  if (!pool) throw new DomainError('NOT_FOUND', `The lens ${lensId} has no sponsor pool`);
  const { accountId: _, models, ...rest } = pool;
  return {
    lensId,
    ...rest,
    models: models && [...models],
    ...(await readLimitUse(ctx, { id: lensId, period: pool.period })),
  };
}
