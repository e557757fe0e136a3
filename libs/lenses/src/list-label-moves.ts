import type { LensLabelMove } from '@lensforge/contracts';
import type { Context, Page, PageRequest } from '@lensforge/core';
import { ownLens } from './access.js';
import { lensLabels } from './version-reads.js';

/** Lists where the labels of a lens of the caller pointed, the newest move first. */
export async function listLabelMoves(ctx: Context, lensId: string, page: PageRequest): Promise<Page<LensLabelMove>> {
  const { id } = await ownLens(ctx, lensId);
  return lensLabels.listMoves(ctx, id, page) as Promise<Page<LensLabelMove>>;
}
