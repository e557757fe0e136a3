import { describe, expect, it } from '@jest/globals';
import { type CommunityRole, communityRoles } from '@lensforge/contracts';
import { mayGiveRole, mayInviteAs, mayRemove } from './role-rules.js';

const pairs = communityRoles.flatMap((from) => communityRoles.map((to) => [from, to] as const));
const low: readonly CommunityRole[] = ['moderator', 'member'];

describe('role rules', () => {
  it.each(pairs)('let an owner change %s to %s, and an admin only between moderator and member', (from, to) => {
    expect(mayGiveRole('owner', { from, to, isSelf: false })).toBe(true);
    expect(mayGiveRole('admin', { from, to, isSelf: false })).toBe(low.includes(from) && low.includes(to));
  });

  it('let an admin demote but not promote themselves', () => {
    const own = (to: CommunityRole) => mayGiveRole('admin', { from: 'admin', to, isSelf: true });
    expect(communityRoles.map(own)).toEqual([false, false, true, true]);
  });

  it('let an admin remove and invite moderators and members only', () => {
    expect(communityRoles.map((from) => mayRemove('admin', from))).toEqual([false, false, true, true]);
    expect(communityRoles.map((from) => mayRemove('owner', from))).toEqual([true, true, true, true]);
    expect(communityRoles.map((role) => mayInviteAs('admin', role))).toEqual([false, false, true, true]);
    expect(communityRoles.map((role) => mayInviteAs('owner', role))).toEqual([false, true, true, true]);
  });
});
