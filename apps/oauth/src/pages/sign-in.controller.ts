import { signIn } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { email, form, password } from './form.js';
import { html } from './html.js';
import { alarm, card, notice } from './layout.js';
import type { FormError } from './page-faults.js';
import { formErrorOf, incomplete } from './page-faults.js';
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
  constructor(private readonly pages: PageRequests) {}

  @ShowsPage('/id/sign-in')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    if (page.signedIn) page.redirect(onward(page));
    else showForm(page);
  }

  @TakesForm('/id/sign-in')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    try {
      page.verifyForm(place);
      await signInWith(page);
      page.redirect(onward(page));
    } catch (error) {
      showForm(page, formErrorOf(error));
    }
  }

  @TakesForm('/id/sign-out')
  async leave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    try {
      page.verifyForm(leaving);
      await page.signOut();
      page.redirect('/id/sign-in?notice=out');
    } catch (error) {
      const { status, message, headers } = formErrorOf(error);
      const title = 'Sign out';
      page.show(status, { title, body: card(html`<h1>${title}</h1>`, alarm(message), signOutForm(page)) }, headers);
    }
  }
}

/** Checks the email and password of the form, and opens a session. */
export async function signInWith(page: PageRequest): Promise<void> {
  const [givenEmail, givenPassword] = [page.body.get('email'), page.body.get('password')];
  if (!givenEmail || !givenPassword) throw incomplete('Enter your email and your password');
  const user = await signIn(page.ctx, { email: givenEmail, password: givenPassword, address: page.address });
  await page.signIn(user);
}

export const signOutForm = (page: PageRequest) =>
  form({ action: '/id/sign-out', token: page.sealed(leaving) }, html`<button class="plain">Sign out</button>`);

/** The path after a sign-in: the choice of a handle, if there is none yet. */
export const onward = (page: PageRequest): string =>
  page.signedIn && !page.signedIn.account ? withReturn('/id/handle', page.returnTo) : (page.returnTo ?? '/id/');

function showForm(page: PageRequest, formError?: FormError): void {
  const { returnTo } = page;
  const said = notices[page.query.get('notice') ?? ''];
  const title = 'Sign in';
  page.show(
    formError?.status ?? 200,
    {
      title,
      body: card(
        html`<h1>${title}</h1>
          <p class="lead">Good to see you.</p>`,
        formError ? alarm(formError.message) : said && notice(said),
        form(
          { action: '/id/sign-in', token: page.sealed(place), returnTo },
          email({ value: page.body.get('email'), autofocus: !formError }),
          password({ autofocus: formError !== undefined }),
          html`<div class="actions"><button class="main">Sign in</button></div>`,
        ),
        html`<div class="links">
          <p><a href="${withReturn('/id/password/forgot', returnTo)}">Forgot your password?</a></p>
          <p><a href="${withReturn('/id/sign-up', returnTo)}">Create an account</a></p>
        </div>`,
      ),
    },
    formError?.headers,
  );
}
