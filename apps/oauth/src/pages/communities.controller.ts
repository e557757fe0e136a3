import {
  createCommunity,
  createInvite,
  joinCommunity,
  listCommunities,
  listInvites,
  listMembers,
  readCommunity,
  removeMember,
  revokeInvite,
  rolesToGive,
  rolesToInvite,
  setRole,
} from '@lensforge/communities';
import { type Community, type CommunityRole, communityRoles, endpoints, parse } from '@lensforge/contracts';
import { DomainError, badInput, notFound } from '@lensforge/core';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  communitiesPage,
  communitiesPath,
  communityPage,
  createdInvitePage,
  joinPage,
  memberPage,
  toPagePath,
} from './communities-page.js';
import type { FormPurpose } from './form-seal.js';
import type { FormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { requireHandle } from './require-handle.js';
import { idIn, pickNotice } from './resource-pages.js';
import { takeForm } from './take-form.js';

const maxShown = 200;

const notices: Readonly<Record<string, string>> = {
  created: 'The community is created.',
  joined: 'You are a member now.',
  left: 'You have left the community.',
  role: 'The role is changed.',
  removed: 'The member is removed.',
  'invite-revoked': 'The invite is revoked.',
};

const newCommunity: FormPurpose = { form: 'create community' };

/** Communities of a person: members, roles and invites. */
@Controller()
export class CommunitiesController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage(communitiesPath)
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (requireHandle(page, communitiesPath)) await showCommunities(page);
  }

  @TakesForm(communitiesPath)
  async create(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const failed = (error: FormError): Promise<void> => showCommunities(page, error);
    await takeForm(page, { here: communitiesPath, purpose: newCommunity, failed }, async () => {
      const handle = page.body.get('handle')?.trim().replace(/^@/, '').toLowerCase();
      const order = parse(endpoints.createCommunity.body, {
        handle,
        displayName: page.body.get('displayName')?.trim(),
      });
      const { id } = await createCommunity(page.ctx, { ...order, limit: this.pages.limits.communities });
      page.redirect(`${toPagePath('community', id)}&notice=created`);
    });
  }

  @ShowsPage(`${communitiesPath}/community`)
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const id = idIn(page.query.get('community'));
    if (requireHandle(page, toPagePath('community', id))) await showCommunity(page, id);
  }

  @ShowsPage(`${communitiesPath}/member`)
  async member(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const [id, accountId] = [idIn(page.query.get('community')), idIn(page.query.get('account'))];
    if (requireHandle(page, toPagePath('community', id))) await showMember(page, { id, accountId });
  }

  @ShowsPage(`${communitiesPath}/join`)
  async joinForm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const id = idIn(page.query.get('community'));
    if (requireHandle(page, toPagePath('join', id))) await showJoin(page, id);
  }

  @TakesForm(`${communitiesPath}/join`)
  join(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, { form: 'join community', failed: showJoin }, async (page, id) => {
      const invite = page.body.get('invite')?.trim();
      await joinCommunity(page.ctx, { communityId: id, ...(invite !== undefined && { invite }) });
      page.redirect(`${toPagePath('community', id)}&notice=joined`);
    });
  }

  @TakesForm(`${communitiesPath}/leave`)
  leave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, { form: 'leave community', failed: showCommunity }, async (page, id) => {
      await removeMember(page.ctx, { communityId: id, accountId: page.ctx.actor.accountId });
      page.redirect(`${communitiesPath}?notice=left`);
    });
  }

  @TakesForm(`${communitiesPath}/invite`)
  invite(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, { form: 'invite', failed: showCommunity }, async (page, id) => {
      const role = roleIn(page.body.get('role'));
      if (role === 'owner') throw badInput('role', 'cannot be owner: invite an admin, and change the role later');
      const { value } = await createInvite(page.ctx, { communityId: id, role, days: Number(page.body.get('ttl')) });
      const community = await readCommunity(page.ctx, id);
      page.show(200, createdInvitePage({ community, value, link: page.base + toPagePath('join', id) }));
    });
  }

  @TakesForm(`${communitiesPath}/revoke-invite`)
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = 'revoke invite';
    return this.act(request, reply, { form, bound: 'id', failed: showCommunity }, async (page, id) => {
      await revokeInvite(page.ctx, { communityId: id, inviteId: idIn(page.body.get('id')) });
      page.redirect(`${toPagePath('community', id)}&notice=invite-revoked`);
    });
  }

  @TakesForm(`${communitiesPath}/role`)
  changeRole(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const failed = (page: PageRequest, id: string, error: FormError): Promise<void> =>
      showMember(page, { id, accountId: idIn(page.body.get('account')) }, error);
    return this.act(request, reply, { form: 'change role', bound: 'account', failed }, async (page, id) => {
      const accountId = idIn(page.body.get('account'));
      await setRole(page.ctx, { communityId: id, accountId, role: roleIn(page.body.get('role')) });
      page.redirect(`${toPagePath('community', id)}&notice=role`);
    });
  }

  @TakesForm(`${communitiesPath}/remove`)
  remove(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const form = 'remove member';
    return this.act(request, reply, { form, bound: 'account', failed: showCommunity }, async (page, id) => {
      const accountId = idIn(page.body.get('account'));
      await removeMember(page.ctx, { communityId: id, accountId });
      const isSelf = accountId === page.ctx.actor.accountId;
      page.redirect(isSelf ? `${communitiesPath}?notice=left` : `${toPagePath('community', id)}&notice=removed`);
    });
  }

  private async act(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, bound, failed }: { form: string; bound?: string; failed: Failed },
    work: (page: PageRequest, communityId: string) => Promise<void>,
  ): Promise<void> {
    const page = await this.pages.open(request, reply);
    const id = idIn(page.body.get('community'));
    const bind = bound === undefined ? undefined : page.body.get(bound);
    await takeForm(
      page,
      {
        here: toPagePath('community', id),
        purpose: purpose(form, id, bind),
        failed: (error) => failed(page, id, error),
      },
      () => work(page, id),
    );
  }
}

