import { User, passkeyOptions, signIn, signInWithCode, signInWithPasskey } from '@lensforge/identity';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { email, form, password } from './form.js';
import { type Html, html } from './html.js';
import { alarm, card, notice } from './layout.js';
import { type FormError, FormRefused, toFormError, incomplete } from './page-faults.js';
import { codePath, showCodeForm, withCode } from './code-page.js';
import { ShowsPage, TakesForm } from './page-routes.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';
import { PageRequests } from './page-requests.js';

const place = { form: 'sign-in' };
const withPasskey = { form: 'sign-in with a passkey' };
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
    else await showForm(page);
  }

  @TakesForm('/id/sign-in')
  async take(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    try {
      page.verifyForm(place);
      if (await signInWith(page, page.returnTo)) page.redirect(onward(page));
    } catch (error) {
      await showForm(page, toFormError(error));
    }
  }

  @TakesForm('/id/sign-in/passkey')
  async takePasskey(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    try {
      page.verifyForm(withPasskey);
      const response = page.body.get('response') ?? '';
      const user = await signInWithPasskey(page.ctx, { ...page.passkeyChallenge(), response, address: page.address });
      await page.signIn(user);
      page.redirect(onward(page));
    } catch (error) {
      await showForm(page, toFormError(error));
    }
  }

  @TakesForm(codePath)
  async takeCode(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.pages.open(request, reply);
    const userId = page.body.get('user') ?? '';
    try {
      page.verifyForm(withCode(userId));
      const user = await page.ctx.db.findOneByOrFail(User, { id: userId });
      const code = page.body.get('code') ?? '';
      await signInWithCode(page.ctx, this.pages.ring, { user, code, address: page.address });
      await page.signIn(user);
      page.redirect(onward(page));
    } catch (error) {
      const formError = toFormError(error);
      // Without the proof of the password, the sign-in begins again.
      if (error instanceof FormRefused) await showForm(page, formError);
      else showCodeForm(page, { userId, returnTo: page.returnTo }, formError);
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
      const { status, message, headers } = toFormError(error);
      const title = 'Sign out';
      page.show(status, { title, body: card(html`<h1>${title}</h1>`, alarm(message), signOutForm(page)) }, headers);
    }
  }
}

/**
 * Checks the email and password of the form, and opens a session. For a user with a second factor it shows the page that asks
 * for a code instead, and returns false.
 */
export async function signInWith(page: PageRequest, returnTo: string | undefined): Promise<boolean> {
  const [givenEmail, givenPassword] = [page.body.get('email'), page.body.get('password')];
  if (!givenEmail || !givenPassword) throw incomplete('Enter your email and your password');
  const order = { email: givenEmail, password: givenPassword, address: page.address };
  const { user, needsCode } = await signIn(page.ctx, order);
  if (needsCode) showCodeForm(page, { userId: user.id, returnTo });
  else await page.signIn(user);
  return !needsCode;
}

export const signOutForm = (page: PageRequest) =>
  form({ action: '/id/sign-out', token: page.sealed(leaving) }, html`<button class="plain">Sign out</button>`);

/** The path after a sign-in: the choice of a handle, if there is none yet. */
export const onward = (page: PageRequest): string =>
  page.signedIn && !page.signedIn.account ? withReturn('/id/handle', page.returnTo) : (page.returnTo ?? '/id/');

async function showForm(page: PageRequest, formError?: FormError): Promise<void> {
  const { returnTo } = page;
  const said = notices[page.query.get('notice') ?? ''];
  const title = 'Sign in';
  const byPasskey = await passkeyForm(page, returnTo);
  page.show(
    formError?.status ?? 200,
    {
      title,
      passkeys: byPasskey !== undefined,
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
        byPasskey,
        html`<div class="links">
          <p><a href="${withReturn('/id/password/forgot', returnTo)}">Forgot your password?</a></p>
          <p><a href="${withReturn('/id/sign-up', returnTo)}">Create an account</a></p>
        </div>`,
      ),
    },
    formError?.headers,
  );
}

/** The form for a sign-in with a passkey; undefined where browsers allow none. */
async function passkeyForm(page: PageRequest, returnTo: string | undefined): Promise<Html | undefined> {
  const token = page.sealed(withPasskey);
  const challenge = page.readPasskeyChallenge(token);
  if (!challenge) return undefined;
  const passkey = { kind: 'get', options: await passkeyOptions(challenge) } as const;
  return form(
    { action: '/id/sign-in/passkey', token, returnTo, passkey },
    html`<div class="or actions"><button>Sign in with a passkey</button></div>`,
  );
}
