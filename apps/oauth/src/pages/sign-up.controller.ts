import { confirmSignUp, startSignUp } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { confirmationLetter } from '../mail/letters.js';
import { email, form, hidden, password } from './form.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { alarm, card } from './layout.js';
import { fromLink, inLink } from './mail-links.js';
import { mailPage, noMailPage, spentLinkPage } from './mail-pages.js';
import type { Complaint } from './page-faults.js';
import { complaintOf, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const place = { form: 'sign-up' };
const confirming = (token: string) => ({ form: 'confirm sign-up', bound: [['token', token]] as const });

@Controller()
export class SignUpController {
  constructor(private readonly visits: PageRequests) {}

  @ShowsPage('/id/sign-up')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (!this.visits.mailer.reachesPeople) noMailPage(visit, 'Create an account');
    else showForm(visit);
  }

  @TakesForm('/id/sign-up')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (!this.visits.mailer.reachesPeople) {
      noMailPage(visit, 'Create an account');
      return;
    }
    try {
      visit.mustBeOurs(place);
      const [to, chosen] = [visit.body.get('email')?.trim(), visit.body.get('password')];
      if (!to || !chosen) throw incomplete('Enter your email and a password');
      const started = await startSignUp(visit.ctx, { email: to, password: chosen, address: visit.address });
      if (started) {
        const path = withReturn(`/id/sign-up/confirm?token=${inLink(started.token)}`, visit.returnTo);
        this.visits.write(visit, to, confirmationLetter, path);
      }
      visit.page(200, askedPage(visit, this.visits.mailer.hasServer, to));
    } catch (error) {
      showForm(visit, complaintOf(error));
    }
  }

  /** A button, because mail scanners follow links, and this one works once. */
  @ShowsPage('/id/sign-up/confirm')
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const token = visit.query.get('token');
    if (fromLink('sup', token) === undefined || token === undefined) {
      showSpent(visit);
      return;
    }
    visit.page(200, confirmPage(visit, token));
  }

  @TakesForm('/id/sign-up/confirm')
  async confirm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    const given = visit.body.get('token');
    const token = fromLink('sup', given);
    if (token === undefined || given === undefined) {
      showSpent(visit);
      return;
    }
    try {
      visit.mustBeOurs(confirming(given));
      await confirmSignUp(visit.ctx, token);
      visit.goTo(withReturn('/id/sign-in?notice=confirmed', visit.returnTo));
    } catch (error) {
      const { status, message, headers } = complaintOf(error);
      if (status === 400) showSpent(visit, message);
      else visit.page(status, confirmPage(visit, given, message), headers);
    }
  }
}

function showForm(visit: PageRequest, complaint?: Complaint): void {
  const { returnTo } = visit;
  const wrong = (field: string) => (complaint?.field === field ? complaint.message : undefined);
  const title = 'Create an account';
  visit.page(
    complaint?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">One account for the tools, the API and the command line.</p>`,
        complaint && !complaint.field && alarm(complaint.message),
        form(
          { action: '/id/sign-up', token: visit.sealed(place), returnTo },
          email({ value: visit.body.get('email'), fault: wrong('email'), autofocus: !complaint }),
          password({
            autocomplete: 'new-password',
            fault: wrong('password'),
            minlength: 8,
            hint: 'At least 8 characters. A sentence is easier to remember than a riddle.',
          }),
          html`<div class="actions"><button class="main">Create account</button></div>`,
        ),
        html`<div class="links">
          <p>You already have one? <a href="${withReturn('/id/sign-in', returnTo)}">Sign in</a></p>
        </div>`,
      ),
    },
    complaint?.headers,
  );
}

const askedPage = (visit: PageRequest, hasServer: boolean, to: string): { title: string; body: Html } =>
  mailPage(hasServer, {
    to,
    sent: html`We are sending a link to <strong>${to}</strong>. Open it within a day to finish.`,
    hint: html`If you already have an account, there is no link:
      <a href="${withReturn('/id/sign-in', visit.returnTo)}">sign in</a> or
      <a href="${withReturn('/id/password/forgot', visit.returnTo)}">choose a new password</a>.`,
  });

function confirmPage(visit: PageRequest, token: string, fault?: string): { title: string; body: Html } {
  const title = 'Confirm your email';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">One click, and your account is ready.</p>`,
      fault && alarm(fault),
      form(
        { action: '/id/sign-up/confirm', token: visit.sealed(confirming(token)), returnTo: visit.returnTo },
        hidden('token', token),
        html`<button class="main" autofocus>Confirm my email</button>`,
      ),
    ),
  };
}

const showSpent = (visit: PageRequest, message = 'The link is incomplete: copy all of it from the mail.'): void =>
  spentLinkPage(visit, { message, again: withReturn('/id/sign-up', visit.returnTo), button: 'Sign up again' });
