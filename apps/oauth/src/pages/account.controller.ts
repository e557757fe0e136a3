import { HttpFault } from '@lensforge/edge';
import {
  endOtherSessions,
  endOwnSession,
  listSessions,
  personalTokenKinds,
  revokeToken,
  revokeTokens,
} from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountPage } from './account-page.js';
import type { FormPurpose } from './form-seal.js';
import { type FormError, toFormError } from './page-faults.js';
import { maxShown, listOwnTokens } from './own-tokens.js';
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
  constructor(private readonly pages: PageRequests) {}

  /** Nest removes a trailing slash from paths, so this route serves the account page and refuses unknown paths. */
  @ShowsPage('/id', '/id/*')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!/^\/id\/?$/.test(getPath(request))) throw new HttpFault(404, 'not_found', 'There is no such page');
    const page = await this.pages.open(request, reply);
    if (!page.signedIn) page.redirect('/id/sign-in');
    else await this.showAccount(page);
  }

  @TakesForm('/id/sessions/end')
  end(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, { form: 'end session', notice: 'ended' }, async ({ page, id }) => {
      if (uuid.test(id)) await endOwnSession(page.ctx, id);
    });
  }

  @TakesForm('/id/sessions/end-others')
  endOthers(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, { form: 'end other sessions', notice: 'alone' }, async ({ page }) => {
      await endOtherSessions(page.ctx);
    });
  }

  @TakesForm('/id/tokens/revoke')
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, { form: 'revoke token', notice: 'revoked' }, async ({ page, id }) => {
      if (uuid.test(id)) await revokeToken(page.ctx, { tokenId: id });
    });
  }

  @TakesForm('/id/tokens/revoke-all')
  revokeAll(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.act(request, reply, { form: 'revoke all tokens', notice: 'all-revoked' }, async ({ page }) => {
      await revokeTokens(page.ctx, { kinds: personalTokenKinds });
    });
  }

  private async act(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, notice }: { form: string; notice: string },
    work: (on: { page: PageRequest; id: string }) => Promise<void>,
  ): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!page.signedIn) {
      page.redirect(withReturn('/id/sign-in', '/id/'));
      return;
    }
    try {
      const id = page.body.get('id') ?? '';
      page.verifyForm(thing(form, id));
      await work({ page, id });
      page.redirect(`/id/?notice=${notice}`);
    } catch (error) {
      await this.showAccount(page, toFormError(error));
    }
  }

  private async showAccount(page: PageRequest, formError?: FormError): Promise<void> {
    const here = page.signedIn;
    if (!here) {
      page.redirect('/id/sign-in');
      return;
    }
    const [{ items: sessions }, tokens] = [
      await listSessions(page.ctx, { limit: maxShown }),
      here.account ? await listOwnTokens(page.ctx, here.account.id) : [],
    ];
    page.show(
      formError?.status ?? 200,
      accountPage({
        here,
        sessions,
        tokens,
        now: page.ctx.now(),
        said: notices[page.query.get('notice') ?? ''],
        formError,
        sealed: (form, id = '') => page.sealed(thing(form, id)),
        signOutToken: page.sealed({ form: 'sign-out' }),
        consoleUrl: this.pages.consoleUrl,
      }),
      formError?.headers,
    );
  }
}

const getPath = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

const thing = (form: string, id: string): FormPurpose => ({ form, bound: [['id', id]] });
