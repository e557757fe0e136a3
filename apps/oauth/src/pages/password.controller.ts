import { changePassword, resetPassword, revokeTokensOfUser, startPasswordReset } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { passwordChangedMail, passwordResetMail } from '../mail/mails.js';
import { listOwnTokens } from './own-tokens.js';
import { fromLink, inLink } from './mail-links.js';
import { noMailPage } from './mail-pages.js';
import { toFormError, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';
import {
  askedPage,
  changePage,
  changing,
  forgetting,
  forgotPage,
  resetPage,
  resetting,
  revoking,
  showSpent,
  tokensKeptPage,
  tokensLeftPage,
} from './password-pages.js';

@Controller()
export class PasswordController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage('/id/password')
  async showChange(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!page.signedIn) {
      page.redirect(withReturn('/id/sign-in', '/id/password'));
      return;
    }
    page.show(200, changePage(page));
  }

  @TakesForm('/id/password')
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const here = page.signedIn;
    if (!here) {
      page.redirect(withReturn('/id/sign-in', '/id/password'));
      return;
    }
    try {
      page.verifyForm(changing);
      const [current, next] = [page.body.get('current'), page.body.get('password')];
      if (!current || !next) throw incomplete('Enter your password and a new one');
      await changePassword(page.ctx, { userId: here.user.id, current, next, keepSessionId: here.session.id });
      this.tell(page, here.user.email);
      page.redirect('/id/?notice=password');
    } catch (error) {
      const formError = toFormError(error);
      page.show(formError.status, changePage(page, formError), formError.headers);
    }
  }

  @ShowsPage('/id/password/forgot')
  async showForgot(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!this.pages.mailer.canDeliver) noMailPage(page, 'Choose a new password');
    else page.show(200, forgotPage(page));
  }

  @TakesForm('/id/password/forgot')
  async forgot(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!this.pages.mailer.canDeliver) {
      noMailPage(page, 'Choose a new password');
      return;
    }
    try {
      page.verifyForm(forgetting);
      const to = page.body.get('email')?.trim();
      if (!to) throw incomplete('Enter your email');
      const started = await startPasswordReset(page.ctx, to, page.address);
      if (started) {
        const path = withReturn(`/id/password/reset?token=${inLink(started.token)}`, page.returnTo);
        this.pages.sendMailToUser(page, started.userId, passwordResetMail, path);
      }
      page.show(200, askedPage(this.pages.mailer.hasServer, to));
    } catch (error) {
      const formError = toFormError(error);
      page.show(formError.status, forgotPage(page, formError), formError.headers);
    }
  }

  @ShowsPage('/id/password/reset')
  async showReset(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const token = page.query.get('token');
    if (token === undefined || !fromLink('rst', token)) {
      showSpent(page);
      return;
    }
    page.show(200, resetPage(page, token));
  }

  @TakesForm('/id/password/reset')
  async reset(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const given = page.body.get('token');
    const token = fromLink('rst', given);
    if (token === undefined || given === undefined) {
      showSpent(page);
      return;
    }
    try {
      page.verifyForm(resetting(given));
      const chosen = page.body.get('password');
      if (!chosen) throw incomplete('Enter a new password');
      const user = await resetPassword(page.ctx, { token, password: chosen, address: page.address });
      this.tell(page, user.email);
      await page.signOut();
      const tokens = user.accountId === null ? [] : await listOwnTokens(page.ctx, user.accountId);
      if (tokens.length === 0) page.redirect(withReturn('/id/sign-in?notice=reset', page.returnTo));
      else page.show(200, tokensLeftPage(page, user.id, tokens.length));
    } catch (error) {
      const formError = toFormError(error);
      if (formError.status === 400 && !formError.field && page.body.get('password')) showSpent(page, formError.message);
      else page.show(formError.status, resetPage(page, given, formError), formError.headers);
    }
  }

  /** The CSRF token of the form proves that this browser has just reset the password of this user. */
  @TakesForm('/id/password/reset/revoke-tokens')
  async revokeTokens(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const userId = page.body.get('user') ?? '';
    try {
      page.verifyForm(revoking(userId));
      await revokeTokensOfUser(page.ctx, userId);
      page.redirect(withReturn('/id/sign-in?notice=reset-revoked', page.returnTo));
    } catch (error) {
      const { status, message, headers } = toFormError(error);
      page.show(status, tokensKeptPage(page, message), headers);
    }
  }

  private tell(page: PageRequest, to: string | null): void {
    if (to) this.pages.sendMail(page, to, passwordChangedMail, '/id/password/forgot');
  }
}
