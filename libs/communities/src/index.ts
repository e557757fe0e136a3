export * from './create-community.js';
export * from './create-invite.js';
export { Invite } from './invite.entity.js';
export * from './join-community.js';
export * from './list-communities.js';
export * from './list-invites.js';
export * from './list-members.js';
export * from './read-community.js';
export * from './remove-community.js';
export * from './remove-member.js';
export * from './revoke-invite.js';
export * from './set-role.js';
export * from './update-community.js';

import { Invite } from './invite.entity.js';

export const communityEntities = [Invite] as const;
