import type { Context } from '@lensforge/core';
import { isServiceRole } from '@lensforge/core';
import type { LensStatus, LensVisibility } from './lens.entity.js';
import { lensStatuses, lensVisibilities } from './lens.entity.js';

/** All lenses of one status and visibility, of one account or of all: what one index walks in order. */
export interface Cell {
  owner: string | null;
  status: LensStatus;
  visibility: LensVisibility;
}

export interface CellFilter {
  visibility?: LensVisibility | undefined;
  status?: LensStatus | undefined;
  accountId?: string | undefined;
  includeArchived?: boolean | undefined;
}

const all: readonly Omit<Cell, 'owner'>[] = lensStatuses.flatMap((status) =>
  lensVisibilities.map((visibility) => ({ status, visibility })),
);

export const isOpen = ({ status, visibility }: Omit<Cell, 'owner'>): boolean =>
  status === 'published' && visibility !== 'private';

/** The cells whose union is what the caller may see of what they ask for; none of them overlap. */
export function visibleCells(ctx: Context, filter: CellFilter): Cell[] {
  const { visibility, status, includeArchived = false } = filter;
  const wanted = all.filter(
    (cell) =>
      (visibility === undefined || cell.visibility === visibility) &&
      (status === undefined ? includeArchived || cell.status !== 'archived' : cell.status === status),
  );
  const asked = filter.accountId?.toLowerCase();
  const isAnonymous = ctx.actor.credential.kind === 'anonymous';
  return wanted.flatMap((cell): Cell[] => {
    if (isServiceRole(ctx)) return [{ ...cell, owner: asked ?? null }];
    if (isOpen(cell)) return isAnonymous && cell.visibility !== 'public' ? [] : [{ ...cell, owner: asked ?? null }];
    const own = ctx.actor.accountId;
    return isAnonymous || (asked !== undefined && asked !== own) ? [] : [{ ...cell, owner: own }];
  });
}
