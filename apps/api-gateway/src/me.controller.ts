import {
  type AccountSummary,
  type ClosedAccount,
  type EndedSessions,
  type Me,
  type SessionItem,
  endpoints,
} from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { readBudget } from '@lensforge/credits';
import { withDbRetry } from '@lensforge/database';
import { Caller, Input, type InputOf, type ListResponse, Serves, sendLines } from '@lensforge/edge';
import { endOtherSessions, endOwnSession, listSessions, readMe, updateMe } from '@lensforge/identity';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { closeAccount } from './account/close-account.js';
import { exportAccount } from './account/export-account.js';
import { pageResponse } from './page-response.js';

@Controller()
export class MeController {
  @Serves(endpoints.getMe)
  async read(@Caller() ctx: Context): Promise<Me> {
    const [me, budget] = await withDbRetry(() => Promise.all([readMe(ctx), readBudget(ctx)]));
    return { ...me, ...(budget && { budget }) };
  }

  @Serves(endpoints.updateMe)
  update(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.updateMe>): Promise<AccountSummary> {
    return withDbRetry(() => updateMe(ctx, body));
  }

  @Serves(endpoints.exportMe)
  async export(@Caller() ctx: Context, @Res() reply: FastifyReply): Promise<void> {
    void reply.header('content-disposition', 'attachment; filename="lensforge-export.ndjson"');
    await sendLines(reply, exportAccount(ctx));
  }

  @Serves(endpoints.closeMe)
  close(@Caller() ctx: Context, @Input() { body }: InputOf<typeof endpoints.closeMe>): Promise<ClosedAccount> {
    return closeAccount(ctx, body);
  }

  @Serves(endpoints.listSessions)
  async sessions(
    @Caller() ctx: Context,
    @Input() { query }: InputOf<typeof endpoints.listSessions>,
  ): Promise<ListResponse<SessionItem>> {
    return pageResponse(await withDbRetry(() => listSessions(ctx, query)));
  }

  @Serves(endpoints.endOtherSessions)
  endOthers(@Caller() ctx: Context): Promise<EndedSessions> {
    return endOtherSessions(ctx);
  }

  @Serves(endpoints.endSession)
  endSession(
    @Caller() ctx: Context,
    @Input() { params }: InputOf<typeof endpoints.endSession>,
  ): Promise<EndedSessions> {
    return endOwnSession(ctx, params.sessionId);
  }
}
