export { createCommunity } from './create-community.js';
export { MAX_COMMUNITIES, createOwnedCommunity } from './create-owned-community.js';
export { createInvite } from './create-invite.js';
export { joinCommunity } from './join-community.js';
export { listCommunities } from './list-communities.js';
export { listInvites } from './list-invites.js';
export { listMembers } from './list-members.js';
export { readCommunity } from './read-community.js';
export { removeCommunity } from './remove-community.js';
export { removeMember } from './remove-member.js';
export { revokeInvite } from './revoke-invite.js';
export { rolesToGive, rolesToInvite } from './role-rules.js';
export { setRole } from './set-role.js';
export { updateCommunity } from './update-community.js';

import { Invite } from './invite.entity.js';
export const communityEntities = [Invite] as const;
