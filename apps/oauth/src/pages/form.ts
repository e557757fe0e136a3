import { type Html, html } from './html.js';
import type { Part } from './html.js';

export interface FieldText {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  fault?: string | undefined;
  minlength?: number;
  maxlength?: number;
  pattern?: string;
  autofocus?: boolean;
  optional?: boolean;
  prefix?: string;
  code?: boolean;
}

/** A labelled input, with its hint and error for screen readers. */
export function field(text: FieldText): Html {
  const { name, label, hint, fault, prefix } = text;
  const described = [fault && `${name}-fault`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for="${name}">${label}${text.optional && html` <span class="soft">(optional)</span>`}</label>
    ${prefix ? html`<div class="prefixed"><span aria-hidden="true">${prefix}</span>${input(text, described)}</div>` : input(text, described)}
    ${fault && html`<p class="fault" id="${name}-fault">${fault}</p>`}
    ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;
}

function input(text: FieldText, described: string): Html {
  const { name, type = 'text', autocomplete, value, fault, minlength, maxlength, pattern, optional, autofocus } = text;
  const plain = type !== 'text' || text.code || text.prefix;
  return html`<input
    id="${name}"
    name="${name}"
    type="${type}"
    autocomplete="${autocomplete}"
    ${[
      value !== undefined && type !== 'password' && html` value="${value}"`,
      minlength !== undefined && html` minlength="${minlength}"`,
      maxlength !== undefined && html` maxlength="${maxlength}"`,
      pattern !== undefined && html` pattern="${pattern}"`,
      type === 'email' && html` inputmode="email"`,
      plain && html` autocapitalize="${text.code ? 'characters' : 'none'}" autocorrect="off" spellcheck="false"`,
      text.code && html` class="code"`,
      !optional && html` required`,
      (autofocus || fault) && html` autofocus`,
      fault && html` aria-invalid="true"`,
      described && html` aria-describedby="${described}"`,
    ]}
  />`;
}

export const email = (text: Partial<FieldText> = {}): Html =>
  field({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', maxlength: 254, ...text });

export const password = (text: Partial<FieldText> = {}): Html =>
  field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', ...text });

export const hidden = (name: string, value: string | undefined): Part =>
  value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`;

export const csrfField = 'csrf_token';

export interface FormText {
  action: string;
  /** The CSRF token. */
  token: string;
  returnTo?: string | undefined;
}

export const form = ({ action, token, returnTo }: FormText, ...content: readonly Part[]): Html =>
  html`<form method="post" action="${action}">
    ${hidden(csrfField, token)}${hidden('return_to', returnTo)}${content}
  </form>`;
