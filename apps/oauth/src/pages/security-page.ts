import type { Passkey, SecondFactorState, TotpSecret, User } from '@lensforge/identity';
import { renderSVG } from 'uqr';
import { codeField } from './code-page.js';
import { ago, day } from './dates.js';
import { type FormText, field, form, hidden, password, usernameFor } from './form.js';
import { Html, type Part, html } from './html.js';
import { type PageText, alarm, card, warning } from './layout.js';
import type { FormError } from './page-faults.js';
import { type Outcome, outcome, toAccount } from './page-parts.js';

export const securityPath = '/id/security';

export interface SecurityView extends Outcome {
  secondFactor: SecondFactorState;
  passkeys: readonly Passkey[];
  now: Date;
  /** False at an address where browsers allow no passkeys. */
  passkeysPossible: boolean;
}

/** The ways to sign in: the authenticator app, its recovery codes, and passkeys. */
export const securityPage = (view: SecurityView): PageText => ({
  title: 'Passkeys and second factor',
  wide: true,
  body: html`${outcome(view)} ${appCard(view)} ${passkeysCard(view)}`,
});

function appCard({ secondFactor: { enabled, recoveryCodesLeft } }: SecurityView): Html {
  return card(
    html`<h1>Passkeys and second factor</h1>
      <h2>Authenticator app ${enabled && html`<span class="tag">on</span>`}</h2>`,
    enabled
      ? html`<p>
            A sign-in with your password asks for a code of your app. ${recoveryCodesLeft} of your recovery codes are
            left.
          </p>
          <div class="bar">
            <a class="button small-button" href="${securityPath}/recovery-codes">New recovery codes</a>
            <a class="button small-button" href="${securityPath}/app/remove">Turn off</a>
          </div>`
      : html`<p>
            With a second factor, your password alone opens nothing: a code of an app on your phone is needed, too.
          </p>
          <div class="bar">
            <a class="button small-button" href="${securityPath}/app">Set up an app</a>${toAccount}
          </div>`,
    enabled && html`<div class="bar">${toAccount}</div>`,
  );
}

function passkeysCard({ passkeys, passkeysPossible, now }: SecurityView): Html {
  return card(
    html`<h2>Passkeys</h2>
      <p>
        A passkey signs you in with your fingerprint, your face or the code of your device, without a password and
        without a code.
      </p>`,
    passkeys.length > 0 &&
      html`<ul class="rows">
        ${passkeys.map(
          ({ id, label, createdAt, lastUsedAt }) =>
            html`<li>
              <div>
                <h3 id="p-${id}"><bdi>${label}</bdi></h3>
                <p class="soft small hint">
                  Made ${day(createdAt)} · ${lastUsedAt ? `used ${ago(lastUsedAt, now)}` : 'never used'}
                </p>
              </div>
              <a class="button small-button" href="${securityPath}/passkeys/remove?id=${id}" aria-describedby="p-${id}">
                Remove
              </a>
            </li>`,
        )}
      </ul>`,
    passkeysPossible
      ? html`<div class="bar">
          <a class="button small-button" href="${securityPath}/passkeys/new">Add a passkey</a>
        </div>`
      : html`<p class="soft">Browsers allow no passkeys at this address: it needs https and a host name.</p>`,
  );
}

interface Question {
  title: string;
  lead: Part;
  formError: FormError | undefined;
  form: FormText;
  fields: readonly Part[];
  button: string;
}

/** A page with one form, which returns to the overview. */
const question = ({ title, lead, formError, form: text, fields, button }: Question): PageText => ({
  title,
  passkeys: text.passkey !== undefined,
  body: card(
    html`<h1>${title}</h1>
      <p class="lead">${lead}</p>`,
    formError && !formError.field && alarm(formError.message),
    text.passkey && html`<p data-without-passkeys>This browser cannot make passkeys here, or its scripts are off.</p>`,
    form(
      text,
      fields,
      html`<div class="actions">
        <button class="main">${button}</button>
        <a class="button plain" href="${securityPath}">Cancel</a>
      </div>`,
    ),
  ),
});

interface QuestionView {
  token: string;
  user: User;
  formError?: FormError | undefined;
}

