import { html } from './html.js';
import { card, warning } from './layout.js';
import { withReturn } from './return-to.js';
import type { Visit } from './visit.js';

export const noMailPage = (visit: Visit, title: string): void =>
  visit.page(503, {
    title,
    body: card(
      html`<h1>${title}</h1>`,
      warning(
        html`<strong>Mail is not set up on this service.</strong>
          <p>
            Whoever runs it has to set <span class="mono">LENSFORGE_SMTP_URL</span> and
            <span class="mono">LENSFORGE_MAIL_FROM</span> first.
          </p>`,
      ),
      html`<a class="button" href="${withReturn('/id/sign-in', visit.returnTo)}">Back to sign in</a>`,
    ),
  });

export interface SpentLink {
  message: string;
  /** Where another link can be had. */
  again: string;
  button: string;
}

export const spentLinkPage = (visit: Visit, { message, again, button }: SpentLink): void =>
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
