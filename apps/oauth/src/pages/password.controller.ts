import { changePassword, resetPassword, revokeTokensOfUser, startPasswordReset } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { passwordChangedMail, passwordResetMail } from '../mail/mails.js';
import { ownTokensOf } from './account-lists.js';
import { email, form, hidden, password } from './form.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { alarm, card, notice, warning } from './layout.js';
import { fromLink, inLink } from './mail-links.js';
import { mailPage, noMailPage, invalidLinkPage } from './mail-pages.js';
import type { FormError } from './page-faults.js';
import { formErrorOf, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const changing = { form: 'change password' };
const forgetting = { form: 'forgot password' };
const resetting = (token: string) => ({ form: 'reset password', bound: [['token', token]] as const });
const revoking = (userId: string) => ({ form: 'revoke tokens after a reset', bound: [['user', userId]] as const });

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
      const formError = formErrorOf(error);
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
      const formError = formErrorOf(error);
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
      const tokens = user.accountId === null ? [] : await ownTokensOf(page.ctx, user.accountId);
      if (tokens.length === 0) page.redirect(withReturn('/id/sign-in?notice=reset', page.returnTo));
      else page.show(200, tokensLeftPage(page, user.id, tokens.length));
    } catch (error) {
      const formError = formErrorOf(error);
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
      const { status, message, headers } = formErrorOf(error);
      page.show(status, tokensKeptPage(page, message), headers);
    }
  }

  private tell(page: PageRequest, to: string | null): void {
    if (to) this.pages.sendMail(page, to, passwordChangedMail, '/id/password/forgot');
  }
}

interface Body {
  title: string;
  body: Html;
}

const newPassword = (label: string, formError: FormError | undefined): Html =>
  password({
    label,
    autocomplete: 'new-password',
    minlength: 8,
    fault: formError?.field === 'password' ? formError.message : undefined,
    hint: 'At least 8 characters. A sentence is easy to remember.',
  });

function changePage(page: PageRequest, formError?: FormError): Body {
  const title = 'Change your password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">You stay signed in here, and are signed out everywhere else.</p>`,
      formError && !formError.field && alarm(formError.message),
      form(
        { action: '/id/password', token: page.sealed(changing) },
        html`<input
          type="email"
          name="username"
          autocomplete="username"
          readonly
          hidden
          value="${page.signedIn?.user.email}"
        />`,
        password({
          name: 'current',
          label: 'Your password now',
          fault: formError?.field === 'current' ? formError.message : undefined,
          autofocus: !formError,
        }),
        newPassword('New password', formError),
        html`<div class="actions">
          <button class="main">Change password</button>
          <a class="button plain" href="/id/">Cancel</a>
        </div>`,
      ),
    ),
  };
}

function forgotPage(page: PageRequest, formError?: FormError): Body {
  const title = 'Choose a new password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">Enter your email, and we send you a link.</p>`,
      formError && alarm(formError.message),
      form(
        { action: '/id/password/forgot', token: page.sealed(forgetting), returnTo: page.returnTo },
        email({ value: page.body.get('email'), autofocus: true }),
        html`<div class="actions"><button class="main">Send me a link</button></div>`,
      ),
      html`<div class="links">
        <p><a href="${withReturn('/id/sign-in', page.returnTo)}">Back to sign in</a></p>
      </div>`,
    ),
  };
}

const askedPage = (hasServer: boolean, to: string): Body =>
  mailPage(hasServer, {
    to,
    sent: html`If there is an account for <strong>${to}</strong>, we are sending a link to it. It works for an hour.`,
    hint: html`There is a link only if the address has an account: try another address.`,
  });

function tokensLeftPage(page: PageRequest, userId: string, tokens: number): Body {
  const title = 'Your new password is set';
  const programs = tokens === 1 ? 'One program still has a token' : `${tokens} programs still have tokens`;
  return {
    title,
    body: card(
      html`<h1>${title}</h1>`,
      notice('You are signed out everywhere.'),
      warning(
        html`<strong>${programs} to act for you.</strong>
          <p>
            Tokens do not depend on your password. If another person may have used your account, revoke all of them.
          </p>`,
      ),
      form(
        {
          action: '/id/password/reset/revoke-tokens',
          token: page.sealed(revoking(userId)),
          returnTo: page.returnTo,
        },
        hidden('user', userId),
        html`<div class="actions">
          <button>Revoke all tokens</button>
          <a class="button main" href="${withReturn('/id/sign-in?notice=reset', page.returnTo)}"
            >Keep them and sign in</a
          >
        </div>`,
      ),
    ),
  };
}

function tokensKeptPage(page: PageRequest, message: string): Body {
  const title = 'No token was revoked';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>`,
      alarm(message),
      html`<p>Your new password is set. Sign in with it: your account page lists all tokens and revokes them.</p>
        <a class="button main" href="${withReturn('/id/sign-in', page.returnTo)}">Sign in</a>`,
    ),
  };
}

function resetPage(page: PageRequest, token: string, formError?: FormError): Body {
  const title = 'Choose a new password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">You are then signed out everywhere. Sign in with the new password.</p>`,
      formError && !formError.field && alarm(formError.message),
      form(
        { action: '/id/password/reset', token: page.sealed(resetting(token)), returnTo: page.returnTo },
        hidden('token', token),
        newPassword('New password', formError),
        html`<div class="actions"><button class="main">Set password</button></div>`,
      ),
    ),
  };
}

const showSpent = (page: PageRequest, message = 'The link is incomplete: copy all of it from the mail.'): void =>
  invalidLinkPage(page, {
    message,
    again: withReturn('/id/password/forgot', page.returnTo),
    button: 'Send me another link',
  });
