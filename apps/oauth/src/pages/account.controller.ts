import { HttpFault } from '@lensforge/edge';
import { endSession, personalTokenKinds, revokeToken, revokeTokens, signOutElsewhere } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountPage } from './account-page.js';
import { openSessionsOf, ownTokensOf } from './account-things.js';
import type { FormPlace } from './form-seal.js';
import type { Complaint } from './page-faults.js';
import { complaintOf } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const notices: Readonly<Record<string, string>> = {
  password: 'Your password is changed, and you are signed out everywhere else. Programs below keep their tokens.',
  revoked: 'The token is revoked. Nothing accepts it any more.',
  'all-revoked': 'All tokens are revoked. Nothing accepts them any more.',
  ended: 'The session is ended.',
  alone: 'You are signed out everywhere else.',
};

@Controller()
export class AccountController {
  constructor(private readonly visits: PageRequests) {}

  /** Nest takes the slash off the end of a path, so the account's own stands here together with all that is unknown. */
  @ShowsPage('/id', '/id/*')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!/^\/id\/?$/.test(pathOf(request))) throw new HttpFault(404, 'not_found', 'There is no such page');
    const visit = await this.visits.open(request, reply);
    if (!visit.signedIn) visit.goTo('/id/sign-in');
    else await showAccount(visit);
  }

  @TakesForm('/id/sessions/end')
  end(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'end session', 'ended', async ({ visit, userId, id }) => {
      const mine = await openSessionsOf(visit.ctx, userId);
      if (mine.some((session) => session.id === id)) await endSession(visit.ctx, id);
    });
  }

  @TakesForm('/id/sessions/end-others')
  endOthers(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'end other sessions', 'alone', async ({ visit, userId, sessionId }) => {
      await signOutElsewhere(visit.ctx, { userId, keepSessionId: sessionId });
    });
  }

  @TakesForm('/id/tokens/revoke')
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'revoke token', 'revoked', async ({ visit, id }) => {
      if (uuid.test(id)) await revokeToken(visit.ctx, { tokenId: id });
    });
  }

  @TakesForm('/id/tokens/revoke-all')
  revokeAll(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, 'revoke all tokens', 'all-revoked', async ({ visit }) => {
      await revokeTokens(visit.ctx, { kinds: personalTokenKinds });
    });
  }

  private async act(
    request: FastifyRequest,
    reply: FastifyReply,
    form: string,
    notice: string,
    work: (on: { visit: PageRequest; userId: string; sessionId: string; id: string }) => Promise<void>,
  ): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const here = visit.signedIn;
    if (!here) {
      visit.goTo(withReturn('/id/sign-in', '/id/'));
      return;
    }
    try {
      const id = visit.body.get('id') ?? '';
      visit.mustBeOurs(thing(form, id));
      await work({ visit, userId: here.user.id, sessionId: here.session.id, id });
      visit.goTo(`/id/?notice=${notice}`);
    } catch (error) {
      await showAccount(visit, complaintOf(error));
    }
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

const thing = (form: string, id: string): FormPlace => ({ form, bound: [['id', id]] });

async function showAccount(visit: PageRequest, complaint?: Complaint): Promise<void> {
  const here = visit.signedIn;
  if (!here) {
    visit.goTo('/id/sign-in');
    return;
  }
  const [sessions, tokens] = [
    await openSessionsOf(visit.ctx, here.user.id),
    here.account ? await ownTokensOf(visit.ctx, here.account.id) : [],
  ];
  visit.page(
    complaint?.status ?? 200,
    accountPage({
      here,
      sessions,
      tokens,
      now: visit.ctx.now(),
      said: notices[visit.query.get('notice') ?? ''],
      complaint,
      sealed: (form, id = '') => visit.sealed(thing(form, id)),
      signOutToken: visit.sealed({ form: 'sign-out' }),
    }),
    complaint?.headers,
  );
}
