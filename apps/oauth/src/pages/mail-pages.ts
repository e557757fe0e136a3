import type { Html } from './html.js';
import { html } from './html.js';
import { card, warning } from './layout.js';
import { withReturn } from './return-to.js';
import type { PageRequest } from './page-request.js';

export const noMailPage = (visit: PageRequest, title: string): void =>
  visit.page(503, {
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
      html`<a class="button" href="${withReturn('/id/sign-in', visit.returnTo)}">Back to sign in</a>`,
    ),
  });

export interface AskedMail {
  to: string;
  /** The next step of the person, where there is a mail server. */
  sent: Html;
  hint: Html;
}

/** The same words whether an account has this address or not. */
export function mailPage(hasServer: boolean, { to, sent, hint }: AskedMail): { title: string; body: Html } {
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

export interface SpentLink {
  message: string;
  /** Where another link can be had. */
  again: string;
  button: string;
}

export const spentLinkPage = (visit: PageRequest, { message, again, button }: SpentLink): void =>
  visit.page(400, {
    title: 'This link does not work',
    body: card(
      html`<h1>This link does not work</h1>
        <p role="alert">${message}</p>
        <div class="actions">
          <a class="button main" href="${again}">${button}</a>
          <a class="button plain" href="${withReturn('/id/sign-in', visit.returnTo)}">Sign in</a>
        </div>`,
    ),
  });
