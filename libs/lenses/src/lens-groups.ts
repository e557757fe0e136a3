import { type Context, isServiceRole } from '@lensforge/core';
import { type LensStatus, type LensVisibility, lensStatuses, lensVisibilities } from './lens.entity.js';

/** The lenses of one status and visibility, of one account or of all accounts; one index scan reads them in order. */
export interface LensGroup {
  owner: string | null;
  status: LensStatus;
  visibility: LensVisibility;
}

export interface GroupFilter {
  visibility?: LensVisibility | undefined;
  status?: LensStatus | undefined;
  accountId?: string | undefined;
  includeArchived?: boolean | undefined;
}

const allGroups: readonly Omit<LensGroup, 'owner'>[] = lensStatuses.flatMap((status) =>
  lensVisibilities.map((visibility) => ({ status, visibility })),
);

export const isOpen = ({ status, visibility }: Omit<LensGroup, 'owner'>): boolean =>
  status === 'published' && visibility !== 'private';

/** The disjoint groups that hold every lens which matches the filter and which the caller may see. */
export function visibleGroups(ctx: Context, filter: GroupFilter): LensGroup[] {
  const { visibility, status, includeArchived = false } = filter;
  const wanted = allGroups.filter(
    (group) =>
      (visibility === undefined || group.visibility === visibility) &&
      (status === undefined ? includeArchived || group.status !== 'archived' : group.status === status),
  );
  const accountId = filter.accountId?.toLowerCase();
  const isAnonymous = ctx.actor.credential.kind === 'anonymous';
  return wanted.flatMap((group): LensGroup[] => {
    if (isServiceRole(ctx)) return [{ ...group, owner: accountId ?? null }];
    if (isOpen(group))
      return isAnonymous && group.visibility !== 'public' ? [] : [{ ...group, owner: accountId ?? null }];
    const own = ctx.actor.accountId;
    return isAnonymous || (accountId !== undefined && accountId !== own) ? [] : [{ ...group, owner: own }];
  });
}
