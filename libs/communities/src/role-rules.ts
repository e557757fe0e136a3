import type { CommunityRole } from '@lensforge/contracts';
import type { Administrator } from '@lensforge/identity';

const below = (role: CommunityRole): boolean => role === 'moderator' || role === 'member';

/** Owners decide about everybody; admins about moderators and members, and may step back themselves. */
export function mayGiveRole(
  acting: Administrator,
  { from, to, isSelf }: { from: CommunityRole; to: CommunityRole; isSelf: boolean },
): boolean {
  if (acting === 'owner') return true;
  return below(to) && (below(from) || (isSelf && from === 'admin'));
}

/** Whether somebody with the role `acting` may send away one with the role `from`. */
export const mayRemove = (acting: Administrator, from: CommunityRole): boolean => acting === 'owner' || below(from);

/** Whether an invite may make somebody what it says. */
export const mayInviteAs = (acting: Administrator, role: CommunityRole): boolean =>
  role !== 'owner' && (acting === 'owner' || below(role));
