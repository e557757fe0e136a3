import { HttpFault } from '@lensforge/edge';
import { isUuid } from '@lensforge/core';
import { form, hidden } from './form.js';
import { type Html, type Part, html } from './html.js';
import { type PageText, alarm, card, notice } from './layout.js';
import type { FormError } from './page-faults.js';
import type { PageRequest } from './page-request.js';

/** The message of a page: what was done, or why it was not. */
export interface Outcome {
  said?: string | undefined;
  formError?: FormError | undefined;
}

export const outcome = ({ said, formError }: Outcome): Html =>
  html`${formError ? alarm(formError.message) : said !== undefined && notice(said)}`;

/** The id in a form or an address; 404 for any other text. */
export function idIn(text: string | undefined): string {
  if (text !== undefined && isUuid(text)) return text.toLowerCase();
  throw new HttpFault(404, 'not_found', 'There is no such page');
}

export const pickNotice = (page: PageRequest, notices: Readonly<Record<string, string>>): string | undefined =>
  notices[page.query.get('notice') ?? ''];

export interface Row {
  id: string;
  title: Part;
  facts: Part;
  actions: readonly { action: string; label: string; token: string }[];
}

/** A list of objects, each with its forms of one button. */
export const rows = (list: readonly Row[]): Html =>
  html`<ul class="rows">
    ${list.map(
      ({ id, title, facts, actions }) =>
        html`<li>
          <div>
            <h3 id="r-${id}">${title}</h3>
            <p class="soft small hint">${facts}</p>
          </div>
          <div class="bar">
            ${actions.map(({ action, label, token }) =>
              form(
                { action, token },
                hidden('id', id),
                html`<button class="small-button" aria-describedby="r-${id}">${label}</button>`,
              ),
            )}
          </div>
        </li>`,
    )}
  </ul>`;

export const toAccount = html`<a class="button small-button" href="/id/">Your account</a>`;

/** A secret, on the only page that ever shows it. */
export const secretPage = (text: { title: string; of: string; value: string; use: Part; back: string }): PageText => ({
  title: text.title,
  wide: true,
  body: card(
    html`<h1>${text.title}</h1>
      <p class="lead">
        Copy the value of <strong><bdi>${text.of}</bdi></strong> now. It is never shown again.
      </p>
      <code class="secret mono">${text.value}</code>
      <p>${text.use}</p>
      <a class="button" href="${text.back}">Back</a>`,
  ),
});
