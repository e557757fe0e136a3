import { type Html, html } from './html.js';
import { card, warning } from './layout.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';

export const noMailPage = (page: PageRequest, title: string): void =>
  page.show(503, {
    title,
    body: card(
      html`<h1>${title}</h1>`,
      warning(
        html`<strong>Mail is not set up on this service.</strong>
          <p>
            Its operator has to set <span class="mono">LENSFORGE_SMTP_URL</span> and
            <span class="mono">LENSFORGE_MAIL_FROM</span> first.
          </p>`,
      ),
      html`<a class="button" href="${withReturn('/id/sign-in', page.returnTo)}">Back to sign in</a>`,
    ),
  });

export interface SentMail {
  to: string;
  /** The next step, if there is a mail server. */
  sent: Html;
  hint: Html;
}

/** The page after a mail request; its text does not depend on the existence of an account. */
export function mailPage(hasServer: boolean, { to, sent, hint }: SentMail): { title: string; body: Html } {
  const title = hasServer ? 'Check your mail' : 'No mail was sent';
  return {
    title,
    body: card(
      html`<h1>${title}</h1>`,
      hasServer
        ? html`<p>${sent}</p>
            <p class="soft">Nothing there after a few minutes? Check your spam folder. ${hint}</p>`
        : html`<p>
              This service has no mail server, so nothing was sent to <strong>${to}</strong>. In development the link is
              in the log of the oauth service.
            </p>
            <p class="soft">${hint}</p>`,
    ),
  };
}

export interface InvalidLink {
  message: string;
  /** The path of the page that sends another link. */
  again: string;
  button: string;
}

export const invalidLinkPage = (page: PageRequest, { message, again, button }: InvalidLink): void =>
  page.show(400, {
    title: 'This link does not work',
    body: card(
      html`<h1>This link does not work</h1>
        <p role="alert">${message}</p>
        <div class="actions">
          <a class="button main" href="${again}">${button}</a>
          <a class="button plain" href="${withReturn('/id/sign-in', page.returnTo)}">Sign in</a>
        </div>`,
    ),
  });