const ownPassword = ({ user, formError }: QuestionView): Html =>
  html`${usernameFor(user)}
  ${password({
    label: 'Your password',
    fault: formError?.field === 'password' ? formError.message : undefined,
    autofocus: !formError,
  })}`;

export const startAppPage = (view: QuestionView): PageText =>
  question({
    title: 'Set up an app',
    lead: 'You need an authenticator app, such as the password manager of your phone.',
    formError: view.formError,
    form: { action: `${securityPath}/app`, token: view.token },
    fields: [ownPassword(view)],
    button: 'Continue',
  });

export const confirmAppPage = ({
  token,
  formError,
  secret,
}: Omit<QuestionView, 'user'> & { secret: TotpSecret }): PageText =>
  question({
    title: 'Scan the code',
    lead: 'Scan the picture with your app, or type the key into it. Then enter the six digits that the app shows.',
    formError,
    form: { action: `${securityPath}/app/confirm`, token },
    fields: [
      qrCode(secret.uri),
      html`<p class="label" id="key">Key</p>
        <code class="secret mono" aria-labelledby="key">${secret.text.match(/.{4}/g)?.join(' ')}</code>`,
      codeField(formError, 'Six digits.'),
    ],
    button: 'Turn on',
  });

// The text of a secret holds no markup: the picture is made of paths alone.
const qrCode = (uri: string): Html =>
  new Html(
    renderSVG(uri, { border: 2 }).replace('<svg ', '<svg class="qr" role="img" aria-label="QR code of the key" '),
  );

const appCode = 'The six digits of your app, or one of your recovery codes.';

export const removeAppPage = ({ token, formError }: Omit<QuestionView, 'user'>): PageText =>
  question({
    title: 'Turn off the second factor',
    lead: 'Your password alone signs you in then. Your recovery codes are deleted.',
    formError,
    form: { action: `${securityPath}/app/remove`, token },
    fields: [codeField(formError, appCode)],
    button: 'Turn off',
  });

export const replaceCodesPage = ({ token, formError }: Omit<QuestionView, 'user'>): PageText =>
  question({
    title: 'New recovery codes',
    lead: 'The old ones are not accepted any more then.',
    formError,
    form: { action: `${securityPath}/recovery-codes`, token },
    fields: [codeField(formError, appCode)],
    button: 'Make new codes',
  });

/** Recovery codes, on the only page that ever shows them. */
export const recoveryCodesPage = (codes: readonly string[]): PageText => ({
  title: 'Your recovery codes',
  wide: true,
  body: card(
    html`<h1>Your recovery codes</h1>
      <p class="lead">Each of them signs you in once, in place of your app. They are never shown again.</p>
      <ul class="codes mono">
        ${codes.map((code) => html`<li>${code}</li>`)}
      </ul>`,
    warning(html`<strong>Keep them away from your phone,</strong> on paper or in a password manager.`),
    html`<div class="bar"><a class="button main small-button" href="${securityPath}">I have stored them</a></div>`,
  ),
});

export const newPasskeyPage = (view: QuestionView & { label: string | undefined; options: object }): PageText =>
  question({
    title: 'Add a passkey',
    lead: 'Your device asks for your fingerprint, your face or its code.',
    formError: view.formError,
    form: {
      action: `${securityPath}/passkeys/new`,
      token: view.token,
      passkey: { kind: 'create', options: view.options },
    },
    fields: [
      field({
        name: 'label',
        label: 'Name',
        autocomplete: 'off',
        maxlength: 100,
        value: view.label ?? '',
        hint: 'To recognise the device in the list.',
        fault: view.formError?.field === 'label' ? view.formError.message : undefined,
      }),
      ownPassword(view),
    ],
    button: 'Create the passkey',
  });

export const removePasskeyPage = (view: QuestionView & { passkey: Passkey }): PageText =>
  question({
    title: 'Remove a passkey',
    lead: html`<bdi>${view.passkey.label}</bdi> does not sign you in any more then.`,
    formError: view.formError,
    form: { action: `${securityPath}/passkeys/remove`, token: view.token },
    fields: [hidden('id', view.passkey.id), ownPassword(view)],
    button: 'Remove',
  });
