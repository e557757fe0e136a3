import { defineEndpoints } from '../catalogue/endpoint.js';
import { dateTime, integer, oneOf, text, uuid } from '../schema/field.js';
import { PageQuery } from '../schema/paging.js';

export const communityRoles = ['owner', 'admin', 'moderator', 'member'] as const;
export type CommunityRole = (typeof communityRoles)[number];

export const joinPolicies = ['open', 'invite'] as const;
export type JoinPolicy = (typeof joinPolicies)[number];

const invitedRoles = ['admin', 'moderator', 'member'] as const;

export class CommunityPath {
  @uuid({ description: 'The community.' })
  communityId!: string;
}

export class MemberPath extends CommunityPath {
  @uuid({ description: 'The account of the member.' })
  accountId!: string;
}

export class InvitePath extends CommunityPath {
  @uuid({ description: 'The invite.' })
  inviteId!: string;
}

export class NewCommunityRequest {
  @text({ pattern: /^[a-z0-9_-]{3,64}$/, max: 64, description: 'Unique among all accounts.' })
  handle!: string;

  @text({ min: 1, max: 100, pattern: /\S/ })
  displayName!: string;

  @text({ max: 2000 })
  description = '';

  @oneOf(joinPolicies, { description: 'open: every account can join; invite: invited accounts only.' })
  joinPolicy: JoinPolicy = 'invite';
}

export class CommunityPatch {
  @text({ min: 1, max: 100, pattern: /\S/, optional: true })
  displayName?: string;

  @text({ max: 2000, optional: true })
  description?: string;

  @oneOf(joinPolicies, { optional: true })
  joinPolicy?: JoinPolicy;
}

export class Community {
  @uuid()
  id!: string;

  @text()
  handle!: string;

  @text()
  displayName!: string;

  @text()
  description!: string;

  @oneOf(joinPolicies)
  joinPolicy!: JoinPolicy;

  @integer({ min: 0 })
  memberCount!: number;

  @oneOf(communityRoles, { optional: true, description: 'The role of the caller; for members only.' })
  role?: CommunityRole;

  @dateTime({ optional: true, description: 'For members only.' })
  createdAt?: string;
}

export class Member {
  @uuid()
  accountId!: string;

  @text()
  handle!: string;

  @text()
  displayName!: string;

  @oneOf(communityRoles)
  role!: CommunityRole;

  @dateTime()
  joinedAt!: string;
}

export class MemberPatch {
  @oneOf(communityRoles)
  role!: CommunityRole;
}

export class NewInviteRequest {
  @oneOf(invitedRoles, { description: 'The role after joining; only an owner can invite admins.' })
  role: (typeof invitedRoles)[number] = 'member';

  @integer({ min: 1, max: 30, description: 'Days until it expires.' })
  ttl = 7;
}

export class Invite {
  @uuid()
  id!: string;

  @oneOf(invitedRoles)
  role!: (typeof invitedRoles)[number];

  @uuid({ description: 'The account that created the invite.' })
  invitedBy!: string;

  @dateTime()
  createdAt!: string;

  @dateTime()
  expiresAt!: string;

  @uuid({ nullable: true, description: 'The account that joined with the invite.' })
  acceptedBy!: string | null;

  @dateTime({ nullable: true })
  acceptedAt!: string | null;

  @dateTime({ nullable: true })
  revokedAt!: string | null;
}

export class CreatedInvite extends Invite {
  @text({ description: 'The value to join with, once. It is shown only now and not stored.' })
  value!: string;
}

export class JoinRequest {
  @text({ min: 1, max: 200, optional: true, description: 'The value of an invite, when the community needs one.' })
  invite?: string;
}

export const communityEndpoints = defineEndpoints({
  listCommunities: {
    route: 'GET /v1/communities',
    summary: 'Lists the communities that the caller is a member of, the newest first',
    query: PageQuery,
    reply: Community,
    scopes: ['community:read'],
    rate: 'list',
    replies: 'list',
  },
  createCommunity: {
    route: 'POST /v1/communities',
    summary: 'Creates a community that the caller owns',
    body: NewCommunityRequest,
    reply: Community,
    status: 201,
    scopes: ['community:write'],
    audience: 'session',
    rate: 'create',
    errors: [409],
  },
  getCommunity: {
    route: 'GET /v1/communities/{communityId}',
    summary: 'Reads a community; members get more details',
    params: CommunityPath,
    reply: Community,
    scopes: ['community:read'],
    audience: 'public',
    rate: 'read',
  },
  updateCommunity: {
    route: 'PATCH /v1/communities/{communityId}',
    summary: 'Changes how a community is shown and joined',
    params: CommunityPath,
    body: CommunityPatch,
    reply: Community,
    scopes: ['community:write'],
    rate: 'write',
  },
  removeCommunity: {
    route: 'DELETE /v1/communities/{communityId}',
    summary: 'Deletes a community; all its tokens stop working at once',
    params: CommunityPath,
    reply: Community,
    scopes: ['community:write'],
    audience: 'session',
    rate: 'write',
  },
  joinCommunity: {
    route: 'POST /v1/communities/{communityId}/join',
    summary: 'Joins an open community, or one that the caller was invited to',
    params: CommunityPath,
    body: JoinRequest,
    reply: Member,
    scopes: ['community:write'],
    audience: 'people',
    rate: 'write',
  },
  listMembers: {
    route: 'GET /v1/communities/{communityId}/members',
    summary: 'Lists the members of a community, for its members',
    params: CommunityPath,
    query: PageQuery,
    reply: Member,
    scopes: ['community:read'],
    rate: 'list',
    replies: 'list',
  },
  setRole: {
    route: 'PATCH /v1/communities/{communityId}/members/{accountId}',
    summary: 'Changes the role of a member',
    params: MemberPath,
    body: MemberPatch,
    reply: Member,
    scopes: ['community:write'],
    rate: 'write',
    errors: [409],
  },
  removeMember: {
    route: 'DELETE /v1/communities/{communityId}/members/{accountId}',
    summary: 'Removes a member; the caller leaves with their own account',
    params: MemberPath,
    reply: Member,
    scopes: ['community:write'],
    rate: 'write',
    errors: [409],
  },
  listInvites: {
    route: 'GET /v1/communities/{communityId}/invites',
    summary: 'Lists the invites of a community, the newest first',
    params: CommunityPath,
    query: PageQuery,
    reply: Invite,
    scopes: ['community:write'],
    rate: 'list',
    replies: 'list',
  },
  createInvite: {
    route: 'POST /v1/communities/{communityId}/invites',
    summary: 'Creates an invite; its value is shown this once',
    params: CommunityPath,
    body: NewInviteRequest,
    reply: CreatedInvite,
    status: 201,
    scopes: ['community:write'],
    rate: 'create',
  },
  revokeInvite: {
    route: 'DELETE /v1/communities/{communityId}/invites/{inviteId}',
    summary: 'Revokes an invite',
    params: InvitePath,
    reply: Invite,
    scopes: ['community:write'],
    rate: 'write',
    errors: [409],
  },
});
