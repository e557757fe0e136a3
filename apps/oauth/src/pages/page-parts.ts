import { HttpFault } from '@lensforge/edge';
import { isUuid } from '@lensforge/core';
import { type Html, html } from './html.js';
import { alarm, notice } from './layout.js';
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

export const toAccount = html`<a class="button small-button" href="/id/">Your account</a>`;
