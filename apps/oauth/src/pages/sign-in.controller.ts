import { signIn } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { email, form, password } from './form.js';
import { html } from './html.js';
import { alarm, card, notice } from './layout.js';
import type { Complaint } from './page-faults.js';
import { complaintOf, incomplete } from './page-faults.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const place = { form: 'sign-in' };
const leaving = { form: 'sign-out' };

const notices: Readonly<Record<string, string>> = {
  confirmed: 'Your email is confirmed. Sign in with the password that you chose.',
  reset: 'Your new password is set, and you are signed out everywhere. Sign in with it.',
  'reset-revoked': 'Your new password is set, and all tokens of programs are revoked. Sign in with it.',
  out: 'You are signed out.',
};

@Controller()
export class SignInController {
  constructor(private readonly visits: PageRequests) {}

  @ShowsPage('/id/sign-in')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    if (visit.signedIn) visit.goTo(onward(visit));
    else showForm(visit);
  }

  @TakesForm('/id/sign-in')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    try {
      visit.mustBeOurs(place);
      await signInWith(visit);
      visit.goTo(onward(visit));
    } catch (error) {
      showForm(visit, complaintOf(error));
    }
  }

  @TakesForm('/id/sign-out')
  async leave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const visit = await this.visits.open(request, reply);
    try {
      visit.mustBeOurs(leaving);
      await visit.signOut();
      visit.goTo('/id/sign-in?notice=out');
    } catch (error) {
      const { status, message, headers } = complaintOf(error);
      const title = 'Sign out';
      visit.page(status, { title, body: card(html`<h1>${title}</h1>`, alarm(message), signOutForm(visit)) }, headers);
    }
  }
}

/** Checks the email and password of the form, and opens a session for their user. */
export async function signInWith(visit: PageRequest): Promise<void> {
  const [givenEmail, givenPassword] = [visit.body.get('email'), visit.body.get('password')];
  if (!givenEmail || !givenPassword) throw incomplete('Enter your email and your password');
  const user = await signIn(visit.ctx, { email: givenEmail, password: givenPassword, address: visit.address });
  await visit.signIn(user);
}

export const signOutForm = (visit: PageRequest) =>
  form({ action: '/id/sign-out', token: visit.sealed(leaving) }, html`<button class="plain">Sign out</button>`);

/** A handle is needed for everything else, so it is asked for first. */
export const onward = (visit: PageRequest): string =>
  visit.signedIn && !visit.signedIn.account ? withReturn('/id/handle', visit.returnTo) : (visit.returnTo ?? '/id/');

function showForm(visit: PageRequest, complaint?: Complaint): void {
  const { returnTo } = visit;
  const said = notices[visit.query.get('notice') ?? ''];
  const title = 'Sign in';
  visit.page(
    complaint?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">Good to see you.</p>`,
        complaint ? alarm(complaint.message) : said && notice(said),
        form(
          { action: '/id/sign-in', token: visit.sealed(place), returnTo },
          email({ value: visit.body.get('email'), autofocus: !complaint }),
          password({ autofocus: complaint !== undefined }),
          html`<div class="actions"><button class="main">Sign in</button></div>`,
        ),
        html`<div class="links">
          <p><a href="${withReturn('/id/password/forgot', returnTo)}">Forgot your password?</a></p>
          <p><a href="${withReturn('/id/sign-up', returnTo)}">Create an account</a></p>
        </div>`,
      ),
    },
    complaint?.headers,
  );
}
