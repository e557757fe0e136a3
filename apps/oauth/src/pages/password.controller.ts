import { changePassword, resetPassword, startPasswordReset } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { passwordChangedLetter, resetLetter } from '../mail/letters.js';
import { email, form, hidden, password } from './form.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { alarm, card } from './layout.js';
import { fromLink, inLink } from './mail-links.js';
import { noMailPage, spentLinkPage } from './mail-pages.js';
import type { Complaint } from './page-faults.js';
import { complaintOf, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { Visit } from './visit.js';
import { Visits } from './visits.js';

const changing = { form: 'change password' };
const forgetting = { form: 'forgot password' };
const resetting = (token: string) => ({ form: 'reset password', bound: [['token', token]] as const });

@Controller()
export class PasswordController {
  constructor(private readonly visits: Visits) {}

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
      visit.page(200, lookIntoMailPage(to));
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
      visit.goTo(withReturn('/id/sign-in?notice=reset', visit.returnTo));
    } catch (error) {
      const complaint = complaintOf(error);
      if (complaint.status === 400 && !complaint.field && visit.body.get('password'))
        showSpent(visit, complaint.message);
      else visit.page(complaint.status, resetPage(visit, given, complaint), complaint.headers);
    }
  }

  private tell(visit: Visit, to: string | null): void {
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

function changePage(visit: Visit, complaint?: Complaint): Body {
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

function forgotPage(visit: Visit, complaint?: Complaint): Body {
  const title = 'Choose a new password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">Tell us your email, and we send you a link.</p>`,
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

const lookIntoMailPage = (to: string): Body => ({
  title: 'Look into your mail',
  body: card(
    html`<h1>Look into your mail</h1>
      <p>If there is an account for <strong>${to}</strong>, a link is on its way. It works for an hour.</p>
      <p class="soft">Nothing there after a few minutes? Look among the unwanted mail, or try another address.</p>`,
  ),
});

function resetPage(visit: Visit, token: string, complaint?: Complaint): Body {
  const title = 'Choose a new password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">You are then signed out everywhere, and sign in with it.</p>`,
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

const showSpent = (visit: Visit, message = 'The link is not complete: copy all of it from the mail.'): void =>
  spentLinkPage(visit, {
    message,
    again: withReturn('/id/password/forgot', visit.returnTo),
    button: 'Send me another link',
  });
