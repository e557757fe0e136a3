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
    description:
      'A community is an account with members, tokens and resources of its own. The list has the role of the caller in each.',
    query: PageQuery,
    reply: Community,
    scopes: ['community:read'],
    rate: 'list',
    replies: 'list',
  },
  createCommunity: {
    route: 'POST /v1/communities',
    summary: 'Creates a community that the caller owns',
    description:
      'The caller becomes its owner. The handle is unique among all accounts; a taken one is refused with 409.',
    body: NewCommunityRequest,
    example: { handle: 'prompt-writers', displayName: 'Prompt writers', joinPolicy: 'invite' },
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
    description:
      'Every caller sees the name, the description, the join policy and the number of members. Members also see their own role.',
    params: CommunityPath,
    reply: Community,
    scopes: ['community:read'],
    audience: 'public',
    rate: 'read',
  },
  updateCommunity: {
    route: 'PATCH /v1/communities/{communityId}',
    summary: 'Changes how a community is shown and joined',
    description:
      'Owners and admins can change the name, the description and the join policy. Absent members stay as they are. The handle stays.',
    params: CommunityPath,
    body: CommunityPatch,
    reply: Community,
    scopes: ['community:write'],
    rate: 'write',
  },
  removeCommunity: {
    route: 'DELETE /v1/communities/{communityId}',
    summary: 'Deletes a community; all its tokens stop working at once',
    description: 'Only an owner can delete it, with a session token. Its handle stays reserved.',
    params: CommunityPath,
    reply: Community,
    scopes: ['community:write'],
    audience: 'session',
    rate: 'write',
  },
  joinCommunity: {
    route: 'POST /v1/communities/{communityId}/join',
    summary: 'Joins an open community, or one that the caller was invited to',
    description:
      'A community with the join policy invite needs the value of an invite. Members who join again keep their role and use no invite. Only people can join, with a session or developer token.',
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
    description: 'Each item has the account and its role. Callers who are no members get 404.',
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
    description:
      'Owners can set every role, admins the roles of moderators and members. A community keeps at least one owner; the change of the last one is refused with 409.',
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
    description:
      'Owners remove every member, admins moderators and members, and every member can leave. The last owner cannot leave: the request is refused with 409.',
    params: MemberPath,
    reply: Member,
    scopes: ['community:write'],
    rate: 'write',
    errors: [409],
  },
  listInvites: {
    route: 'GET /v1/communities/{communityId}/invites',
    summary: 'Lists the invites of a community, the newest first',
    description: 'For owners and admins. Values of invites are not shown.',
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
    description:
      'Owners and admins can create it. It is for one account and ends when it is used, expires or is revoked. Only an owner can invite admins.',
    params: CommunityPath,
    body: NewInviteRequest,
    example: { role: 'member' },
    reply: CreatedInvite,
    status: 201,
    scopes: ['community:write'],
    rate: 'create',
  },
  revokeInvite: {
    route: 'DELETE /v1/communities/{communityId}/invites/{inviteId}',
    summary: 'Revokes an invite',
    description:
      'No account can join with it afterwards. A repeated request has no further effect. An invite that was used is refused with 409: remove the member instead.',
    params: InvitePath,
    reply: Invite,
    scopes: ['community:write'],
    rate: 'write',
    errors: [409],
  },
});