/** Shows the page of the form again, with the error. */
type Failed = (page: PageRequest, communityId: string, error: FormError) => Promise<void>;

/** A form of one community, and of one invite or member in it. */
const purpose = (form: string, communityId: string, id?: string): FormPurpose => ({
  form,
  bound: [['community', communityId], ...(id === undefined ? [] : [['id', id] as const])],
});

function roleIn(text: string | undefined): CommunityRole {
  const role = communityRoles.find((each) => each === text);
  if (role) return role;
  throw badInput('role', `must be one of ${communityRoles.join(', ')}`);
}

async function showCommunities(page: PageRequest, formError?: FormError): Promise<void> {
  const { items } = await listCommunities(page.ctx, { limit: maxShown });
  page.show(
    formError?.status ?? 200,
    communitiesPage({
      communities: items,
      csrf: page.sealed(newCommunity),
      given: { handle: page.body.get('handle'), displayName: page.body.get('displayName') },
      said: pickNotice(page, notices),
      formError,
    }),
    formError?.headers,
  );
}

/** A community of which the viewer is a member; 404 otherwise. */
async function ownCommunity(page: PageRequest, id: string): Promise<Community & { role: CommunityRole }> {
  const community = await readCommunity(page.ctx, id);
  if (community.role) return { ...community, role: community.role };
  throw notFound('community', id);
}

const administers = (role: CommunityRole): role is 'owner' | 'admin' => role === 'owner' || role === 'admin';

async function showCommunity(page: PageRequest, id: string, formError?: FormError): Promise<void> {
  const community = await ownCommunity(page, id);
  const { items: members, nextCursor } = await listMembers(page.ctx, { communityId: id, limit: maxShown });
  const { role } = community;
  const now = page.ctx.now();
  const invites = administers(role)
    ? (await listInvites(page.ctx, { communityId: id, limit: maxShown })).items.filter(
        ({ acceptedAt, revokedAt, expiresAt }) =>
          acceptedAt === null && revokedAt === null && new Date(expiresAt) > now,
      )
    : undefined;
  page.show(
    formError?.status ?? 200,
    communityPage({
      community,
      members,
      hasMore: nextCursor !== undefined,
      invites,
      invitable: administers(role) ? rolesToInvite(role) : [],
      sealed: (form, of) => page.sealed(purpose(form, id, of)),
      said: pickNotice(page, notices),
      formError,
    }),
    formError?.headers,
  );
}

async function showMember(
  page: PageRequest,
  { id, accountId }: { id: string; accountId: string },
  formError?: FormError,
): Promise<void> {
  const community = await ownCommunity(page, id);
  if (!administers(community.role)) throw new DomainError('FORBIDDEN', 'Only owners and admins change members');
  const { items } = await listMembers(page.ctx, { communityId: id, limit: maxShown });
  const member = items.find((each) => each.accountId === accountId);
  if (!member) throw notFound('member', accountId);
  const isSelf = accountId === page.ctx.actor.accountId;
  page.show(
    formError?.status ?? 200,
    memberPage({
      community,
      member,
      roles: rolesToGive(community.role, { from: member.role, isSelf }),
      sealed: (form) => page.sealed(purpose(form, id, accountId)),
      formError,
    }),
    formError?.headers,
  );
}

async function showJoin(page: PageRequest, id: string, formError?: FormError): Promise<void> {
  const community = await readCommunity(page.ctx, id);
  page.show(
    formError?.status ?? 200,
    joinPage({ community, csrf: page.sealed(purpose('join community', id)), formError }),
    formError?.headers,
  );
}
