import { changePassword, resetPassword, revokeTokensOfUser, startPasswordReset } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { passwordChangedLetter, resetLetter } from '../mail/letters.js';
import { ownTokensOf } from './account-things.js';
import { email, form, hidden, password } from './form.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { alarm, card, notice, warning } from './layout.js';
import { fromLink, inLink } from './mail-links.js';
import { mailPage, noMailPage, spentLinkPage } from './mail-pages.js';
import type { Complaint } from './page-faults.js';
import { complaintOf, incomplete } from './page-faults.js';
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
  constructor(private readonly visits: PageRequests) {}

  @ShowsPage('/id/password')
  async showChange(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (!visit.signedIn) {
      visit.goTo(withReturn('/id/sign-in', '/id/password'));
      return;
    }
    visit.page(200, changePage(visit));
  }

  @TakesForm('/id/password')
  async change(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const here = visit.signedIn;
    if (!here) {
      visit.goTo(withReturn('/id/sign-in', '/id/password'));
      return;
    }
    try {
      visit.mustBeOurs(changing);
      const [current, next] = [visit.body.get('current'), visit.body.get('password')];
      if (!current || !next) throw incomplete('Enter your password and a new one');
      await changePassword(visit.ctx, { userId: here.user.id, current, next, keepSessionId: here.session.id });
      this.tell(visit, here.user.email);
      visit.goTo('/id/?notice=password');
    } catch (error) {
      const complaint = complaintOf(error);
      visit.page(complaint.status, changePage(visit, complaint), complaint.headers);
    }
  }

  @ShowsPage('/id/password/forgot')
  async showForgot(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (!this.visits.mailer.reachesPeople) noMailPage(visit, 'Choose a new password');
    else visit.page(200, forgotPage(visit));
  }

  @TakesForm('/id/password/forgot')
  async forgot(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (!this.visits.mailer.reachesPeople) {
      noMailPage(visit, 'Choose a new password');
      return;
    }
    try {
      visit.mustBeOurs(forgetting);
      const to = visit.body.get('email')?.trim();
      if (!to) throw incomplete('Enter your email');
      const started = await startPasswordReset(visit.ctx, to, visit.address);
      if (started) {
        const path = withReturn(`/id/password/reset?token=${inLink(started.token)}`, visit.returnTo);
        this.visits.writeTo(visit, started.userId, resetLetter, path);
      }
      visit.page(200, askedPage(this.visits.mailer.hasServer, to));
    } catch (error) {
      const complaint = complaintOf(error);
      visit.page(complaint.status, forgotPage(visit, complaint), complaint.headers);
    }
  }

  @ShowsPage('/id/password/reset')
  async showReset(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const token = visit.query.get('token');
    if (token === undefined || !fromLink('rst', token)) {
      showSpent(visit);
      return;
    }
    visit.page(200, resetPage(visit, token));
  }

  @TakesForm('/id/password/reset')
  async reset(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const given = visit.body.get('token');
    const token = fromLink('rst', given);
    if (token === undefined || given === undefined) {
      showSpent(visit);
      return;
    }
    try {
      visit.mustBeOurs(resetting(given));
      const chosen = visit.body.get('password');
      if (!chosen) throw incomplete('Enter a new password');
      const user = await resetPassword(visit.ctx, { token, password: chosen, address: visit.address });
      this.tell(visit, user.email);
      await visit.signOut();
      const tokens = user.accountId === null ? [] : await ownTokensOf(visit.ctx, user.accountId);
      if (tokens.length === 0) visit.goTo(withReturn('/id/sign-in?notice=reset', visit.returnTo));
      else visit.page(200, tokensLeftPage(visit, user.id, tokens.length));
    } catch (error) {
      const complaint = complaintOf(error);
      if (complaint.status === 400 && !complaint.field && visit.body.get('password'))
        showSpent(visit, complaint.message);
      else visit.page(complaint.status, resetPage(visit, given, complaint), complaint.headers);
    }
  }

  /** The seal of the form proves that this browser has just reset the password of this user. */
  @TakesForm('/id/password/reset/revoke-tokens')
  async revokeTokens(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const userId = visit.body.get('user') ?? '';
    try {
      visit.mustBeOurs(revoking(userId));
      await revokeTokensOfUser(visit.ctx, userId);
      visit.goTo(withReturn('/id/sign-in?notice=reset-revoked', visit.returnTo));
    } catch (error) {
      const { status, message, headers } = complaintOf(error);
      visit.page(status, tokensKeptPage(visit, message), headers);
    }
  }

  private tell(visit: PageRequest, to: string | null): void {
    if (to) this.visits.write(visit, to, passwordChangedLetter, '/id/password/forgot');
  }
}

