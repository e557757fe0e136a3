import { confirmSignUp, startSignUp } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { confirmationMail } from '../mail/mails.js';
import { email, form, hidden, password } from './form.js';
import { type Html, html } from './html.js';
import { alarm, card } from './layout.js';
import { fromLink, inLink } from './mail-links.js';
import { mailPage, noMailPage, invalidLinkPage } from './mail-pages.js';
import { type FormError, toFormError, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const place = { form: 'sign-up' };
const confirming = (token: string) => ({ form: 'confirm sign-up', bound: [['token', token]] as const });

@Controller()
export class SignUpController {
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage('/id/sign-up')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!this.pages.mailer.canDeliver) noMailPage(page, 'Create an account');
    else showForm(page);
  }

  @TakesForm('/id/sign-up')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (!this.pages.mailer.canDeliver) {
      noMailPage(page, 'Create an account');
      return;
    }
    try {
      page.verifyForm(place);
      const [to, chosen] = [page.body.get('email')?.trim(), page.body.get('password')];
      if (!to || !chosen) throw incomplete('Enter your email and a password');
      const started = await startSignUp(page.ctx, { email: to, password: chosen, address: page.address });
      if (started) {
        const path = withReturn(`/id/sign-up/confirm?token=${inLink(started.token)}`, page.returnTo);
        this.pages.sendMail(page, to, confirmationMail, path);
      }
      page.show(200, askedPage(page, this.pages.mailer.hasServer, to));
    } catch (error) {
      showForm(page, toFormError(error));
    }
  }

  /** Shows a button, because mail scanners follow links, and this link works once. */
  @ShowsPage('/id/sign-up/confirm')
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const token = page.query.get('token');
    if (fromLink('sup', token) === undefined || token === undefined) {
      showSpent(page);
      return;
    }
    page.show(200, confirmPage(page, token));
  }

  @TakesForm('/id/sign-up/confirm')
  async confirm(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const given = page.body.get('token');
    const token = fromLink('sup', given);
    if (token === undefined || given === undefined) {
      showSpent(page);
      return;
    }
    try {
      page.verifyForm(confirming(given));
      await confirmSignUp(page.ctx, token);
      page.redirect(withReturn('/id/sign-in?notice=confirmed', page.returnTo));
    } catch (error) {
      const { status, message, headers } = toFormError(error);
      if (status === 400) showSpent(page, message);
      else page.show(status, confirmPage(page, given, message), headers);
    }
  }
}

function showForm(page: PageRequest, formError?: FormError): void {
  const { returnTo } = page;
  const wrong = (field: string) => (formError?.field === field ? formError.message : undefined);
  const title = 'Create an account';
  page.show(
    formError?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">One account for the tools, the API and the command line.</p>`,
        formError && !formError.field && alarm(formError.message),
        form(
          { action: '/id/sign-up', token: page.sealed(place), returnTo },
          email({ value: page.body.get('email'), fault: wrong('email'), autofocus: !formError }),
          password({
            autocomplete: 'new-password',
            fault: wrong('password'),
            minlength: 8,
            hint: 'At least 8 characters. A sentence is easy to remember.',
          }),
          html`<div class="actions"><button class="main">Create account</button></div>`,
        ),
        html`<div class="links">
          <p>You already have one? <a href="${withReturn('/id/sign-in', returnTo)}">Sign in</a></p>
        </div>`,
      ),
    },
    formError?.headers,
  );
}

const askedPage = (page: PageRequest, hasServer: boolean, to: string): { title: string; body: Html } =>
  mailPage(hasServer, {
    to,
    sent: html`We are sending a link to <strong>${to}</strong>. Open it within a day to finish.`,
    hint: html`If you already have an account, there is no link:
      <a href="${withReturn('/id/sign-in', page.returnTo)}">sign in</a> or
      <a href="${withReturn('/id/password/forgot', page.returnTo)}">choose a new password</a>.`,
  });

function confirmPage(page: PageRequest, token: string, fault?: string): { title: string; body: Html } {
  const title = 'Confirm your email';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">One click, and your account is ready.</p>`,
      fault && alarm(fault),
      form(
        { action: '/id/sign-up/confirm', token: page.sealed(confirming(token)), returnTo: page.returnTo },
        hidden('token', token),
        html`<button class="main" autofocus>Confirm my email</button>`,
      ),
    ),
  };
}

const showSpent = (page: PageRequest, message = 'The link is incomplete: copy all of it from the mail.'): void =>
  invalidLinkPage(page, { message, again: withReturn('/id/sign-up', page.returnTo), button: 'Sign up again' });
