import { type Html, type Part, html } from './html.js';

export interface FieldText {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'number';
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  fault?: string | undefined;
  minlength?: number;
  maxlength?: number;
  pattern?: string;
  /** The limits of a number. */
  min?: number;
  max?: number;
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
      text.min !== undefined && html` min="${text.min}"`,
      text.max !== undefined && html` max="${text.max}"`,
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

/** Tells password managers whose password the form asks for. */
export const usernameFor = (user: { email: string | null } | undefined): Html =>
  html`<input type="email" name="username" autocomplete="username" readonly hidden value="${user?.email}" />`;

export interface Check {
  name: string;
  label: string;
  hint: string;
  checked: boolean;
}

/** A group of boxes to check, each with an explanation. */
export const checks = (legend: string, boxes: readonly Check[]): Html =>
  html`<fieldset class="field">
    <legend class="label">${legend}</legend>
    ${boxes.map(
      ({ name, label, hint, checked }) =>
        html`<div class="check">
          <input
            id="${name}"
            name="${name}"
            type="checkbox"
            value="on"
            aria-describedby="${name}-hint"
            ${checked && html` checked`}
          />
          <div>
            <label class="mono" for="${name}">${label}</label>
            <p class="hint" id="${name}-hint">${hint}</p>
          </div>
        </div>`,
    )}
  </fieldset>`;

export const hidden = (name: string, value: string | undefined): Part =>
  value !== undefined && html`<input type="hidden" name="${name}" value="${value}" />`;

export const csrfField = 'csrf_token';

export interface FormText {
  action: string;
  /** The CSRF token. */
  token: string;
  returnTo?: string | undefined;
  /** The script of the page adds the response of a passkey to the form, which is hidden without the script. */
  passkey?: { kind: 'create' | 'get'; options: object } | undefined;
}

export const form = ({ action, token, returnTo, passkey }: FormText, ...content: readonly Part[]): Html =>
  html`<form
    method="post"
    action="${action}"
    ${passkey && html`data-passkey="${passkey.kind}" data-options="${JSON.stringify(passkey.options)}" hidden`}
  >
    ${
      passkey &&
      html`${hidden('response', '')}
        <p class="fault" role="alert"></p>`
    }
    ${hidden(csrfField, token)}${hidden('return_to', returnTo)}${content}
  </form>`;
