import { email, form, hidden, password, usernameFor } from './form.js';
import { type Html, html } from './html.js';
import { alarm, card, notice, warning } from './layout.js';
import { invalidLinkPage, mailPage } from './mail-pages.js';
import type { FormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';
import { withReturn } from './return-to.js';

export const changing = { form: 'change password' };
export const forgetting = { form: 'forgot password' };
export const resetting = (token: string) => ({ form: 'reset password', bound: [['token', token]] as const });
export const revoking = (userId: string) => ({
  form: 'revoke tokens after a reset',
  bound: [['user', userId]] as const,
});

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

export function changePage(page: PageRequest, formError?: FormError): Body {
  const title = 'Change your password';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>
        <p class="lead">You stay signed in here, and are signed out everywhere else.</p>`,
      formError && !formError.field && alarm(formError.message),
      form(
        { action: '/id/password', token: page.sealed(changing) },
        usernameFor(page.signedIn?.user),
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

export function forgotPage(page: PageRequest, formError?: FormError): Body {
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

export const askedPage = (hasServer: boolean, to: string): Body =>
  mailPage(hasServer, {
    to,
    sent: html`If there is an account for <strong>${to}</strong>, we are sending a link to it. It works for an hour.`,
    hint: html`There is a link only if the address has an account: try another address.`,
  });

export function tokensLeftPage(page: PageRequest, userId: string, tokens: number): Body {
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

export function tokensKeptPage(page: PageRequest, message: string): Body {
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

export function resetPage(page: PageRequest, token: string, formError?: FormError): Body {
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

export const showSpent = (page: PageRequest, message = 'The link is incomplete: copy all of it from the mail.'): void =>
  invalidLinkPage(page, {
    message,
    again: withReturn('/id/password/forgot', page.returnTo),
    button: 'Send me another link',
  });
