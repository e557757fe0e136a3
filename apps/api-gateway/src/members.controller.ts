import { createInvite, listInvites, listMembers, removeMember, revokeInvite, setRole } from '@lensforge/communities';
import { type CreatedInvite, type Invite, type Member, endpoints } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readFromReplica } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves } from '@lensforge/edge';
import { Controller } from '@nestjs/common';
import { pageResponse } from './page-response.js';

/** Members and invites of a community. */
@Controller()
export class MembersController {
  @Serves(endpoints.listMembers)
  async list(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listMembers>,
  ): Promise<ListResponse<Member>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listMembers(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.setRole)
  setRole(@Caller() ctx: Context, @Input() { params, body }: InputOf<typeof endpoints.setRole>): Promise<Member> {
    return setRole(ctx, { ...params, role: body.role });
  }

  @Serves(endpoints.removeMember)
  remove(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.removeMember>): Promise<Member> {
    return removeMember(ctx, params);
  }

  @Serves(endpoints.listInvites)
  async invites(
    @Caller() ctx: Context,
    @Input() { params, query }: InputOf<typeof endpoints.listInvites>,
  ): Promise<ListResponse<Invite>> {
    return pageResponse(await readFromReplica(ctx, (ctx) => listInvites(ctx, { ...query, ...params })));
  }

  @Serves(endpoints.createInvite)
  invite(
    @Caller() ctx: Context,
    @Input() { params, body }: InputOf<typeof endpoints.createInvite>,
  ): Promise<CreatedInvite> {
    return createInvite(ctx, { ...params, role: body.role, days: body.ttl });
  }

  @Serves(endpoints.revokeInvite)
  withdraw(@Caller() ctx: Context, @Input() { params }: InputOf<typeof endpoints.revokeInvite>): Promise<Invite> {
    return revokeInvite(ctx, params);
  }
}
