import type { CommunityRole } from '@lensforge/contracts';
import type { Administrator } from '@lensforge/identity';

const below = (role: CommunityRole): boolean => role === 'moderator' || role === 'member';

/** Owners may change any role; admins may change moderators and members, and demote themselves. */
export function mayGiveRole(
  acting: Administrator,
  { from, to, isSelf }: { from: CommunityRole; to: CommunityRole; isSelf: boolean },
): boolean {
  if (acting === 'owner') return true;
  return below(to) && (below(from) || (isSelf && from === 'admin'));
}

/** True when a member with the role `acting` may remove one with the role `from`. */
export const mayRemove = (acting: Administrator, from: CommunityRole): boolean => acting === 'owner' || below(from);

/** True when a member with the role `acting` may create an invite for `role`. */
export const mayInviteAs = (acting: Administrator, role: CommunityRole): boolean =>
  role !== 'owner' && (acting === 'owner' || below(role));
