import type { SponsoredLens } from '@lensforge/contracts';
import type { Context, Page, PageRequest } from '@lensforge/core';
import { readLimitUses } from '@lensforge/credits';
import { listSponsorships } from '@lensforge/lenses';

/** Lists the sponsor pools of the caller's lenses with their usage. */
export async function listOwnSponsorships(ctx: Context, page: PageRequest): Promise<Page<SponsoredLens>> {
  const { items, ...rest } = await listSponsorships(ctx, page);
  const uses = await readLimitUses(
    ctx,
    items.map(({ lensId: id, period }) => ({ id, period })),
  );
  return {
    ...rest,
    items: items.map(({ accountId: _, createdAt: _createdAt, models, ...pool }, at) => ({
      ...pool,
      models: models && [...models],
      ...(uses[at] ?? { held: 0, spent: 0 }),
    })),
  };
}