interface Body {
  title: string;
  body: Html;
}

const newPassword = (label: string, complaint: Complaint | undefined): Html =>
  password({
    label,
    autocomplete: 'new-password',
    minlength: 8,
    fault: complaint?.field === 'password' ? complaint.message : undefined,
    hint: 'At least 8 characters. A sentence is easier to remember than a riddle.',
  });

function changePage(visit: PageRequest, complaint?: Complaint): Body {
  const title = 'Change your password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">You stay signed in here, and are signed out everywhere else.</p>`,
      complaint && !complaint.field && alarm(complaint.message),
      form(
        { action: '/id/password', token: visit.sealed(changing) },
        html`<input
          type="email"
          name="username"
          autocomplete="username"
          readonly
          hidden
          value="${visit.signedIn?.user.email}"
        />`,
        password({
          name: 'current',
          label: 'Your password now',
          fault: complaint?.field === 'current' ? complaint.message : undefined,
          autofocus: !complaint,
        }),
        newPassword('New password', complaint),
        html`<div class="actions">
          <button class="main">Change password</button>
          <a class="button plain" href="/id/">Cancel</a>
        </div>`,
      ),
    ),
  };
}

function forgotPage(visit: PageRequest, complaint?: Complaint): Body {
  const title = 'Choose a new password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">Enter your email, and we send you a link.</p>`,
      complaint && alarm(complaint.message),
      form(
        { action: '/id/password/forgot', token: visit.sealed(forgetting), returnTo: visit.returnTo },
        email({ value: visit.body.get('email'), autofocus: true }),
        html`<div class="actions"><button class="main">Send me a link</button></div>`,
      ),
      html`<div class="links">
        <p><a href="${withReturn('/id/sign-in', visit.returnTo)}">Back to sign in</a></p>
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

function tokensLeftPage(visit: PageRequest, userId: string, tokens: number): Body {
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
            Tokens do not depend on your password. If somebody else may have used your account, revoke all of them.
          </p>`,
      ),
      form(
        {
          action: '/id/password/reset/revoke-tokens',
          token: visit.sealed(revoking(userId)),
          returnTo: visit.returnTo,
        },
        hidden('user', userId),
        html`<div class="actions">
          <button>Revoke all tokens</button>
          <a class="button main" href="${withReturn('/id/sign-in?notice=reset', visit.returnTo)}"
            >Keep them and sign in</a
          >
        </div>`,
      ),
    ),
  };
}

function tokensKeptPage(visit: PageRequest, message: string): Body {
  const title = 'No token was revoked';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>`,
      alarm(message),
      html`<p>Your new password is set. Sign in with it: your account page lists all tokens and revokes them.</p>
        <a class="button main" href="${withReturn('/id/sign-in', visit.returnTo)}">Sign in</a>`,
    ),
  };
}

function resetPage(visit: PageRequest, token: string, complaint?: Complaint): Body {
  const title = 'Choose a new password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">You are then signed out everywhere. Sign in with the new password.</p>`,
      complaint && !complaint.field && alarm(complaint.message),
      form(
        { action: '/id/password/reset', token: visit.sealed(resetting(token)), returnTo: visit.returnTo },
        hidden('token', token),
        newPassword('New password', complaint),
        html`<div class="actions"><button class="main">Set password</button></div>`,
      ),
    ),
  };
}

const showSpent = (visit: PageRequest, message = 'The link is incomplete: copy all of it from the mail.'): void =>
  spentLinkPage(visit, {
    message,
    again: withReturn('/id/password/forgot', visit.returnTo),
    button: 'Send me another link',
  });
